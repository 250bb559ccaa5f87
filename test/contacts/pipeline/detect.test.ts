import { beforeAll, describe, expect, it } from 'vitest';
import { quatd, vec3d } from 'wgpu-matrix';
import { meshOf } from '../../../src/contacts/bodies/check-shapes.ts';
import type { ContactShape } from '../../../src/contacts/bodies/contact-shape.ts';
import { type ContactArrays, ContactKind, ContactStatus } from '../../../src/contacts/list/contact-arrays.ts';
import type { ContactRows } from '../../../src/contacts/list/contact-sink.ts';
import { makeContactEngine } from '../../../src/contacts/pipeline/contact-engine.ts';
import { ContactPipeline } from '../../../src/contacts/pipeline/contact-pipeline.ts';
import type { DetectedContacts } from '../../../src/contacts/pipeline/detection.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { createRandom } from '../../../src/mesh/random.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { WorkerPool } from '../../../src/workers/worker-pool.ts';
import { allContacts, everyNth, listOf, without } from './brute-force.ts';
import { CONVEX_SHAPES, MIXED_SHAPES, packing, ROCKS, type Scene } from './scenes.ts';

const createOf = ({ shapes, bodies }: Scene, rest = {}) =>
  ContactPipeline.create(undefined, shapes, { bodies, ...rest });

async function detectIn(scene: Scene, rest = {}): Promise<DetectedContacts> {
  const pipeline = await createOf(scene, rest);
  const found = await pipeline.detect({ poses: scene.poses });
  pipeline.destroy();
  return found;
}

const scene = packing(CONVEX_SHAPES, { count: 96, seed: 1, size: 2.9 });
/** Copies of it in a row, far apart: work for many slices, also once workers have started. */
const COPIES = 2;
let expected: ContactArrays;
beforeAll(async () => {
  expected = await allContacts(scene);
});

/** What contacts are told apart by, as one text each. */
function keysOf(found: ContactArrays, bodyOf = (body: number) => body): string[] {
  return Array.from({ length: found.count }, (_, i) => {
    const [a, b] = [found.bodies[2 * i]!, found.bodies[2 * i + 1]!].map(bodyOf) as [number, number];
    const [partA, partB] = [found.parts[2 * i], found.parts[2 * i + 1]];
    const ordered = a < b ? `${a}.${partA} ${b}.${partB}` : `${b}.${partB} ${a}.${partA}`;
    return `${found.kinds[i]} ${ordered}`;
  });
}

function copyOf({ positions, indices, name }: TriangleMesh): TriangleMesh {
  return new TriangleMesh({ positions: positions.slice(), indices: indices.slice(), name });
}

/** Changes all numbers that a value holds. */
function spoil(value: object): void {
  if (ArrayBuffer.isView(value)) (value as Float32Array).fill(3);
  else {
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === 'number') Object.assign(value, { [key]: 3 });
      else if (typeof part === 'object' && part !== null) spoil(part);
    }
  }
}

describe('bodies of all kinds', () => {
  it('have the nodes, edges and patches of all pairs of a brute-force search, bit for bit', async () => {
    const rocks = packing(MIXED_SHAPES, { count: 30, seed: 1, size: 2 });
    const found = await detectIn(rocks);
    expect([...new Set(found.kinds)]).toEqual(Object.values(ContactKind));
    expect(found.nodesTested).toBeGreaterThanOrEqual(found.nodesNear);
    expect(found.nodesNear).toBeGreaterThan(0);
    expect(found.deepContacts).toBe(found.statuses.filter((status) => status === ContactStatus.deep).length);
    expect(listOf(found)).toEqual(await allContacts(rocks));
  });
});

describe('a mixed scene', () => {
  it('has the contacts of all pairs of a brute-force search, bit for bit', async () => {
    const found = await detectIn(scene);
    expect(found.count).toBeGreaterThan(500);
    expect(new Set(found.kinds).size).toBeGreaterThan(1);
    expect(listOf(found)).toEqual(expected);
    expect(found.pairs).toBeLessThan((scene.bodies.shapes.length * scene.bodies.shapes.length) / 4);
    expect(found.openContacts).toBe(found.statuses.filter((status) => status === ContactStatus.open).length);
  });

  it('is listed by kind, collider A, collider B and feature, each contact once', async () => {
    const { count, bodies, parts, kinds, features } = await detectIn(scene);
    const rank = (i: number) => [
      ...[kinds[i]!, bodies[2 * i]!, parts[2 * i]!, bodies[2 * i + 1]!, parts[2 * i + 1]!, features[i]!],
    ];
    for (let i = 1; i < count; i++) {
      const [before, now] = [rank(i - 1), rank(i)];
      const differs = now.findIndex((x, k) => x !== before[k]);
      expect(differs).toBeGreaterThanOrEqual(0);
      expect(now[differs]).toBeGreaterThan(before[differs]!);
    }
  });

  it('has the same bytes on 1, 2 and 3 threads', async () => {
    expect(WorkerPool.get()).toBeDefined();
    const many = repeated(scene, COPIES);
    const alone = await detectIn(many, { threads: 1 });
    expect([alone.threads, alone.count]).toEqual([1, COPIES * expected.count]);
    for (const threads of [2, 3]) {
      const found = await detectIn(many, { threads });
      expect(found.threads).toBe(2);
      expect(listOf(found)).toEqual(listOf(alone));
    }
  });

  it('has contacts that turn and move with it', async () => {
    const turn = quatd.normalize([0.1, 0.7, -0.3, 0.4]);
    const shift = [3, -2, 1];
    const moved = scene.poses.slice();
    for (let at = 0; at < moved.length; at += 7) {
      const position = vec3d.transformQuat(moved.subarray(at, at + 3), turn);
      moved.set(vec3d.add(position, shift), at);
      moved.set(quatd.multiply(turn, moved.slice(at + 3, at + 7)), at + 3);
    }
    const found = await detectIn({ ...scene, poses: moved });
    expect(keysOf(found)).toEqual(keysOf(expected));
    const forces = (list: Pick<typeof found, 'areas' | 'distances' | 'normals' | 'bodies'>, first: number) =>
      Math.hypot(
        ...[0, 1, 2].map((k) =>
          [first, first + 1, first + 2].reduce(
            (sum, i) => sum + list.areas[i]! * list.distances[i]! * list.normals[3 * i + k]!,
            0,
          ),
        ),
      );
    for (let i = 0; i < found.count; i++) {
      const isFace = expected.kinds[i] === ContactKind.convex && expected.areas[i]! > 0;
      // The depth of faces is work over force, and where forces cancel it has fewer digits than the pair's force.
      if (isFace && expected.features[i] === 0) {
        expect(Math.abs(forces(found, i) - forces(expected, i))).toBeLessThan(1e-9);
      }
      if (!isFace) expect(Math.abs(found.distances[i]! - expected.distances[i]!)).toBeLessThan(1e-9);
    }
  });

  it('has the same contacts far from the origin', async () => {
    // Multiples of the spacing of float64 there, so that differences of positions are what they are here.
    const spacing = 2 ** -32;
    const near = scene.poses.map((x, k) => (k % 7 < 3 ? Math.round(x / spacing) * spacing : x));
    const far = near.map((x, k) => (k % 7 < 3 ? x + 2 ** 17 : x));
    const [here, there] = [
      await detectIn({ ...scene, poses: near }),
      await detectIn({ ...scene, poses: far }),
    ];
    expect(there.count).toBe(here.count);
    expect(there.distances).toEqual(here.distances);
    expect(there.normals).toEqual(here.normals);
    expect(there.features).toEqual(here.features);
  });

  it('has the same contacts, seen from the other side, when bodies are listed in another order', async () => {
    const count = scene.bodies.shapes.length;
    const shapes = scene.bodies.shapes.toReversed();
    const poses = scene.poses.slice();
    for (let i = 0; i < count; i++) poses.set(scene.poses.subarray(7 * i, 7 * i + 7), 7 * (count - 1 - i));
    const isStatic = scene.bodies.isStatic!.toReversed();
    const found = await detectIn({ ...scene, poses, bodies: { shapes, isStatic } });
    const touching = (keys: string[]) => [...new Set(keys)].sort();
    expect(touching(keysOf(found, (body) => count - 1 - body))).toEqual(touching(keysOf(expected)));
  });
});

/** A scene several times, side by side. */
function repeated({ shapes, bodies, poses }: Scene, times: number): Scene {
  const copies = Array.from({ length: times }, (_, copy) => copy);
  const count = bodies.shapes.length;
  const all = new Float64Array(times * poses.length);
  for (const copy of copies) {
    all.set(poses, copy * poses.length);
    // Along the floor's plane, which all of them lie on: floors are planes without end.
    for (let i = 0; i < count; i++) all[copy * poses.length + 7 * i] = poses[7 * i]! + 100 * copy;
  }
  const isStatic = new Uint8Array(times * count);
  const [groups, masks] = [new Uint32Array(times * count), new Uint32Array(times * count)];
  for (const copy of copies) {
    isStatic.set(bodies.isStatic!, copy * count);
    // So each copy meets its own floor alone.
    groups.fill(2 ** copy, copy * count, (copy + 1) * count);
    masks.fill(2 ** copy, copy * count, (copy + 1) * count);
  }
  const numbers = new Uint32Array(times * count);
  for (const copy of copies) numbers.set(bodies.shapes, copy * count);
  return { shapes, poses: all, bodies: { shapes: numbers, isStatic, groups, masks } };
}

it('bodies that share a bit of `apart` have no contacts with each other', async () => {
  const apart = Uint8Array.from(scene.bodies.shapes, (_, body) => body % 4);
  const own = { ...scene, bodies: { ...scene.bodies, apart } };
  const found = await detectIn(own);
  expect(listOf(found)).toEqual(await allContacts(own));
  expect(found.count).toBeLessThan(0.7 * expected.count);
  expect(found.count).toBeGreaterThan(0.5 * expected.count);
});

describe('bodies that are not there', () => {
  it('have no contacts, nor pairs, also where a list of pairs could serve on', async () => {
    const count = scene.bodies.shapes.length;
    const pipeline = await createOf(scene, { margin: 0.05 });
    const all = new Uint8Array(count);
    for (const absent of [
      all,
      everyNth(count, { nth: 3, from: 1 }),
      // The same number of others; one alone, the floor; all of them.
      everyNth(count, { nth: 3, from: 2 }),
      everyNth(count, { nth: count, from: 0 }),
      all.map(() => 1),
      all,
    ]) {
      const found = await pipeline.detect({ poses: scene.poses, absent });
      expect(listOf(found)).toEqual(without(absent, expected));
      const isThere = absent.includes(0);
      expect(found.pairs > 0).toBe(isThere);
    }
    pipeline.destroy();
  });

  it('may move without an end to lists of pairs', async () => {
    const pipeline = await createOf(scene, { margin: 0.05 });
    const absent = everyNth(scene.bodies.shapes.length, { nth: 2, from: 1 });
    await pipeline.detect({ poses: scene.poses, absent });
    const poses = scene.poses.slice();
    // Those that are there move by less than half the margin: the list serves, one made anew would be another.
    for (let body = 1; body < absent.length; body++) {
      if (absent[body] === 1) poses.fill(3 * body, 7 * body, 7 * body + 3);
      else poses[7 * body]! += body % 4 === 0 ? 0.012 : -0.012;
    }
    const kept = await pipeline.detect({ poses, absent });
    const anew = await pipeline.detect({ poses, absent, restart: true });
    expect(listOf(kept)).toEqual(listOf(anew));
    expect(kept.pairs).not.toBe(anew.pairs);
    pipeline.destroy();
  });
});

describe('steps of a simulation', () => {
  it('have the same contacts with a list of pairs that is kept as with one of their own', async () => {
    const hulls = packing(CONVEX_SHAPES, { count: 60, seed: 5, size: 2.2 });
    const kept = await createOf(hulls, { margin: 0.05 });
    const poses = hulls.poses.slice();
    // No floor: pairs with planes are none of the list's.
    poses[2] = -100;
    const lists: number[] = [];
    for (let step = 0; step < 6; step++) {
      const found = await kept.detect({ poses });
      lists.push(found.pairs);
      expect(listOf(found)).toEqual(await allContacts({ ...hulls, poses }));
      for (let at = 7; at < poses.length; at += 7) poses[at + (at % 3)]! += 0.011 * (at % 2 === 0 ? 1 : -1);
    }
    // Two moves are within half the margin, a third is not.
    expect(new Set(lists.slice(0, 3)).size).toBe(1);
    expect(new Set(lists).size).toBeGreaterThan(1);
  });

  it.each([
    ['in a list that lives', { margin: 1, size: 0.004, turn: 0.004, together: 0 }],
    ['also of bodies that do not turn', { margin: 1, size: 0.02, turn: 0, together: 0 }],
    [
      'in lists made anew, of bodies that fly together',
      { margin: 0.03, size: 0.004, turn: 0.004, together: 0.02 },
    ],
    ['and bodies are so fast that nothing sleeps', { margin: 0.03, size: 0.1, turn: 0.1, together: 0 }],
  ])('have the same contacts where what is far from its partner sleeps, %s', async (_, own) => {
    const { margin, size, turn: most, together } = own;
    const steps = 24;
    const mesh = randomRock({ seed: 5, convex: false, triangles: 72, roughness: 0.3 });
    const rocks = packing([{ kind: 'plane' }, { kind: 'polyhedron', mesh }], { count: 8, seed: 3, size: 3 });
    const [kept, anew] = await Promise.all([0, 1].map(() => createOf(rocks, { margin })));
    const random = createRandom(5);
    const poses = rocks.poses.slice();
    const ways = Float64Array.from(
      poses,
      (_, i) => (i % 7 < 3 ? size : most) * (random() - 0.5) + (i >= 7 && i % 7 < 2 ? together : 0),
    );
    let [asked, askedAnew, changed] = [0, 0, 0];
    let before = '';
    for (let step = 0; step < steps; step++) {
      const found = await kept!.detect({ poses });
      const expected = await anew!.detect({ poses, restart: true });
      expect(listOf(found)).toEqual(listOf(expected));
      asked += found.nodesTested;
      askedAnew += expected.nodesTested;
      const keys = Array.from(found.features).join();
      if (keys !== before) changed++;
      before = keys;
      for (let at = 0; at < poses.length; at++) poses[at]! += ways[at]!;
      for (let at = 0; at < poses.length; at += 7) {
        const turn = poses.subarray(at + 3, at + 7);
        turn.set(quatd.normalize(turn));
      }
    }
    expect(changed).toBeGreaterThan(steps / 4);
    // A pair that is asked as a whole asks other nodes than one that keeps what it knows.
    if (size < margin) expect(asked).not.toBe(askedAnew);
    kept!.destroy();
    anew!.destroy();
  });

  it('wake what slept while stages ran for other poses and lists, as a detection on the GPU runs them', async () => {
    const mesh = randomRock({ seed: 5, convex: false, triangles: 72, roughness: 0.3 });
    const bodies = { shapes: Uint32Array.of(0, 0) };
    const posesOf = (way: number) => Float64Array.of(0, 0, 0, 0, 0, 0, 1, way, 0, 0, 0, 0, 0, 1);
    // Larger than all gaps, so the list lives; and smaller, so that it is made anew.
    for (const margin of [4, 0.02]) {
      const engine = await makeContactEngine(undefined, [{ kind: 'polyhedron', mesh }], { bodies, margin });
      const detect = async (way: number) => (await engine.cpu.detect({ poses: posesOf(way) }, {})).rows;
      const countOf = (rows: readonly ContactRows[]) => rows.reduce((sum, { count }) => sum + count, 0);
      expect(countOf(await detect(2.1))).toBe(0);
      await engine.stages.run({ nodes: { pairs: new Uint32Array(0) } }, posesOf(1.5), {});
      const mixed = countOf(await detect(1.5));
      engine.cpu.forget();
      expect(mixed).toBeGreaterThan(20);
      expect(countOf(await detect(1.5))).toBe(mixed);
    }
  });

  it('are the same bytes for a simulation that begins where another one restarts', async () => {
    const hulls = packing(CONVEX_SHAPES, { count: 60, seed: 5, size: 2.2 });
    const [saving, resumed, other] = await Promise.all([0, 1, 2].map(() => createOf(hulls, { margin: 0.1 })));
    const poses = hulls.poses.slice();
    const lists: number[][] = [];
    for (let step = 0; step < 9; step++) {
      const restart = step === 3;
      const found = await saving!.detect({ poses, restart });
      lists.push([found.pairs, (await other!.detect({ poses })).pairs]);
      if (step >= 3) {
        const again = await resumed!.detect({ poses });
        expect([again.pairs, listOf(again)]).toEqual([found.pairs, listOf(found)]);
      }
      for (let at = 7; at < poses.length; at += 7) poses[at + (at % 3)]! += 0.011 * (at % 2 === 0 ? 1 : -1);
    }
    // The list that is made anew is another one than the one that still serves.
    expect(lists[2]![0]).toBe(lists[2]![1]);
    expect(lists[3]![0]).not.toBe(lists[3]![1]);
  });

  it('tell which pairs of bodies began to touch, still do, and do no more', async () => {
    const shapes = [{ kind: 'sphere', radius: 1 }] as const;
    const pipeline = await ContactPipeline.create(undefined, shapes, {
      bodies: { shapes: new Uint32Array(4) },
    });
    const at = (...xs: number[]) => Float64Array.from(xs.flatMap((x) => [x, 0, 0, 0, 0, 0, 1]));
    const first = await pipeline.detect({ poses: at(0, 1.5, 3, 10) });
    expect(first.events).toBeUndefined();
    const second = await pipeline.detect({ poses: at(0, 1.5, 5, 6.5), previous: first });
    expect(second.events).toEqual({
      began: Uint32Array.of(2, 3),
      persisted: Uint32Array.of(0, 1),
      ended: Uint32Array.of(1, 2),
    });
    const third = await pipeline.detect({ poses: at(0, 10, 20, 30), previous: second });
    expect(third.count).toBe(0);
    expect(third.events!.ended).toEqual(Uint32Array.of(0, 1, 2, 3));
  });
});

describe('calls', () => {
  it('at once get each their own answer, of poses as they were when they were made', async () => {
    const pipeline = await createOf(scene);
    const poses = scene.poses.slice();
    const first = pipeline.detect({ poses });
    poses.subarray(7).fill(0.5);
    const second = pipeline.detect({ poses: scene.poses });
    expect(listOf(await first)).toEqual(expected);
    expect(listOf(await second)).toEqual(expected);
  });

  it('tell of all pairs in the end, also where the first slice takes them all', async () => {
    const pipeline = await createOf(scene);
    const progress: (readonly [number, number])[] = [];
    await pipeline.detect({
      poses: scene.poses,
      onProgress: (done, total) => progress.push([done, total]),
    });
    const [done, total] = progress.at(-1)!;
    expect(done).toBe(total);
    expect(total).toBeGreaterThan(0);
  });

  it('go by shapes and bodies as they were when the pipeline was asked for', async () => {
    const { shapes, bodies, poses } = packing([...ROCKS, ROCKS[2]!, CONVEX_SHAPES[4]!], {
      count: 12,
      seed: 5,
      size: 1.6,
    });
    const own = shapes.map((shape) => {
      return shape.kind === 'polyhedron' ? { ...shape, mesh: copyOf(meshOf(shape)) } : structuredClone(shape);
    });
    const ownBodies = structuredClone(bodies);
    const made = ContactPipeline.create(undefined, own, { bodies: ownBodies });
    spoil([own, ownBodies]);
    const pipeline = await made;
    expect(listOf(await pipeline.detect({ poses }))).toEqual(await allContacts({ shapes, bodies, poses }));
    pipeline.destroy();
  });

  it('end with the reason of a signal, before or while they work', async () => {
    const pipeline = await createOf(repeated(scene, COPIES), { threads: 1 });
    const { poses } = repeated(scene, COPIES);
    await expect(pipeline.detect({ poses, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow(
      'no',
    );
    const stop = new AbortController();
    const progress: (readonly [number, number])[] = [];
    const call = pipeline.detect({
      poses,
      signal: stop.signal,
      onProgress: (done, total) => {
        progress.push([done, total]);
        stop.abort(new Error('stopped'));
      },
    });
    await expect(call).rejects.toThrow('stopped');
    expect(progress).toHaveLength(1);
    expect(progress[0]![0]).toBeLessThan(progress[0]![1]);
    // The next call is none the worse.
    expect((await pipeline.detect({ poses })).count).toBe(COPIES * expected.count);
  });

  it('reject once the pipeline is destroyed, also those under way', async () => {
    const pipeline = await createOf(scene);
    const call = pipeline.detect({ poses: scene.poses });
    pipeline.destroy();
    pipeline.destroy();
    await expect(call).rejects.toThrow('this contact pipeline was destroyed; create a new one');
    await expect(pipeline.detect({ poses: scene.poses })).rejects.toThrow('was destroyed');
  });

  it.each<[object, string]>([
    [{ pose: 1 }, 'detect: unknown option "pose"'],
    [{ absent: new Uint8Array(7) }, 'absent: 7 numbers found, expected one per body, 96'],
    [{ absent: new Uint8Array(96).fill(2, 3) }, 'absent: body 3 has 2, expected 0 or 1'],
    [{ absent: [] }, 'absent: found an array of length 0, expected a Uint8Array of one number per body'],
    [{ backend: 'gpu' }, 'backend "gpu" needs a device: create the pipeline with one from openDevice()'],
    [{ backend: 'both' }, 'backend "both": expected one of auto, gpu, cpu'],
    [{ poses: new Float64Array(7) }, 'poses: 7 numbers found, expected 672'],
    [
      { previous: { count: '1', bodies: Uint32Array.of(0, 1) } as never },
      'previous.count: found "1", expected how many there are',
    ],
    [
      { previous: { count: 1, bodies: Uint32Array.of(1, 0) } },
      'previous.bodies: contact 0 is of bodies 1 and 0',
    ],
    [
      { previous: { count: 2, bodies: Uint32Array.of(0, 1) } },
      'previous.bodies: 2 numbers found, expected 2 per',
    ],
  ])('refuse %j', async (options, message) => {
    const pipeline = await createOf(scene);
    await expect(pipeline.detect({ poses: scene.poses, ...options })).rejects.toThrow(message);
  });

  it('have a default margin of the size of bodies, however far their meshes are from their own origin', async () => {
    const marginOf = async (positions: Float32Array) => {
      const mesh = new TriangleMesh({ positions, indices: rock.indices });
      const shapes: ContactShape[] = [{ kind: 'polyhedron', mesh, nodeSpacing: 1 }];
      return (await ContactPipeline.create(undefined, shapes, { bodies: { shapes: new Uint32Array(2) } }))
        .margin;
    };
    const rock = randomRock({ seed: 1, triangles: 80, convex: false });
    expect(await marginOf(rock.positions.map((x) => x + 1000))).toBeCloseTo(
      await marginOf(rock.positions),
      4,
    );
  });

  it('refuse names of what is not there', async () => {
    const names = { body: ['floor'] } as object;
    await expect(createOf(scene, { names })).rejects.toThrow(
      'names: unknown field "body", expected shapes, bodies',
    );
  });

  it('refuse a body that is too far away, by its name', async () => {
    const pipeline = await createOf(scene, { names: { bodies: ['floor', 'far one'] } });
    const poses = scene.poses.slice();
    poses[7] = 1e6;
    await expect(pipeline.detect({ poses })).rejects.toThrow(/^poses: far one: its position is \[1000000,/);
  });

  it('of no bodies, and of one, have no contacts', async () => {
    for (const count of [0, 1]) {
      const pipeline = await ContactPipeline.create(undefined, scene.shapes, {
        bodies: { shapes: new Uint32Array(count).fill(1) },
      });
      const poses = scene.poses.slice(0, 7 * count);
      expect(await pipeline.detect({ poses })).toMatchObject({ count: 0, pairs: 0, backend: 'cpu' });
    }
  });

  it('go on without workers that are lost', async () => {
    const many = repeated(scene, COPIES);
    const pipeline = await createOf(many);
    const pool = WorkerPool.get()!;
    const call = pipeline.detect({ poses: many.poses, onProgress: () => pool.fail(new Error('gone')) });
    expect((await call).count).toBe(COPIES * expected.count);
    expect(WorkerPool.get()).toBeUndefined();
    expect((await pipeline.detect({ poses: many.poses })).threads).toBe(1);
  });
});
