/**
 * What a node with depth takes beside other questions about the same points: the nodes of a packing that lie inside
 * shape 0, in its frame, rounded to float32, in the order of the list. One thread each.
 */
import { quatd, vec3d } from 'wgpu-matrix';
import { makePolyhedron } from '../../contacts/field/polyhedron.ts';
import { SignedDistance, signedDistance } from '../../contacts/field/signed-distance.ts';
import { ContactKind, type DetectedContacts, FEATURE_OF_B, Polyhedron } from '../../index.ts';
import type { Way } from '../points/way.ts';
import type { NodeDepthsReport } from '../report.ts';
import { clocked, type HostClock, inTurns, medianRatio, spread } from '../spread.ts';
import type { PackedKind, Packing } from './packings.ts';

/** Calls before the first timed one: engines compile `classify` anew for a new body's tables, up to its third call. */
const WARM_UP = 5;
/** Points of a timed question at least: fewer are asked repeatedly. */
const LEAST_POINTS = 20_000;

interface NodeOptions {
  readonly kind: PackedKind;
  readonly packing: Packing;
  /** Of the packing as it is. */
  readonly found: DetectedContacts;
  /** three-mesh-bvh. */
  readonly peer: Way | undefined;
  readonly rounds: number;
  readonly host: HostClock;
  readonly signal?: AbortSignal | undefined;
}

/** Undefined for bodies without nodes. */
export async function measureNodes(options: NodeOptions): Promise<NodeDepthsReport | undefined> {
  const { kind, peer, rounds, host, signal } = options;
  const [shape] = kind.shapes;
  const inside = nodesInside(options);
  if (shape?.kind !== 'polyhedron' || !('positions' in shape.mesh) || inside.length === 0) return undefined;
  const { mesh } = shape;
  const times = Math.ceil((3 * LEAST_POINTS) / inside.length);
  const points = new Float32Array(times * inside.length);
  for (let i = 0; i < times; i++) points.set(inside, i * inside.length);
  const poly = await makePolyhedron(mesh);
  const body = await Polyhedron.create(undefined, mesh, { threads: 1 });
  const other = await peer?.prepare(mesh);
  const out = new SignedDistance();
  const point = new Float64Array(3);
  const depths = async () => {
    for (let i = 0; i < points.length; i += 3) {
      for (let k = 0; k < 3; k++) point[k] = points[i + k]!;
      signedDistance(poly, point, out);
    }
  };
  const classify = async () => void (await body.classify(points, { backend: 'cpu', method: 'cell-grid' }));
  const nearest = async () => other?.nearest?.(points);
  const asked = [depths, classify, ...(other?.nearest ? [nearest] : [])].map((ask) => ({
    ask,
    seconds: [] as number[],
  }));
  try {
    for (let call = 0; call < WARM_UP; call++) for (const { ask } of asked) await ask();
    await inTurns(asked, rounds, async ({ ask, seconds }) => {
      signal?.throwIfAborted();
      seconds.push((await clocked(ask, host)).seconds);
    });
  } finally {
    body.destroy();
    other?.destroy();
  }
  const [depth, flags, bvh] = asked.map(({ seconds }) => seconds) as [number[], number[], number[] | undefined];
  return {
    ...{ label: kind.label, points: points.length / 3, depth: spread(depth), classify: spread(flags) },
    ...(bvh && { peer: spread(bvh) }),
    ...{ overClassify: medianRatio(depth, flags), ratioToPeer: bvh === undefined ? 0 : medianRatio(bvh, depth) },
    ...{ nodes: poly.surface.nodes.length / 3, tableBytes: bytesOf(poly) },
  };
}

/** Nodes that lie inside bodies of shape 0, in the frame of these. */
function nodesInside({ packing, found }: NodeOptions): Float32Array {
  const { shapes, poses } = packing;
  const points: number[] = [];
  for (let i = 0; i < found.count; i++) {
    if (found.kinds[i] !== ContactKind.node) continue;
    const host = found.bodies[2 * i + (found.features[i]! >= FEATURE_OF_B ? 0 : 1)]!;
    if (shapes[host] !== 0) continue;
    const place = vec3d.subtract(found.points.subarray(3 * i, 3 * i + 3), poses.subarray(7 * host, 7 * host + 3));
    points.push(...vec3d.transformQuat(place, quatd.conjugate(poses.subarray(7 * host + 3, 7 * host + 7))));
  }
  return Float32Array.from(points);
}

/** Of all arrays in it, however deep. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + bytesOf(one), 0);
}
