// From descriptions of shapes to records.
import { hullOfPoints, type PointHull } from './hull.ts';
import { writeRotation } from './pose.ts';
import { CompoundParameter, INTEGERS, PARAMETERS, Parameter, ShapeKind } from './records.ts';
import { type CompoundShape, isCompound, type PartPose, type Shape, type SimpleShape } from './shapes.ts';

/** A record before packing. */
export interface Draft {
  kind: number;
  parameters: Float64Array;
  polytope?: PointHull;
  children?: readonly [number, number];
  parts?: readonly { record: number; pose: PartPose }[];
}

/** Record of a shape; those of children and parts are added to `drafts`. */
export function draftOf(shape: Shape, drafts: Draft[]): Draft {
  const add = (draft: Draft): number => drafts.push(draft) - 1;
  if (shape.kind === 'parts') {
    const parts = shape.parts.map((part) => ({ record: add(draftOf(part.shape, drafts)), pose: part }));
    return { kind: ShapeKind.parts, parameters: new Float64Array(PARAMETERS), parts };
  }
  if (isCompound(shape)) return compoundDraft(shape, add);
  return simpleDraft(shape);
}

function compoundDraft(shape: CompoundShape, add: (draft: Draft) => number): Draft {
  const parameters = new Float64Array(PARAMETERS);
  const { position = [0, 0, 0], rotation = [0, 0, 0, 1] } = shape.place ?? {};
  writeRotation(rotation[0], rotation[1], rotation[2], rotation[3], parameters, CompoundParameter.rotation);
  parameters.set(position, CompoundParameter.offsetB);
  parameters[Parameter.margin] = shape.margin ?? 0;
  const children = [add(simpleDraft(shape.a)), add(simpleDraft(shape.b))] as const;
  return { kind: ShapeKind[shape.kind], parameters, children };
}

function simpleDraft(shape: SimpleShape): Draft {
  const parameters = new Float64Array(PARAMETERS);
  const draft = (
    kind: number,
    sizes: readonly number[],
    radius: number,
    ball = 0,
    polytope?: PointHull,
  ): Draft => {
    parameters.set(sizes);
    parameters[Parameter.margin] = (shape.margin ?? 0) + ball + parameters[Parameter.rollingBall]!;
    // The radius of an ellipsoid already includes the ball that rolls inside it.
    parameters[Parameter.boundingRadius] = radius + (shape.margin ?? 0) + ball;
    return polytope === undefined ? { kind, parameters } : { kind, parameters, polytope };
  };
  const box = (x: number, y: number, z: number, ball = 0) =>
    draft(ShapeKind.box, [x, y, z], Math.hypot(x, y, z), ball);
  const ellipsoid = (x: number, y: number, z: number, ball = 0) => {
    const longest = Math.max(x, y, z);
    parameters[Parameter.rollingBall] = longest > 0 ? Math.min(x, y, z) ** 2 / longest : 0;
    return draft(ShapeKind.ellipsoid, [x, y, z], longest, ball);
  };
  switch (shape.kind) {
    case 'point':
      return box(0, 0, 0);
    case 'segment':
      return box(shape.halfLength, 0, 0);
    case 'rectangle':
      return box(...shape.halfExtents, 0);
    case 'box':
      return box(...shape.halfExtents);
    case 'disc':
      return ellipsoid(shape.radius, shape.radius, 0);
    case 'sphere':
      return box(0, 0, 0, shape.radius);
    case 'ellipse':
      return ellipsoid(...shape.radii, 0);
    case 'ellipsoid':
      return ellipsoid(...shape.radii);
    case 'capsule':
      return box(shape.halfLength, 0, 0, shape.radius);
    case 'lozenge':
      return box(...shape.halfExtents, 0, shape.radius);
    case 'round-box':
      return box(...shape.halfExtents, shape.radius);
    case 'cylinder':
      return draft(
        ShapeKind.cylinder,
        [shape.radius, shape.halfHeight],
        Math.hypot(shape.radius, shape.halfHeight),
      );
    case 'cone': {
      const quarter = shape.height / 4;
      const radius = Math.max(Math.hypot(shape.radius, quarter), 3 * quarter);
      return draft(ShapeKind.cone, [shape.radius, -quarter, 3 * quarter], radius);
    }
    case 'wheel':
      return ellipsoid(shape.radius, shape.radius, 0, shape.tubeRadius);
    case 'frustum': {
      const [bx, by] = shape.bottom;
      const [tx, ty] = shape.top;
      const below = shape.height * frustumCentroid(shape.bottom, shape.top);
      const above = shape.height - below;
      const radius = Math.max(Math.hypot(bx, by, below), Math.hypot(tx, ty, above));
      return draft(ShapeKind.frustum, [bx, by, -below, tx, ty, above], radius);
    }
    case 'polytope': {
      const polytope = hullOfPoints(shape.vertices);
      const [x, y, z] = polytope.centroid;
      parameters.set(polytope.centroid, Parameter.centre);
      let radius = 0;
      for (let i = 0; i < polytope.vertices.length; i += 3) {
        const v = polytope.vertices;
        radius = Math.max(radius, Math.hypot(v[i]! - x, v[i + 1]! - y, v[i + 2]! - z));
      }
      return draft(ShapeKind.polytope, [], radius, 0, polytope);
    }
  }
}

/**
 * Height of the centroid as a part of the frustum's height: integrals of the cross section, whose sides grow linearly.
 */
function frustumCentroid([bx, by]: readonly [number, number], [tx, ty]: readonly [number, number]): number {
  const [dx, dy] = [tx - bx, ty - by];
  const volume = bx * by + (bx * dy + by * dx) / 2 + (dx * dy) / 3;
  const moment = (bx * by) / 2 + (bx * dy + by * dx) / 3 + (dx * dy) / 4;
  return volume > 0 ? moment / volume : 0.5;
}

/** Records one after another. */
export function pack(drafts: readonly Draft[]) {
  const total = (size: (draft: Draft) => number) => drafts.reduce((sum, draft) => sum + size(draft), 0);
  const vertexCount = total((d) => (d.polytope?.vertices.length ?? 0) / 3);
  const partCount = total((d) => d.parts?.length ?? 0);
  const packed = {
    parameters: new Float64Array(PARAMETERS * drafts.length),
    integers: new Uint32Array(INTEGERS * drafts.length),
    vertices: new Float64Array(3 * vertexCount),
    neighbourStarts: new Uint32Array(vertexCount + 1),
    neighbours: new Uint32Array(total((d) => d.polytope?.neighbours.length ?? 0)),
    partRecords: new Uint32Array(partCount),
    partPlacements: new Float64Array(12 * partCount),
  };
  let vertex = 0;
  let edge = 0;
  let part = 0;
  drafts.forEach((draft, i) => {
    packed.parameters.set(draft.parameters, PARAMETERS * i);
    const { polytope, children = [0, 0], parts = [] } = draft;
    const count = (polytope?.vertices.length ?? 0) / 3;
    const climbs = polytope !== undefined && polytope.neighbours.length > 0 ? 1 : 0;
    packed.integers.set([draft.kind, vertex, count, ...children, climbs, part, parts.length], INTEGERS * i);
    if (polytope !== undefined) {
      for (let v = 0; v < count; v++) {
        for (let k = 0; k < 3; k++) {
          packed.vertices[3 * (vertex + v) + k] = polytope.vertices[3 * v + k]! - polytope.centroid[k]!;
        }
        packed.neighbourStarts[vertex + v] = edge + (polytope.starts[v] ?? 0);
      }
      polytope.neighbours.forEach((to, e) => {
        packed.neighbours[edge + e] = vertex + to;
      });
      vertex += count;
      edge += polytope.neighbours.length;
      packed.neighbourStarts[vertex] = edge;
    }
    for (const { record, pose } of parts) {
      const { position = [0, 0, 0], rotation = [0, 0, 0, 1] } = pose;
      packed.partRecords[part] = record;
      writeRotation(rotation[0], rotation[1], rotation[2], rotation[3], packed.partPlacements, 12 * part);
      packed.partPlacements.set(position, 12 * part + 9);
      part++;
    }
  });
  return packed;
}
