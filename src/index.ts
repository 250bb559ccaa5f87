/**
 * scree: exact point-in-polyhedron tests in mass on WebGPU, in Node and in browsers.
 *
 * @packageDocumentation
 */
export { DeviceError, type DeviceErrorReason, InputError, ScreeError } from './errors.ts';
export { type AdapterPreference, type AdapterSummary, Device, type OpenDeviceOptions, openDevice } from './gpu/device.ts';
export {
  BOUNDARY,
  type Classification,
  type ClassifySeconds,
  INSIDE,
  type Method,
  OUTSIDE,
  type Rule,
} from './inside/classification.ts';
export { type ClassifyOptions, Polyhedron } from './inside/polyhedron.ts';
export { type Box, type MeshOrigin, TriangleMesh } from './mesh/triangle-mesh.ts';
