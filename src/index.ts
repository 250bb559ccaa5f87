/**
 * scree: exact point-in-polyhedron tests, and distances, depths and contacts of convex bodies, in mass on WebGPU, in
 * Node and in browsers.
 *
 * @packageDocumentation
 */
export {
  type MeshDistance,
  type MeshDistanceOptions,
  type MeshPair,
  meshDistance,
  meshesMeet,
} from './bounding/distance/mesh-distance.ts';
export {
  type MeshCollision,
  type MeshCollisionOptions,
  type MovingMeshes,
  meshCollision,
} from './bounding/motion/mesh-collision.ts';
export { STRATEGIES, type Strategy, VOLUMES, type Volume } from './bounding/names.ts';
export { BoundingTree, type BoundingTreeOptions } from './bounding/tree/bounding-tree.ts';
export { bodyBoxes } from './broadphase/body-boxes.ts';
export type { CoordinateOrder } from './broadphase/coordinate-sort.ts';
export { type CullBoxesOptions, type CulledBoxes, cullBoxes } from './broadphase/cull-boxes.ts';
export type {
  ContactBodies,
  ContactShape,
  PlaneShape,
  PolyhedronShape,
} from './contacts/bodies/contact-shape.ts';
export type { GrownList } from './contacts/gpu/header.ts';
export {
  type ContactArrays,
  ContactKind,
  ContactStatus,
  FEATURE_OF_B,
  NO_TRIANGLE,
} from './contacts/list/contact-arrays.ts';
export type { ContactEvents, PreviousContacts } from './contacts/list/events.ts';
export { type NodesInside, type NodesInsideQuery, nodesInside } from './contacts/nodes-inside.ts';
export { ContactPipeline } from './contacts/pipeline/contact-pipeline.ts';
export { type ContactTablesOptions, contactTables } from './contacts/pipeline/contact-tables.ts';
export type {
  ContactPipelineOptions,
  ContactSeconds,
  DetectedContacts,
  DetectOptions,
} from './contacts/pipeline/detection.ts';
export type {
  ContactsOnDevice,
  ContactsOnDeviceInputs,
  ContactsOnDeviceOptions,
  ContactsOnDeviceResults,
  ContactsReadBack,
} from './contacts/pipeline/on-device.ts';
export type { PolyhedronSummary } from './contacts/pipeline/prepare-polyhedra.ts';
export {
  ConvexBatch,
  type ConvexBatchOptions,
  type ConvexQuery,
  type ConvexResults,
  type ConvexSeconds,
} from './convex/batch/convex-batch.ts';
export type { ManifoldRule } from './convex/manifold/manifold-rules.ts';
export { PairStatus, pairStatusName } from './convex/pair/status.ts';
export { type IntersectionAnswers, intersects } from './convex/query/intersects.ts';
export type {
  PairsOnDevice,
  PairsOnDeviceInputs,
  PairsOnDeviceOptions,
  PairsOnDeviceResults,
  PairsReadBack,
} from './convex/query/on-device.ts';
export type { PairAlgorithm, PairKind } from './convex/query/pair-kinds.ts';
export type { PairArrays, PairQuery, PreviousPairs } from './convex/query/pair-query.ts';
export { type PolytopeOptions, type PolytopeShape, polytopeOf } from './convex/shapes/polytope-of.ts';
export type {
  CompoundShape,
  ConcaveShape,
  ConvexShape,
  PartPose,
  Shape,
  SimpleShape,
  WithMargin,
} from './convex/shapes/shapes.ts';
export type { Material, MaterialPair, PairOverrides } from './dem/materials/materials.ts';
export type { LawParameters, LawValues, NormalLaw } from './dem/materials/normal-law.ts';
export { type AngleOfReposeOptions, angleOfRepose } from './dem/measures/angle-of-repose.ts';
export {
  type MonitoredState,
  type MonitorRegion,
  monitorColumns,
  monitorValues,
  type SceneMonitor,
  type SceneMonitors,
} from './dem/measures/scene-monitors.ts';
export { coordinationNumbers, type TouchingPairs, touchingPairs } from './dem/measures/touching-pairs.ts';
export type { Energies } from './dem/monitors/monitors.ts';
export { BodyStatus } from './dem/motion/motion.ts';
export { gravityAt } from './dem/scene/public-gravity.ts';
export { RESPONSES, type ResponseName } from './dem/scene/response.ts';
export type {
  Bounds,
  Gravity,
  GravityRow,
  PeriodicBox,
  PrescribedMotion,
  RemovalPlane,
  ServoWall,
  SimulationBodies,
  SimulationScene,
} from './dem/scene/simulation-scene.ts';
export {
  type Monitors,
  type PairForces,
  type Quantity,
  Simulation,
  type StepOptions,
  type WritableQuantity,
} from './dem/simulation/simulation.ts';
export type { SimulationBuffers, SimulationOptions } from './dem/simulation/simulation-parts.ts';
export {
  DeviceError,
  type DeviceErrorOptions,
  type DeviceErrorReason,
  InputError,
  ScreeError,
  SimulationError,
  type SimulationErrorReason,
} from './errors.ts';
export { BACKENDS, type Backend } from './gpu/backend.ts';
export type { CountOnDevice } from './gpu/count-on-device.ts';
export {
  type AdapterPreference,
  type AdapterSummary,
  Device,
  type OpenDeviceOptions,
  openDevice,
} from './gpu/device.ts';
export type { LimitsWanted } from './gpu/limits.ts';
export { isBodyFile, type ReadBodyOptions, readBody, type SavedBody } from './inside/body-file/body-file.ts';
export {
  type CellGridEstimate,
  type EstimateOptions,
  estimateCellGrid,
} from './inside/cell-grid/estimate.ts';
export {
  BOUNDARY,
  type Classification,
  type ClassifySeconds,
  type CrossingRule,
  type Expansion,
  INSIDE,
  METHODS,
  type Method,
  OUTSIDE,
  RULES,
  type Rule,
} from './inside/classification.ts';
export { type ExactFlagsOptions, exactFlags } from './inside/exact-flags.ts';
export type { MultipoleDepth } from './inside/multipole/depth.ts';
export type {
  PointsOnDevice,
  PointsOnDeviceInputs,
  PointsOnDeviceOptions,
  PointsReadBack,
} from './inside/on-device.ts';
export type {
  ClassifyOptions,
  LoadOptions,
  PolyhedronOptions,
  SaveOptions,
  StreamOptions,
} from './inside/options.ts';
export { Polyhedron } from './inside/polyhedron.ts';
export { POTENTIAL_KINDS, type PotentialKind } from './inside/potential/potential.ts';
export type {
  ClassificationStream,
  ClassifiedChunk,
  StreamSeconds,
  StreamSummary,
} from './inside/stream/point-stream.ts';
export type { ExpansionOptions } from './inside/winding/potential-choice.ts';
export type { WindingNumbers, WindingOptions, WindingSeconds } from './inside/winding/winding-number.ts';
export { type BodyData, encodeBodySurfaces, type SurfaceOptions, surfacesOf } from './io/body-surfaces.ts';
export type { ContactFormat } from './io/contact-formats.ts';
export {
  type EncodeContactsOptions,
  encodeContacts,
} from './io/contacts.ts';
export { encodeCsv, type FlaggedPoints } from './io/csv.ts';
export {
  encodeNpy,
  encodeNpyHeader,
  type NpyArray,
  type NpyData,
  type NpyDtype,
  parseNpy,
  type WritableNpyDtype,
} from './io/npy.ts';
export { type OpenPointsOptions, openPoints, type PointFile, type RowRange } from './io/open-points.ts';
export { encodePng } from './io/png.ts';
export {
  type GridOptions,
  gridPoints,
  type ParsePointsOptions,
  parsePoints,
  readPoints,
} from './io/points.ts';
export { type ConvexScene, convexScene } from './io/scene/convex-scene.ts';
export { type ParseSceneOptions, parseScene, readScene, type Scene } from './io/scene/scene.ts';
export type { SceneMechanism } from './io/scene/scene-mechanism.ts';
export type { ReadSceneFile } from './io/scene/scene-meshes.ts';
export type { SceneMotion, SceneSimulation } from './io/scene/scene-simulation.ts';
export { multibodyScene, simulationScene } from './io/scene/simulation-scene.ts';
export { type SliceOptions, sliceSvg } from './io/slice.ts';
export { encodeForces, encodeVtp, encodeVtpSurface } from './io/vtp.ts';
export {
  type CheckMeshOptions,
  checkMesh,
  type EdgePlace,
  type FacePlace,
  type MeshReport,
  type VertexPlace,
} from './mesh/check-mesh.ts';
export { type FoamOptions, openCellFoam } from './mesh/generate-foam.ts';
export { type RockOptions, randomRock } from './mesh/generate-rock.ts';
export {
  type DrumOptions,
  drum,
  type ExtrusionOptions,
  extrusion,
  type Outline,
  type RevolutionOptions,
  revolution,
} from './mesh/generate-solids.ts';
export { unitSphere } from './mesh/generate-sphere.ts';
export { type ThreadOptions, thread } from './mesh/generate-thread.ts';
export type { Matrix3, Vector3 } from './mesh/mass-properties.ts';
export type { MeshFormat } from './mesh/mesh-formats.ts';
export { formatMeshReport } from './mesh/mesh-verdict.ts';
export { createRandom } from './mesh/random.ts';
export { type ParseMeshOptions, parseMesh } from './mesh/read/parse-mesh.ts';
export type { ReadSource } from './mesh/read/source.ts';
export { type ReadMeshOptions, readMesh } from './mesh/read-mesh.ts';
export type { Findings } from './mesh/topology.ts';
export { type Box, type MeshOrigin, TriangleMesh, type TriangleMeshOptions } from './mesh/triangle-mesh.ts';
export { encodeMesh } from './mesh/write-mesh.ts';
export type {
  AdvanceOptions,
  ContactEventArrays,
  MechanismContacts,
  MechanismStatistics,
} from './multibody/events/run-options.ts';
export { Multibody, type MultibodyOptions, type MultibodyQuantity } from './multibody/multibody.ts';
export {
  type BodyForce,
  type BodyOrWorld,
  type BodyState,
  type ForceElement,
  type Joint,
  type JointDrive,
  type JointKind,
  type JointState,
  type MassOfBody,
  type MechanismElement,
  type MultibodyBodies,
  type MultibodyScene,
  NO_SHAPE,
  type SpringElement,
} from './multibody/scene/multibody-scene.ts';
export type { Camera } from './render/camera.ts';
export { drawPicture, type PictureOptions } from './render/picture.ts';
export type { Picture } from './render/picture-size.ts';
export {
  type ColorMode,
  type DrawOptions,
  type RenderedScene,
  Renderer,
  type RendererOptions,
} from './render/renderer.ts';
