/**
 * Convex pairs, scenes and contacts in Chrome: an application built with Vite, on an isolated page, so that it has
 * worker threads.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chrome, launchChrome } from '../../src/cli/chrome/chrome.ts';
import { type PageServer, servePages } from '../../src/cli/chrome/page-server.ts';
import { ContactStatus } from '../../src/contacts/list/contact-arrays.ts';
import { ContactPipeline } from '../../src/contacts/pipeline/contact-pipeline.ts';
import { ConvexBatch } from '../../src/convex/batch/convex-batch.ts';
import type * as scree from '../../src/index.ts';
import { readScene } from '../../src/io/scene/scene.ts';
import { randomRock } from '../../src/mesh/generate-rock.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { manyPairs, manyShapes } from '../convex/scenes.ts';
import { buildApplication } from '../support/application.ts';
import { openPage } from '../support/open-page.ts';
import type * as pairsMadeOnDevice from '../support/pairs-made-on-device.ts';

declare const library: typeof scree;
declare const made: typeof pairsMadeOnDevice;

/** What the page loads: the library, and what makes bodies and pairs by a kernel. */
const madeModule = join(import.meta.dirname, '../support/pairs-made-on-device.ts');
const main = `
import * as scree from 'scree';
import * as made from ${JSON.stringify(madeModule)};
Object.assign(globalThis, { library: scree, made });
`;

const folder = mkdtempSync(join(tmpdir(), 'scree-pairs-'));
let server: PageServer;
let chrome: Chrome;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  await buildApplication(folder, main);
  writeScene(join(folder, 'out'));
  server = await servePages(join(folder, 'out'));
  chrome = await launchChrome({ adapter: 'software' });
  page = await openPage(chrome.browser);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', (response) => {
    if (!response.ok()) complaints.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(server.url);
  await page.waitForFunction('globalThis.library !== undefined');
});

afterAll(async () => {
  await chrome?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Rocks of a mesh file, boxes and the ground: a scene, and the file beside it. */
function writeScene(out: string): void {
  const rock = randomRock({ seed: 2, convex: false, triangles: 128 });
  const scene = {
    shapes: {
      ground: { kind: 'plane' },
      rock: { kind: 'polyhedron', file: 'meshes/rock.ply' },
      box: { kind: 'box', halfExtents: [0.9, 0.8, 0.7] },
    },
    bodies: [
      { shape: 'ground', group: 'ground', position: [0, 0, -2.4] },
      {
        shape: 'rock',
        mask: 'ground',
        rotation: 'random',
        grid: { counts: [3, 3, 3], spacing: 1.6, jitter: 0.1 },
      },
      { shape: 'rock', group: 'pair', mask: 'pair', position: [0, 9, 0] },
      { shape: 'rock', group: 'pair', mask: 'pair', position: [1.2, 9, 0] },
      {
        shape: 'box',
        group: 'boxes',
        mask: 'boxes',
        rotation: 'random',
        grid: { counts: [3, 3, 3], spacing: 1.6 },
      },
    ],
  };
  mkdirSync(join(out, 'scenes/meshes'), { recursive: true });
  writeFileSync(join(out, 'scenes/meshes/rock.ply'), encodeMesh(rock, 'ply'));
  writeFileSync(join(out, 'scenes/mixed.json'), JSON.stringify(scene));
}

describe('scenes in Chrome', () => {
  it('are read as in Node, and their contacts are the same bytes on any number of threads', async () => {
    const found = await page.evaluate(async () => {
      const scene = await library.readScene('scenes/mixed.json');
      const ask = async (threads?: number) => {
        const { bodies, names, shapes, poses } = scene;
        const options = { bodies, names, ...(threads !== undefined && { threads }) };
        const pipeline = await library.ContactPipeline.create(undefined, shapes, options);
        const contacts = await pipeline.detect({ poses });
        pipeline.destroy();
        return contacts;
      };
      const [one, many] = [await ask(1), await ask()];
      const [a, b] = [library.encodeContacts(one, 'npy'), library.encodeContacts(many, 'npy')];
      return {
        poses: [...scene.poses],
        same: a.length === b.length && a.every((byte, i) => byte === b[i]),
        kinds: [...many.kinds],
        distances: [...many.distances],
      };
    });
    const scene = await readScene(join(folder, 'out/scenes/mixed.json'));
    expect(found.poses).toEqual([...scene.poses]);
    expect(found.same).toBe(true);
    const { bodies, poses, shapes } = scene;
    const here = await (await ContactPipeline.create(undefined, shapes, { bodies })).detect({ poses });
    expect(new Set(found.kinds).size).toBe(4);
    expect(found.kinds).toEqual([...here.kinds]);
    // Engines round some functions differently.
    const far = found.distances.filter((x, i) => !(Math.abs(x - here.distances[i]!) <= 1e-9));
    expect(far).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('have the contacts of the CPU by kernels, within 2^-17 of a size, and the same bytes twice', async () => {
    const found = await page.evaluate(async () => {
      const { bodies, shapes, poses } = await library.readScene('scenes/mixed.json');
      const device = await library.openDevice();
      const pipeline = await library.ContactPipeline.create(device, shapes, { bodies });
      const [expected, first, second] = [
        await pipeline.detect({ poses, backend: 'cpu' }),
        await pipeline.detect({ poses, backend: 'gpu' }),
        await pipeline.detect({ poses, backend: 'gpu' }),
      ];
      pipeline.destroy();
      device.destroy();
      const [a, b] = [first, second].map((list) => library.encodeContacts(list, 'npy')) as [
        Uint8Array,
        Uint8Array,
      ];
      const keyed = ({ count, bodies, kinds, features, distances, statuses }: typeof first) =>
        Array.from({ length: count }, (_, i) => {
          const key = `${kinds[i]} ${bodies[2 * i]} ${bodies[2 * i + 1]} ${features[i]}`;
          return [key, { distance: distances[i]!, status: statuses[i]! }] as const;
        });
      return {
        backend: first.backend,
        same: a.length === b.length && a.every((byte, i) => byte === b[i]),
        kernels: keyed(first),
        float64: keyed(expected),
      };
    });
    expect(found).toMatchObject({ backend: 'gpu', same: true });
    expect(found.float64.length).toBeGreaterThan(100);
    // Size of a pair: the radii of both bodies and the way between them, which touch.
    const bound = 2 ** -17 * 5.6;
    for (const [own, others] of [
      [found.kernels, new Map(found.float64)],
      [found.float64, new Map(found.kernels)],
    ] as const) {
      // A contact of one list alone is shallower than the bound. Beyond the reach of tables, the triangle that a depth
      // is of may be another (`ContactStatus.deep`).
      const wrong = own.filter(([key, { distance, status }]) => {
        const other = others.get(key);
        const isDeep = status === ContactStatus.deep && other?.status === ContactStatus.deep;
        return !isDeep && !(Math.abs(distance - (other?.distance ?? 0)) <= bound);
      });
      expect(wrong).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
});

describe('convex pairs in Chrome', () => {
  it('are answered on worker threads, bit for bit as on one, and as in Node', async () => {
    const scene = manyPairs(4000);
    const here = await ConvexBatch.create(undefined, manyShapes, { threads: 1 });
    for (const kind of ['intersect', 'signed-distance', 'manifold'] as const) {
      const found = await page.evaluate(
        async (shapes, poses, pairs, bodies, kind) => {
          const query = {
            poses: Float64Array.from(poses),
            pairs: Uint32Array.from(pairs),
            shapes: Uint32Array.from(bodies),
            kind,
          };
          const answers = async (options: { threads?: number }) => {
            const batch = await library.ConvexBatch.create(undefined, shapes, options);
            const results = await batch.query(query);
            batch.destroy();
            return results;
          };
          const [one, many] = [await answers({ threads: 1 }), await answers({})];
          const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
            a.length === b.length && Array.from(a).every((x, i) => Object.is(x, b[i]));
          const names = [
            'distance',
            'lower',
            'upper',
            'normal',
            'pointA',
            'pointB',
            'status',
            'contacts',
          ] as const;
          return {
            ...{ isolated: crossOriginIsolated, cores: navigator.hardwareConcurrency },
            threads: [one.threads, many.threads],
            different: names.filter((name) => !same(one[name], many[name])),
            lengths: names.map((name) => many[name].length),
            status: [...many.status],
            distance: [...many.distance],
          };
        },
        manyShapes as scree.Shape[],
        [...scene.poses],
        [...scene.pairs],
        [...scene.shapes],
        kind,
      );
      expect(found.isolated).toBe(true);
      expect(found.threads).toEqual([1, Math.min(8, found.cores)]);
      expect(found.different).toEqual([]);
      const expected = await here.query({ ...scene, kind });
      expect(found.status).toEqual([...expected.status]);
      expect(found.lengths.at(-1)).toBe(expected.contacts.length);
      // Engines round some functions differently, Math.hypot above all. That changes a pair's size, and so when a
      // search ends.
      const far = found.distance.filter((x, i) => !(Math.abs(x - expected.distance[i]!) <= 10 * 2 ** -20));
      expect(far).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  // The case with the fewest kernels and that with the most: Chrome takes seconds to compile them.
  it.each([
    ['boxes and spheres', 'intersect'],
    ['concave bodies', 'manifold'],
  ] as const)(
    'made by a kernel, %s, %s: answered where they are, as a query with the same arrays answers',
    async (name, kind) => {
      const found = await page.evaluate(
        async (name, kind) => {
          const device = await library.openDevice();
          const { shapesMadeOnDevice, queryPairsMadeOnDevice } = made;
          const found = await queryPairsMadeOnDevice(library, device, shapesMadeOnDevice[name]!, kind);
          device.destroy();
          return found;
        },
        name,
        kind,
      );
      expect(found.complaints).toEqual([]);
      expect(found).toMatchObject({ kind, different: [], count: 700, needed: 700 });
      expect(found.open).toHaveLength(found.redone);
      expect(found.redone).toBeLessThan(35);
      if (kind !== 'intersect') expect(found.overlapping).toBeGreaterThan(70);
      expect(complaints).toEqual([]);
    },
  );
});
