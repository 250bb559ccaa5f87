/** What a newcomer meets: the package in a folder of its own, README from top to bottom, and each example. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { scree, temporaryFolder } from './cli/scree.ts';
import { installPackage } from './support/package.ts';

const root = resolve(import.meta.dirname, '..');
const folder = temporaryFolder();
let entry: string;

beforeAll(async () => {
  entry = await installPackage(folder, []);
});

/** What each example prints. */
const prints: Record<string, RegExp> = {
  'collisions.mjs':
    /^1 Float64Array\(3\) \[ -?0, -?0, -142\d{3}\.\d+ \]\nUint8Array\(4\) \[ 1, 0, 1, 0 \] 0\.7998\d+\n$/,
  'contacts-on-device.mjs': /^1999 1999 1000 -0\.125\n$/,
  'contacts.mjs': /^0\.\d+\nUint32Array\(2\) \[ 1, 2 \]\n$/,
  'device.mjs': /^(true|false) \d+\n\S.*\n$/,
  'drag.mjs': /^2 -0\.\d+\n$/,
  'draw-from-buffers.mjs': /^\d{5,6}\n$/,
  'manifolds.mjs': /^-0\.3\d+\n$/,
  'mechanism.mjs': /^\[ 'world-body 0' \] Float64Array\(1\) \[ \d\.\d+ \]\n-?\d\S* 1\n$/,
  'mesh-distance.mjs': /^1\.\d+ from \S+ on triangle \d+ to \S+ on triangle \d+\nbetween \d\S* and \d\S*\n$/,
  'nodes-inside.mjs':
    /^Uint32Array\(3\) \[ 0, \d+, \d+ \]\nUint32Array\(\d+\)[^U]*Uint8Array\(\d+\)[\s\d,.[\]a-z]*\n$/,
  'open-mesh.mjs': /^\{ points: 8000, outside: \d+, inside: \d+, boundary: 0 \} 0\n-?\d\S* \d\S*\n$/,
  'own-law.mjs': /^-?\d\S*\n$/,
  'pairs-on-device.mjs': /^999 -0\.25\d* 1 0\n$/,
  'pairs.mjs': /^Float64Array\(1\) \[ -?\d[\d.]* \]\nFloat64Array\(3\).*\n(true|false)\n$/s,
  'picture.mjs': /^600 400 960000\n$/,
  'points-on-device.mjs': /^\d+ \d{5}\n$/,
  'points.mjs': /points: 64000,\s+outside: \d+,\s+inside: \d+/,
  'save-body.mjs': /^\{ points: 8000, outside: \d+, inside: \d+, boundary: 0 \}\n$/,
  'save-contacts.mjs': /^2048\n$/,
  'simulation.mjs': /^0\.\d+ Float64Array\(14\) \[[^\]]*\] \d+\.\d+\n$/,
  'stream.mjs': /^7 \{ points: 125000, outside: \d+, inside: \d+, boundary: \d+ \}\n$/,
  'watch.mjs': /^\{ points: 216000, outside: \d+, inside: \d+, boundary: \d+ \}\n$/,
};

/** Each script of demos/, with its arguments, and what has to be true of what it prints. */
const scripts: Record<
  string,
  { before?: () => Promise<unknown>; args: string[]; check: (printed: string) => void }
> = {
  'chain-residuals.mjs': {
    args: ['1'],
    check(printed) {
      const rows = [...printed.matchAll(/^\| (\d+) \| (\d+) \|$/gm)];
      expect(rows.map(([, links]) => Number(links))).toEqual([4, 8, 16, 32, 64, 128, 256]);
    },
  },
  'contact-errors.mjs': {
    args: ['0'],
    check(printed) {
      expect(printed.match(/^\| (rebound height|speed of the last ball) \| Rapier/gm)).toHaveLength(2 * 9);
      const errors = [...printed.matchAll(/ Multibody, 1e-10 \| (\S+) \|/g)].map(([, error]) =>
        Number(error),
      );
      expect(errors).toHaveLength(2);
      expect(Math.max(...errors)).toBeLessThan(1e-6);
    },
  },
  'force-network.mjs': {
    before: () => {
      const scene = join(root, 'demos/scenes/stack.json');
      const run = ['simulate', scene, '--out', 'stack', '--npy', '--frames', '1', '--duration', '2e-3'];
      return scree([...run, '--no-series', '--no-picture', '--quiet'], { cwd: folder, entry });
    },
    args: ['stack/bodies-000000000.npy', 'forces.svg'],
    check(printed) {
      expect(printed).toMatch(/^forces\.svg: \d+ pairs of 10 bodies, \S+ at most\n$/);
      const svg = readFileSync(join(folder, 'forces.svg'), 'utf8');
      expect(svg.match(/<circle /g)).toHaveLength(10);
      expect(svg).not.toContain('NaN');
    },
  },
  'mechanism-errors.mjs': {
    args: ['0.1'],
    check(printed) {
      const rows = printed
        .trim()
        .split('\n')
        .slice(2)
        .map((line) => line.split('|').map((cell) => cell.trim()));
      expect(rows).toHaveLength(2 * (8 + 9));
      // Each tolerance of Multibody is met within a hundred times itself.
      for (const [, , by, error] of rows)
        if (by!.startsWith('scree')) expect(Number(error)).toBeLessThan(100 * Number(by!.split(', ')[1]));
    },
  },
  'motion-misses.mjs': {
    args: ['110'],
    check(printed) {
      const rows = printed
        .trim()
        .split('\n')
        .slice(2)
        .map((line) => line.split('|').slice(2, -1).map(Number));
      expect(rows.flat().reduce((sum, n) => sum + n)).toBe(110);
      for (const [, met, , , ...wrong] of rows) {
        expect(met, printed).toBeGreaterThan(0);
        expect(wrong, printed).toEqual([0, 0, 0]);
      }
    },
  },
  'open-scan.mjs': {
    args: ['open-scan.ply'],
    check(printed) {
      expect(printed).toMatch(/^open-scan\.ply: \d+ triangles, \d+ missing$/m);
      expect(readFileSync(join(folder, 'open-scan.ply')).byteLength).toBeGreaterThan(1e6);
    },
  },
  'own-integrator.mjs': {
    args: ['0.3'],
    check(printed) {
      const [head, ...lines] = printed.trimEnd().split('\n');
      expect(head).toMatch(/^time\/s +kinetic\/J +potential\/J +elastic\/J +contacts$/);
      const rows = lines.map((line) => line.trim().split(/ +/).map(Number));
      expect(rows.map(([time]) => time)).toEqual([0, 0.1, 0.2, 0.3]);
      const energies = rows.map(([, kinetic, potential, elastic]) => kinetic! + potential! + elastic!);
      // Free fall keeps it within the integrator's error, m g^2 t dt / 2. What touches loses some.
      expect(Math.abs(energies[2]! / energies[0]! - 1)).toBeLessThan(0.002);
      expect(energies[3]!).toBeLessThan(energies[2]!);
      expect(rows.map(([, , , , contacts]) => contacts! > 0)).toEqual([false, false, false, true]);
    },
  },
  'polyhedra-in-a-box.mjs': {
    args: ['8', '30'],
    check(printed) {
      const [line, steps, contacts] =
        /^8 polyhedra of 26 vertices: 30 steps in [\d.]+ s, (\d+) body-steps\/s, (\d+) contacts, time step/.exec(
          printed,
        )!;
      expect(line.length, printed).toBeGreaterThan(0);
      expect([Number(steps) > 0, Number(contacts) > 0]).toEqual([true, true]);
    },
  },
  'poses-from-npy.mjs': {
    args: [],
    check(printed) {
      expect(printed).toMatch(
        /^(scree-out[/\\]contacts-00\d\.npy: \d+ contacts; \d+ pairs began, \d+ ended\n){5}$/,
      );
    },
  },
  'screwdriver.mjs': {
    args: ['1', 'none'],
    check(printed) {
      const rows = [...printed.matchAll(/^\| \d+ \| (\d+) \| (\S+) \| \d+ \| \d+ \| (\S+) \| \d+ \|$/gm)];
      expect(rows, printed).toHaveLength(1);
      const [, seated, off, differ] = rows[0]!.map(Number);
      expect(seated).toBeGreaterThan(0);
      // Millimetres: what float32 makes of the wings is 1e-7 by 1 / tan beta.
      expect(off).toBeLessThan(1e-3);
      expect(differ).toBeLessThan(1e-6);
      expect(printed).toMatch(/^bolt: 0\.0\d+ mm beside the axis of its hole, [3-9]\.\d+ mm deep$/m);
    },
  },
  'step-times.mjs': {
    args: ['rocks', '8', '30', '5'],
    check(printed) {
      const [line, rate] =
        /^8 rocks, \d+ contacts: [\d.]+ ms of processor time a step, (\d+) body-steps\/s\n/.exec(printed)!;
      expect([line!.length > 0, Number(rate) > 0]).toEqual([true, true]);
      expect(printed).toMatch(/^nodes +[\d.]+ %$/m);
    },
  },
  'wind-sifter.mjs': {
    args: ['0.6', 'sifter', '--no-picture'],
    check(printed) {
      const row = /^radius \S+ m: (\d+) down, (\S+) m downwind; path off by (\S+) m at most$/gm;
      const rows = [...printed.matchAll(row)].map((match) => match.slice(1).map(Number));
      expect(rows, printed).toHaveLength(3);
      const [small, middle, large] = rows.map(([, way]) => way!);
      expect([small! > middle!, middle! > large!]).toEqual([true, true]);
      for (const [down, , off] of rows) {
        expect(down).toBeGreaterThan(0);
        // Drag lags by 2 ms at most, and grains come to 5 m/s.
        expect(off).toBeLessThan(0.01);
      }
      expect(readFileSync(join(folder, 'sifter.svg'), 'utf8').match(/<circle /g)!.length).toBeGreaterThan(15);
    },
  },
};

const examples = new Map(
  // Those in Python have tests of their own: test/cli/serve.test.ts.
  readdirSync(join(root, 'examples'))
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => [name, readFileSync(join(root, 'examples', name), 'utf8')]),
);
const page = (name: string) => readFileSync(join(root, name), 'utf8');
const blocksOf = (text: string, language = '(?:js|ts)') =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map((match) => match[1]!);
/** Pages with code for those who use the package. That of gpu-layer.md is about the sources. */
const PAGES = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md') && name !== 'gpu-layer.md')
  .map((name) => `docs/${name}`);

describe('an example runs as it stands', () => {
  it('and each is known here', () => {
    expect([...examples.keys()].toSorted()).toEqual(Object.keys(prints));
  });

  it.each(Object.entries(prints))('%s', async (name, said) => {
    copyFileSync(join(root, 'examples', name), join(folder, name));
    const { stdout } = await promisify(execFile)(process.execPath, [name], { cwd: folder });
    expect(stdout).toMatch(said);
  });
});

describe('a script of demos/ runs as it stands', () => {
  it('and each is known here', () => {
    const shared = ['arguments.mjs'];
    expect(readdirSync(join(root, 'demos', 'scripts')).toSorted()).toEqual([
      ...shared,
      ...Object.keys(scripts),
    ]);
  });

  it.each(Object.entries(scripts))('%s', async (name, { before, args, check }) => {
    await before?.();
    const file = join(root, 'demos', 'scripts', name);
    const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder });
    check(stdout);
  });

  it.each([
    ['wind-sifter', ['--no-picture', 'soon'], 'seconds: found "soon", expected a number above 0'],
    ['step-times', ['constructor'], 'kind: found "constructor", expected spheres, hulls or rocks'],
    ['step-times', ['rocks', '1e3.5'], 'bodies: found "1e3.5", expected a whole number, 1 or more'],
    ['contact-errors', [''], 'steps: found "", expected a whole number, 0 or more'],
    ['motion-misses', ['9', '-1'], 'first seed: found "-1", expected a whole number, 1 or more'],
  ])('but %s refuses %j', async (name, words, line) => {
    const file = join(root, 'demos', 'scripts', `${name}.mjs`);
    const refused = await promisify(execFile)(process.execPath, [file, ...words], { cwd: folder }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(refused).toMatchObject({ code: 2, stderr: `${name}: ${line}\n` });
  });
});

describe('code of the pages', () => {
  it.each([
    ['5.9', 'typescript-5'],
    ['6', 'typescript'],
  ])('compiles in strict TypeScript %s', async (_, compiler) => {
    const project = join(folder, compiler);
    mkdirSync(project);
    for (const [name, text] of examples) writeFileSync(join(project, name.replace('.mjs', '.mts')), text);
    const compilerOptions = {
      ...{ target: 'ES2023', lib: ['ES2023', 'DOM'], module: 'NodeNext', strict: true, noEmit: true },
      // As `tsc --init` sets them.
      ...{ exactOptionalPropertyTypes: true, verbatimModuleSyntax: true, isolatedModules: true },
      // Beside the DOM library of version 6, @webgpu/types needs it.
      ...{ types: ['node', '@webgpu/types'], skipLibCheck: true },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', project]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});

describe('pages show examples as they are', () => {
  it('README.md: whole', () => {
    const shown = blocksOf(page('README.md'));
    expect(shown).toHaveLength(4);
    for (const block of shown) expect([...examples.values()]).toContain(block);
  });

  it.each(PAGES)('%s: whole or in part', (name) => {
    for (const block of blocksOf(page(name))) {
      expect(
        [...examples.values()].filter((text) => text.includes(block)),
        block,
      ).not.toEqual([]);
    }
  });

  it('each is on a page', () => {
    const pages = ['README.md', ...PAGES].map(page).join('\n');
    for (const [name, text] of examples) {
      const isShown = blocksOf(pages).some((block) => text.includes(block));
      expect(isShown, name).toBe(true);
    }
  });
});

it("README's command lines can be pasted one after another", async () => {
  const own = join(folder, 'pasted');
  mkdirSync(own);
  const lines = blocksOf(page('README.md'), 'sh').flatMap((block) =>
    block.split('\n').filter((line) => line.startsWith('scree ')),
  );
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    const args = line.replace(/#.*/, '').trim().split(/ +/).slice(1);
    // Drawing has tests of its own, and takes a software adapter seconds. A part of the time shows as much as all.
    const shorter = ['--no-picture', '--duration', '0.02'];
    const more = args[0] === 'simulate' ? ['--quiet', ...shorter] : ['--quiet'];
    expect(await scree([...args, ...more], { cwd: own, entry }), line).toMatchObject({
      code: 0,
      stderr: '',
    });
  }
  const written = ['flags.vtp', 'slice.svg', 'flags.npy', 'winding.npy', 'contacts.json', 'contacts.vtp'];
  expect(readdirSync(own)).toEqual(expect.arrayContaining(written));
  expect(readdirSync(join(own, 'cradle'))).toContain('series.pvd');
});

it("README's first block works where there is no WebGPU, and says so", async () => {
  const [block] = blocksOf(page('README.md'));
  const own = temporaryFolder();
  await installPackage(own, ['webgpu']);
  writeFileSync(join(own, 'block.mjs'), block!);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['block.mjs'], { cwd: own });
  expect(stderr).toMatch(/^WebGPU is not available in this Node: [^\n]*npm install webgpu [^\n]*\n$/);
  expect(stdout).toMatch(/\ncpu undefined\n$/);
});

it('the tutorial, from its first line to its last', async () => {
  const own = join(folder, 'tutorial');
  mkdirSync(own);
  const blocks = [...page('docs/tutorial.md').matchAll(/^```(sh|json \S+)\n(.*?)^```$/gms)];
  expect(blocks).toHaveLength(5);
  for (const [, kind, text] of blocks) {
    if (kind !== 'sh') {
      writeFileSync(join(own, kind!.slice('json '.length)), text!);
      continue;
    }
    for (const line of text!.trimEnd().split('\n')) {
      const args = line.split(' ').slice(1);
      const more = args[0] === 'simulate' ? ['--quiet', '--no-picture'] : ['--quiet'];
      expect(await scree([...args, ...more], { cwd: own, entry }), line).toMatchObject({
        code: 0,
        stderr: '',
      });
    }
  }
  const rows = readFileSync(join(own, 'hopper/monitors.csv'), 'utf8').trimEnd().split('\n');
  const outflow = rows[0]!.split(',').indexOf('outflow');
  // Grains have left the hopper by then.
  expect(Number(rows.at(-1)!.split(',')[outflow])).toBeGreaterThan(0);
  const [head, ...runs] = readFileSync(join(own, 'study/table.csv'), 'utf8').trimEnd().split('\n');
  expect(head).toMatch(/,outflow last,kinetic last$/);
  // What the page says of friction.
  const [slippery, rough] = runs.map((row) => Number(row.split(',').at(-2)));
  expect(slippery).toBeGreaterThan(rough!);
  expect(readdirSync(join(own, 'study'))).toContain('plots.svg');
});
