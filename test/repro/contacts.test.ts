// Contacts reported against other DEM programs, rebuilt from their descriptions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quatd } from 'wgpu-matrix';
import type { ContactShape } from '../../src/contacts/bodies/contact-shape.ts';
import { ContactKind, FEATURE_OF_B } from '../../src/contacts/list/contact-arrays.ts';
import { ContactPipeline } from '../../src/contacts/pipeline/contact-pipeline.ts';
import type { DetectedContacts } from '../../src/contacts/pipeline/detection.ts';
import { createRandom } from '../../src/mesh/random.ts';
import { listOf } from '../contacts/pipeline/brute-force.ts';
import { packing, ROCKS, type Scene } from '../contacts/pipeline/scenes.ts';
import { useDevice } from '../support/device.ts';
import { hold } from '../support/hold.ts';
import { mapMesh, voxelMesh } from '../support/shapes.ts';

const device = useDevice();
const BACKENDS = ['cpu', 'gpu'] as const;
type Vector = readonly [number, number, number];

const createOf = ({ shapes, bodies }: Scene, rest = {}) =>
  ContactPipeline.create(device(), shapes, { bodies, ...rest });

/** Body 0 stands still. The others are of shape 1, and none of them meets another. */
function overGround(shapes: readonly ContactShape[], placed: readonly (readonly number[])[]): Scene {
  const of = (first: number, others: number) =>
    new Uint32Array(placed.length + 1).fill(others).fill(first, 0, 1);
  return {
    shapes,
    poses: Float64Array.from([[0, 0, 0, 0, 0, 0, 1], ...placed].flat()),
    bodies: {
      shapes: of(0, 1),
      isStatic: Uint8Array.from(of(1, 0)),
      groups: of(1, 2),
      masks: of(2, 1),
    },
  };
}

/** The contacts of each body with the ground, by the body's number. */
function contactsByBody({ count, bodies, normals, distances }: DetectedContacts): Map<number, Contact[]> {
  const found = new Map<number, Contact[]>();
  for (let i = 0; i < count; i++) {
    const body = bodies[2 * i + 1]!;
    const normal = [...normals.subarray(3 * i, 3 * i + 3)];
    found.set(body, [...(found.get(body) ?? []), { normal, distance: distances[i]! }]);
  }
  return found;
}

interface Contact {
  readonly normal: readonly number[];
  readonly distance: number;
}

describe('phasicFlow#242, lethe#1746, lethe#2079: a ball over a finely cut floor with a step', () => {
  const radius = 0.3;
  const depth = 0.05;
  const out = radius - depth;
  /** Below z = 1, and from x = 2 on below z = 2. Each face is cut into triangles of a quarter. */
  const step = voxelMesh(16, 0.25, (i, _, k) => k < 4 || (i >= 8 && k < 8));

  /** Places where a ball is in by `depth`, over the lattice of triangles' corners, edges and diagonals, and between. */
  function places(): Vector[] {
    const random = createRandom(1);
    const made: Vector[] = [];
    for (let i = 0; i <= 96; i++) {
      for (const y of [1, 1.0625, 1.125, 1 + random()]) {
        const along = i / 32;
        made.push([Math.min(0.5 + along, 2 - out), y, 1 + out], [2 + along / 2, y, 2 + out]);
        made.push([2 - out, y, 1 + out + (1 - out) * (i / 96)]);
        const turn = (Math.PI / 2) * (i / 96);
        made.push([2 - out * Math.sin(turn), y, 2 + out * Math.cos(turn)]);
      }
    }
    return made;
  }

  /** Normals and depths by the step's faces, from the ground to the ball. */
  function expectedAt([x, , z]: Vector): Contact[] {
    if (x < 2 && z > 2) {
      const away = Math.hypot(x - 2, z - 2);
      return [{ normal: [(x - 2) / away, 0, (z - 2) / away], distance: away - radius }];
    }
    if (x >= 2) return [{ normal: [0, 0, 1], distance: z - 2 - radius }];
    return [
      ...(z - 1 < radius ? [{ normal: [0, 0, 1], distance: z - 1 - radius }] : []),
      ...(2 - x < radius ? [{ normal: [-1, 0, 0], distance: 2 - x - radius }] : []),
    ];
  }

  it('has one contact with each face at every place, of unchanged depth', async () => {
    const balls = places();
    const shapes = [
      { kind: 'polyhedron', mesh: step },
      { kind: 'sphere', radius },
    ] as const;
    const scene = overGround(
      shapes,
      balls.map((place) => [...place, 0, 0, 0, 1]),
    );
    const pipeline = await createOf(scene);
    const found = contactsByBody(await pipeline.detect({ poses: scene.poses, backend: 'cpu' }));
    pipeline.destroy();
    balls.forEach((place, i) => {
      const expected = expectedAt(place);
      const own = found.get(i + 1) ?? [];
      const words = () => `${place}: ${JSON.stringify(own)}, not ${JSON.stringify(expected)}`;
      hold(own.length === expected.length, words);
      for (const { normal, distance } of expected) {
        const isSame = (other: Contact) =>
          Math.abs(other.distance - distance) < 1e-12 &&
          normal.every((x, k) => Math.abs(x - other.normal[k]!) < 1e-12);
        hold(own.filter(isSame).length === 1, words);
      }
    });
  });
});

describe('DEM-Engine#73: a wall that is a mesh and one that is a plane', () => {
  const random = createRandom(2);
  /** Its top is the plane z = 0, cut unevenly. */
  const block = mapMesh(
    voxelMesh(6, 2, () => true),
    (x, y, z) => [x - 6 + 0.3 * Math.sin(2 * y), y - 6 + 0.3 * Math.sin(3 * x), z - 12],
  );
  const wall: ContactShape = { kind: 'polyhedron', mesh: block, reach: 1 };
  const poses = Array.from({ length: 24 }, () => {
    const turn = quatd.normalize([0, 0, 0, 0].map(() => random() - 0.5));
    return [6 * random() - 3, 6 * random() - 3, 0.2 + 0.3 * random(), ...turn];
  });
  /** What the shape's bodies have with the mesh, and with the plane, on both backends. */
  const detectOverBoth = async (shape: ContactShape) => {
    const scenes = [wall, { kind: 'plane' } as const].map((ground) => overGround([ground, shape], poses));
    const pipelines = await Promise.all(scenes.map((scene) => createOf(scene)));
    const found = [];
    for (const backend of BACKENDS) {
      const [onMesh, onPlane] = await Promise.all(
        pipelines.map((pipeline) => pipeline.detect({ poses: scenes[0]!.poses, backend })),
      );
      found.push({ backend, onMesh: onMesh!, onPlane: onPlane! });
    }
    for (const pipeline of pipelines) pipeline.destroy();
    return found;
  };

  it('give balls the same depths and normals', async () => {
    for (const { backend, onMesh, onPlane } of await detectOverBoth({ kind: 'sphere', radius: 0.4 })) {
      const [patches, expected] = [contactsByBody(onMesh), contactsByBody(onPlane)];
      expect(expected.size).toBeGreaterThan(12);
      expect([...patches.keys()]).toEqual([...expected.keys()]);
      // Size of a pair: as below, less than 20 (docs/contacts.md, "Spheres on meshes"). Of the plane it is far less.
      const bound = backend === 'gpu' ? 2 ** -17 * 20 : 1e-12;
      for (const [body, [{ distance, normal }]] of expected as Map<number, [Contact]>) {
        const [contact, ...others] = patches.get(body)!;
        expect(others).toEqual([]);
        expect(Math.abs(contact!.distance - distance)).toBeLessThan(bound);
        for (const k of [0, 1, 2]) expect(Math.abs(contact!.normal[k]! - normal[k]!)).toBeLessThan(bound);
      }
    }
  });

  it('give rocks the same nodes, depths and normals', async () => {
    for (const { backend, onMesh, onPlane } of await detectOverBoth(ROCKS[2]!)) {
      const nodes = new Map<string, number>();
      for (let i = 0; i < onMesh.count; i++) {
        const isOwn = onMesh.features[i]! >= FEATURE_OF_B;
        if (onMesh.kinds[i] !== ContactKind.node || !isOwn) continue;
        nodes.set(`${onMesh.bodies[2 * i + 1]} ${onMesh.features[i]}`, i);
      }
      // Size of a pair: between both origins, and both radii, 4.2 + 15 + 0.8 (docs/contacts.md, "Nodes").
      const bound = backend === 'gpu' ? 2 ** -17 * 20 : 1e-12;
      let same = 0;
      for (let i = 0; i < onPlane.count; i++) {
        const node = nodes.get(`${onPlane.bodies[2 * i + 1]} ${onPlane.features[i]}`);
        const distance = onPlane.distances[i]!;
        hold(
          node !== undefined || distance > -bound,
          () => `contact ${i}, ${distance}, is none with the mesh`,
        );
        if (node === undefined) continue;
        same++;
        const other = onMesh.distances[node]!;
        hold(Math.abs(other - distance) < bound, () => `${backend}: ${other}, not ${distance}`);
        const up = onMesh.normals[3 * node + 2]!;
        hold(Math.abs(up - 1) < 1e-6, () => `${backend}: normal z ${up} at depth ${other}`);
        hold(onMesh.areas[node] === onPlane.areas[i], () => `${onMesh.areas[node]}, not ${onPlane.areas[i]}`);
      }
      expect(same).toBeGreaterThan(100);
      const below = new Set(Array.from(onPlane.features, (x, i) => `${onPlane.bodies[2 * i + 1]} ${x}`));
      for (const [name, node] of nodes) {
        const depth = -onMesh.distances[node]!;
        hold(
          below.has(name) || depth < bound,
          () => `${backend}: node ${name}, ${depth} deep, is not below the plane`,
        );
      }
    }
  });
});

describe('rocks and balls', () => {
  const scene = packing(ROCKS, { count: 24, seed: 4, size: 2 });
  const { poses } = scene;
  let pipeline: ContactPipeline;
  let whole: Record<(typeof BACKENDS)[number], DetectedContacts>;
  beforeAll(async () => {
    pipeline = await createOf(scene);
    whole = {
      cpu: await pipeline.detect({ poses, backend: 'cpu' }),
      gpu: await pipeline.detect({ poses, backend: 'gpu' }),
    };
  });
  afterAll(() => pipeline.destroy());

  it.each(BACKENDS)('DEM-Engine#72: a short list after a long one has no tail: %s', async (backend) => {
    expect([...new Set(whole[backend].kinds)]).toEqual(Object.values(ContactKind));
    // The first bodies stay where they are. The others are high above, in a row.
    const few = poses.slice();
    for (let body = 4; body < few.length / 7; body++) few.set([10 * body, 0, 100], 7 * body);
    const none = few.slice();
    for (let body = 1; body < 4; body++) none.set([10 * body, 0, 100], 7 * body);
    const fresh = await createOf(scene);
    const expected = await fresh.detect({ poses: few, backend });
    fresh.destroy();
    expect(expected.count).toBeGreaterThan(0);
    expect(expected.count).toBeLessThan(whole[backend].count / 10);
    expect(listOf(await pipeline.detect({ poses: few, backend }))).toEqual(listOf(expected));
    expect(await pipeline.detect({ poses: none, backend })).toMatchObject({ count: 0 });
    expect(listOf(await pipeline.detect({ poses, backend }))).toEqual(listOf(whole[backend]));
    const found = await pipeline.detect({ poses: few, backend });
    expect(listOf(found)).toEqual(listOf(expected));
    for (const numbers of [found.normals, found.points]) {
      expect(numbers).toHaveLength(3 * found.count);
      expect(numbers.every(Number.isFinite)).toBe(true);
    }
  });

  it('newton#3702: no contact is dropped where a list runs over, and it is said', async () => {
    const small = await createOf(scene, { capacity: { pairs: 1, contacts: 1 } });
    const found = await small.detect({ poses, backend: 'gpu' });
    small.destroy();
    expect(listOf(found)).toEqual(listOf(whole.gpu));
    const grown = ['pairs', 'clusters', 'edgeClusters', 'triangles', 'contacts'];
    expect(found.grown.map(({ list }) => list)).toEqual(grown);
    for (const { capacity, needed } of found.grown) expect(needed).toBeGreaterThan(capacity);
  });

  it.each([1, 2, 3])('chrono#810: the same input gives the same bytes on %i threads', async (threads) => {
    const other = await createOf(scene, { threads });
    expect(listOf(await other.detect({ poses, backend: 'cpu' }))).toEqual(listOf(whole.cpu));
    other.destroy();
  });

  it('chrono#810: the same input gives the same bytes twice on the GPU', async () => {
    expect(listOf(await pipeline.detect({ poses, backend: 'gpu' }))).toEqual(listOf(whole.gpu));
  });
});
