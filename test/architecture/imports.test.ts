import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '../../src');
const demos = resolve(import.meta.dirname, '../../demos');

/** What each folder or file directly below src/ may import, besides its own files. Imports go one way. */
const allowed: Record<string, readonly string[]> = {
  'errors.ts': [],
  'constants.ts': [],
  'arguments.ts': ['errors.ts'],
  platform: ['errors.ts'],
  mesh: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform'],
  gpu: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform'],
  workers: ['platform'],
  inside: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'mesh', 'gpu', 'workers'],
  convex: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'mesh', 'gpu', 'workers'],
  broadphase: ['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'mesh', 'gpu', 'workers'],
  bounding: ['errors.ts', 'arguments.ts', 'constants.ts', 'mesh', 'workers', 'inside', 'convex'],
  contacts: [
    ...['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'mesh', 'gpu', 'workers'],
    ...['inside', 'convex', 'broadphase'],
  ],
  dem: [
    ...['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'mesh', 'gpu', 'workers'],
    ...['inside', 'convex', 'broadphase', 'contacts', 'bounding'],
  ],
  dae: ['errors.ts', 'constants.ts'],
  multibody: [
    ...[
      'errors.ts',
      'arguments.ts',
      'mesh',
      'gpu',
      'workers',
      'convex',
      'broadphase',
      'contacts',
      'dem',
      'dae',
    ],
  ],
  'worker.ts': ['platform', 'workers', 'inside', 'convex', 'broadphase', 'contacts', 'dem'],
  io: [
    'workers',
    'errors.ts',
    'arguments.ts',
    'constants.ts',
    'platform',
    'mesh',
    'inside',
    'convex',
    'contacts',
    'dem',
    'multibody',
  ],
  render: [
    ...['errors.ts', 'arguments.ts', 'constants.ts', 'platform', 'gpu', 'inside', 'convex', 'broadphase'],
    ...['contacts', 'io'],
  ],
  'index.ts': [
    'errors.ts',
    'mesh',
    'gpu',
    'inside',
    'convex',
    'bounding',
    'broadphase',
    'contacts',
    'dem',
    'multibody',
    'io',
    'render',
  ],
  bench: ['errors.ts', 'index.ts'],
  'chart.ts': [],
  validate: ['index.ts', 'chart.ts'],
  sweep: ['index.ts', 'chart.ts'],
  cli: ['index.ts', 'bench', 'validate', 'sweep', 'chart.ts'],
};

/** The same for the folders inside the large units. Files beside these folders are above or below all of them. */
const rooms: Record<string, Record<string, readonly string[]>> = {
  inside: {
    stream: [],
    potential: [],
    'ray-crossing': ['stream'],
    direct: ['potential'],
    multipole: ['potential'],
    clusters: ['potential', 'multipole'],
    'cell-grid': ['stream'],
    winding: ['stream', 'potential', 'direct', 'multipole', 'clusters', 'cell-grid'],
    'body-file': ['cell-grid'],
  },
  convex: {
    shapes: [],
    pair: ['shapes'],
    gjk: ['pair', 'shapes'],
    'separating-axes': ['pair', 'shapes'],
    epa: ['gjk', 'separating-axes', 'pair', 'shapes'],
    mpr: ['gjk', 'pair', 'shapes'],
    manifold: ['pair', 'shapes'],
    query: ['manifold', 'pair', 'shapes'],
    cpu: ['query', 'manifold', 'mpr', 'epa', 'separating-axes', 'pair', 'shapes'],
    gpu: ['query', 'manifold', 'pair', 'shapes'],
    batch: ['gpu', 'cpu', 'query', 'pair', 'shapes'],
  },
  contacts: {
    bodies: [],
    list: ['bodies'],
    surface: [],
    field: ['surface'],
    atlas: ['field', 'surface', 'bodies'],
    clusters: ['atlas', 'field', 'surface', 'bodies', 'list'],
    nodes: ['clusters', 'atlas', 'field', 'surface', 'bodies', 'list'],
    edges: ['clusters', 'nodes', 'atlas', 'field', 'surface', 'bodies', 'list'],
    patches: ['clusters', 'nodes', 'atlas', 'field', 'surface', 'bodies', 'list'],
    faces: ['surface', 'bodies', 'list'],
    convex: ['faces', 'bodies', 'list'],
    planes: ['faces', 'atlas', 'field', 'surface', 'bodies', 'list'],
    cpu: [
      'nodes',
      'edges',
      'patches',
      'convex',
      'planes',
      'faces',
      'atlas',
      'field',
      'surface',
      'bodies',
      'list',
    ],
    gpu: [
      'cpu',
      'clusters',
      'nodes',
      'edges',
      'patches',
      'convex',
      'planes',
      'faces',
      'atlas',
      'field',
      'surface',
      'bodies',
      'list',
    ],
    pipeline: ['gpu', 'cpu', 'faces', 'atlas', 'field', 'surface', 'bodies', 'list'],
  },
  bounding: {
    tree: [],
    distance: ['tree'],
    motion: ['distance', 'tree'],
  },
  dem: {
    motion: [],
    materials: [],
    mass: [],
    measures: ['scene', 'forces', 'motion'],
    checkpoint: ['motion'],
    forces: ['checkpoint', 'motion', 'materials'],
    scene: ['forces', 'motion', 'materials', 'mass'],
    monitors: ['scene', 'motion'],
    steps: ['monitors', 'forces', 'checkpoint', 'motion'],
    impulses: ['steps', 'forces', 'checkpoint', 'motion', 'materials'],
    complementarity: ['steps', 'monitors', 'scene', 'forces', 'checkpoint', 'motion'],
    cpu: ['steps', 'monitors', 'scene', 'forces', 'checkpoint', 'motion'],
    gpu: ['steps', 'monitors', 'scene', 'forces', 'checkpoint', 'motion', 'materials'],
    simulation: [
      ...[
        'gpu',
        'cpu',
        'impulses',
        'complementarity',
        'steps',
        'monitors',
        'scene',
        'forces',
        'checkpoint',
        'motion',
      ],
      'materials',
    ],
  },
  multibody: {
    scene: [],
    joints: ['scene'],
    equations: ['joints', 'scene'],
    contacts: ['equations', 'scene'],
    events: ['contacts', 'equations', 'scene'],
  },
};

/**
 * The same for the folders of demos/. What pages share is in `page` and `view`; the benchmark measures what others
 * show.
 */
const demoRooms: Record<string, readonly string[]> = {
  page: [],
  view: ['page'],
  bench: ['page', 'bulk', 'inside'],
  bulk: ['page', 'view'],
  inside: ['page', 'view'],
  'index.ts': ['page'],
};

/**
 * Files that may import more than their unit. For example, Chrome is unpacked in the same way as the software adapter.
 */
const exceptions: Record<string, readonly string[]> = {
  // A node's depth alone is no part of what users call. The command line takes these files as they are built.
  'bench/contacts/nodes.ts': ['contacts/field/polyhedron.ts', 'contacts/field/signed-distance.ts'],
  'cli/chrome/chrome.ts': ['platform/npm-carried.ts', 'platform/temporary.ts'],
  'cli/chrome/chrome-process.ts': ['platform/temporary.ts'],
  'cli/files.ts': ['platform/folders.ts'],
  // Lists of names, which no caller needs. Others of the library's own would load much for every `--help`.
  'cli/options.ts': ['gpu/backend.ts', 'inside/classification.ts'],
  'cli/contacts.ts': ['io/contact-formats.ts'],
  'cli/distance.ts': ['bounding/names.ts', 'constants.ts'],
  'cli/generate.ts': ['mesh/mesh-formats.ts'],
  'cli/pairs.ts': ['convex/manifold/manifold-rules.ts', 'convex/query/pair-kinds.ts'],
  'cli/winding.ts': ['inside/potential/potential.ts'],
  'cli/format.ts': ['errors.ts'],
  'cli/input.ts': ['platform/node-files.ts'],
  'cli/output.ts': ['platform/temporary.ts'],
  'cli/cluster/task-lock.ts': ['platform/temporary.ts'],
  // A sweep's file is checked as a scene's is.
  'sweep/parse-sweep.ts': ['io/scene/scene-fields.ts'],
  'sweep/pointer.ts': ['io/scene/scene-fields.ts'],
  'sweep/sweep.ts': ['io/scene/scene-fields.ts'],
};

/** Texts of source files by their names below src/. */
type Sources = ReadonlyMap<string, string>;

const filesBelow = (folder: string): Sources =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file).replaceAll('\\', '/'), readFileSync(file, 'utf8')]),
  );

const sources = filesBelow(source);

interface Import {
  /** What stands in the import. For files of src/ their name below it. */
  readonly target: string;
  /** When it is loaded: with the file, when the `import()` is reached, or never, since the compiler removes types. */
  readonly when: 'at once' | 'later' | 'never';
}

function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (target: string, when: Import['when']) => {
    const isFile = target.startsWith('.') && target.endsWith('.ts');
    found.push({ target: isFile ? posix.join(posix.dirname(file), target) : target, when });
  };
  for (const [, type, target] of text.matchAll(
    /^(?:import|export)( type\b)?(?:[^;'"]*? from)? ["']([^"']+)["']/gm,
  )) {
    add(target!, type === undefined ? 'at once' : 'never');
  }
  for (const [, type, target] of text.matchAll(/(\btypeof )?\bimport\(\s*["']([^"']+)["']/g)) {
    add(target!, type === undefined ? 'later' : 'never');
  }
  return found;
}

const unitOf = (file: string) => file.split('/')[0]!;

/** The rules. Each returns the units, files or imports that break it. */
const rules = {
  unknownUnits: (files: Sources) => [...files.keys()].filter((file) => !(unitOf(file) in allowed)),

  wrongWay: (files: Sources) =>
    [...files].flatMap(([file, text]) =>
      importsOf(file, text)
        .filter(({ target }) => {
          if (target !== '#platform' && !target.endsWith('.ts')) return false;
          const other = target === '#platform' ? 'platform' : unitOf(target);
          const unit = unitOf(file);
          return other !== unit && !allowed[unit]?.includes(other) && !exceptions[file]?.includes(target);
        })
        .map(({ target }) => `${file} imports ${target}`),
    ),

  wrongRoom: (files: Sources) =>
    [...files].flatMap(([file, text]) => {
      const [unit, room, ...rest] = file.split('/');
      const known = rooms[unit!];
      if (known === undefined || rest.length === 0) return [];
      if (known[room!] === undefined) return [`${file} is in an unknown folder`];
      return importsOf(file, text)
        .filter(({ target }) => {
          const [otherUnit, other, ...path] = target.split('/');
          return otherUnit === unit && path.length > 0 && other !== room && !known[room!]!.includes(other!);
        })
        .map(({ target }) => `${file} imports ${target}`);
    }),

  circles(files: Sources) {
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === 'done' || !files.has(file)) return;
      if (state.get(file) === 'open') {
        circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const { target } of importsOf(file, files.get(file)!)) visit(target, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files.keys()) visit(file, []);
    return circles;
  },

  nodeModules: (files: Sources) =>
    [...files]
      .filter(([file, text]) => importsOf(file, text).some(({ target }) => target.startsWith('node:')))
      .map(([file]) => file)
      .filter(
        (file) =>
          !file.startsWith('cli/') &&
          !/^platform\/(node|node-files|npm-carried|software-adapter|temporary|folders)\.ts$/.test(file),
      ),

  /** Kernels, TypeGPU, and files that name WebGPU's types, if they are loaded before there is a device. */
  kernelsAtOnce(files: Sources) {
    const wrong: string[] = [];
    for (const file of loadedAtOnce('index.ts', files)) {
      const text = files.get(file)!;
      for (const { target, when } of importsOf(file, text)) {
        if (when === 'at once' && /^typegpu\b|\.wgsl$/.test(target)) wrong.push(`${file} imports ${target}`);
      }
      if (!/^(gpu|platform)\//.test(file) && /\bGPU[A-Z]\w+/.test(text)) wrong.push(`${file} names WebGPU`);
    }
    return wrong;
  },

  /** `writeBuffer` of gpu/buffers.ts writes what WebGPU's own method cannot take everywhere. */
  ownWrites: (files: Sources) =>
    [...files]
      .filter(([file]) => !/^(gpu\/buffers|bench\/points\/copy)\.ts$/.test(file))
      .filter(([, text]) => /\.writeBuffer\(/.test(text))
      .map(([file]) => file),

  webGpuOutside: (files: Sources) =>
    [...files]
      .filter(
        ([file]) =>
          !/^(gpu|platform|inside|convex|broadphase|contacts|dem|render)\//.test(file) &&
          !/^(bench\/points\/copy|cli\/chrome\/gpu-memory)\.ts$/.test(file),
      )
      .filter(([, text]) => /\bGPU[A-Z]\w+/.test(text))
      .map(([file]) => file),
};

/** A file and all that its imports load before anything runs. */
function loadedAtOnce(file: string, files: Sources, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file) || !files.has(file)) return found;
  found.add(file);
  for (const { target, when } of importsOf(file, files.get(file)!)) {
    if (when === 'at once') loadedAtOnce(target, files, found);
  }
  return found;
}

describe('in src/', () => {
  it('every file belongs to a unit with known imports', () => {
    expect(rules.unknownUnits(sources)).toEqual([]);
  });

  it('imports go one way', () => {
    expect(rules.wrongWay(sources)).toEqual([]);
  });

  it('folders of the large units import one way', () => {
    expect(rules.wrongRoom(sources)).toEqual([]);
  });

  it('no files import each other in a circle', () => {
    expect(rules.circles(sources)).toEqual([]);
  });

  it('node: modules are imported only by the platform of Node and the command line', () => {
    expect(rules.nodeModules(sources)).toEqual([]);
  });

  it('only src/gpu and the host files of kernels speak WebGPU', () => {
    expect(rules.webGpuOutside(sources)).toEqual([]);
  });

  it('all writes into buffers go through one function', () => {
    expect(rules.ownWrites(sources)).toEqual([]);
  });

  it('kernels, and host files that speak WebGPU, are loaded when they are used', () => {
    expect(loadedAtOnce('index.ts', sources)).toContain('inside/cell-grid/cell-grid.ts');
    expect(rules.kernelsAtOnce(sources)).toEqual([]);
  });

  it('no exception to a rule is left over', () => {
    const used = new Set(
      [...sources].flatMap(([file, text]) => importsOf(file, text).map(({ target }) => `${file} ${target}`)),
    );
    const all = Object.entries(exceptions).flatMap(([file, targets]) =>
      targets.map((one) => `${file} ${one}`),
    );
    expect(all.filter((one) => !used.has(one))).toEqual([]);
  });
});

describe('in demos/', () => {
  const wrong = (files: Sources) =>
    [...files].flatMap(([file, text]) =>
      importsOf(file, text)
        // Those of src/ are above.
        .filter(({ target }) => target.endsWith('.ts') && !target.startsWith('../'))
        .filter(({ target }) => target.split('/')[0] !== file.split('/')[0])
        .filter(({ target }) => !demoRooms[file.split('/')[0]!]?.includes(target.split('/')[0]!))
        .map(({ target }) => `${file} imports ${target}`),
    );

  it('pages share page/ and view/, which import no page', () => {
    const files = filesBelow(demos);
    expect(files.size).toBeGreaterThan(10);
    expect([...files.keys()].filter((file) => !(file.split('/')[0]! in demoRooms))).toEqual([]);
    expect(wrong(files)).toEqual([]);
    expect(wrong(new Map([['view/stage.ts', "import { Run } from '../bulk/run.ts';"]]))).toHaveLength(1);
    expect(
      wrong(new Map([['page/address.ts', "import type { Stage } from '../view/stage.ts';"]])),
    ).toHaveLength(1);
  });

  it('only what draws imports three: no page loads it that does not draw', () => {
    const drawing = [...filesBelow(demos)]
      .filter(([, text]) => /from 'three/.test(text))
      .map(([file]) => file);
    expect(drawing.length).toBeGreaterThan(0);
    expect(drawing.filter((file) => !/^(view|bulk|inside)\//.test(file))).toEqual([]);
  });
});

/** The sources with one more line at the beginning of a file. */
const planted = (file: string, line: string): Sources =>
  new Map([...sources, [file, `${line}\n${sources.get(file) ?? ''}`]]);

describe('a fault that is planted is found', () => {
  it.each<[keyof typeof rules, string, string, RegExp]>([
    ['unknownUnits', 'new-folder/file.ts', '', /^new-folder/],
    ['wrongWay', 'mesh/weld.ts', "import { classifyPlan } from '../inside/plan.ts';", /^mesh\/weld/],
    ['wrongWay', 'mesh/weld.ts', 'import type { Plan } from "../inside/plan.ts";', /^mesh\/weld/],
    ['wrongWay', 'mesh/weld.ts', "const later = () => import('../inside/plan.ts');", /^mesh\/weld/],
    ['wrongWay', 'mesh/weld.ts', "export * from '../inside/plan.ts';", /^mesh\/weld/],
    ['wrongRoom', 'inside/multipole/tree.ts', "import '../winding/potential-cpu.ts';", /^inside\/multipole/],
    ['wrongRoom', 'convex/gjk/gjk-loop.ts', "import type { X } from '../epa/epa.ts';", /^convex\/gjk/],
    ['wrongRoom', 'convex/heap/new.ts', '', /unknown folder/],
    ['wrongWay', 'errors.ts', "import '#platform';", /^errors/],
    [
      'circles',
      'inside/exact.ts',
      "import { Polyhedron } from './polyhedron.ts';",
      /exact\.ts.*polyhedron\.ts/,
    ],
    ['nodeModules', 'io/npy.ts', "import { readFile } from 'node:fs/promises';", /^io\/npy/],
    [
      'kernelsAtOnce',
      'inside/polyhedron.ts',
      "import tgpu from 'typegpu';",
      /polyhedron\.ts imports typegpu/,
    ],
    [
      'kernelsAtOnce',
      'convex/cpu/pair-run.ts',
      "import { GpuPairs } from '../gpu/gpu-pairs.ts';",
      /gpu-pairs/,
    ],
    ['kernelsAtOnce', 'inside/plan.ts', "import '../../shaders/a.wgsl';", /plan\.ts imports .*a\.wgsl/],
    ['kernelsAtOnce', 'inside/plan.ts', 'let buffer: GPUBuffer;', /plan\.ts names WebGPU/],
    ['webGpuOutside', 'io/npy.ts', 'let buffer: GPUBuffer;', /^io\/npy/],
    ['ownWrites', 'gpu/bind.ts', 'queue.writeBuffer(buffer, 0, words);', /^gpu\/bind/],
  ])('%s: %s: %s', (rule, file, line, said) => {
    const found = rules[rule](planted(file, line));
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('\n')).toMatch(said);
  });
});
