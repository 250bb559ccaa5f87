/** Meshes of a scene: from a file, by a generator, or vertices and triangles in the scene itself. */
import { found } from '../../arguments.ts';
import { InputError } from '../../errors.ts';
import { isBodyFile, readBody, type SavedBody } from '../../inside/body-file/body-file.ts';
import { openCellFoam } from '../../mesh/generate-foam.ts';
import { randomRock } from '../../mesh/generate-rock.ts';
import {
  type DrumOptions,
  drum,
  type ExtrusionOptions,
  extrusion,
  type RevolutionOptions,
  revolution,
} from '../../mesh/generate-solids.ts';
import { unitSphere } from '../../mesh/generate-sphere.ts';
import { type ThreadOptions, thread } from '../../mesh/generate-thread.ts';
import { TriangleMesh } from '../../mesh/triangle-mesh.ts';
import {
  type Fields,
  listAt,
  numberAt,
  numbersAt,
  objectAt,
  positiveAt,
  requireFields,
  SceneError,
  textAt,
} from './scene-fields.ts';

/** The bytes of a file that a scene names, by that name. */
export type ReadSceneFile = (file: string) => Promise<Uint8Array> | Uint8Array;

/** Fields of a shape that has a mesh. */
export const MESH_FIELDS = ['file', 'generate', 'vertices', 'triangles', 'scale'] as const;

/** Where a mesh can come from. */
const SOURCES = ['file', 'generate', 'vertices'] as const;

/** Bodies that scenes need no file for. Options and their bounds are those of the library's generators. */
const GENERATORS: Readonly<
  Record<string, { fields: readonly string[]; make: (options: Fields) => TriangleMesh }>
> = {
  rock: {
    fields: ['seed', 'triangles', 'roughness', 'convex'],
    make: (options) => randomRock({ seed: 1, convex: false, ...options }),
  },
  foam: {
    fields: ['seed', 'triangles', 'cells'],
    make: (options) => openCellFoam({ triangles: 10_000, ...options }),
  },
  sphere: {
    fields: ['refinements'],
    make: ({ refinements = 3 }) => unitSphere(refinements as number),
  },
  extrusion: {
    fields: ['outline', 'height'],
    make: (options) => extrusion(options as unknown as ExtrusionOptions),
  },
  revolution: {
    fields: ['profile', 'segments'],
    make: (options) => revolution(options as unknown as RevolutionOptions),
  },
  drum: {
    fields: ['radius', 'length', 'thickness', 'opening', 'lifters', 'lifterHeight', 'segments'],
    make: (options) => drum(options as unknown as DrumOptions),
  },
  thread: {
    fields: ['radius', 'depth', 'pitch', 'length', 'nutRadius', 'segments'],
    make: (options) => thread(options as unknown as ThreadOptions),
  },
};

/** What `use` makes of the mesh of a shape, or of the saved body that has it, and of the shape's scale. */
export async function withMesh<T>(
  shape: Fields,
  place: string,
  readFile: ReadSceneFile,
  use: (body: TriangleMesh | SavedBody, scale: number) => T,
): Promise<T> {
  const sources = SOURCES.filter((field) => shape[field] !== undefined);
  if (sources.length !== 1) {
    const has = sources.length === 0 ? 'no mesh' : sources.join(' and ');
    throw new SceneError(`${place} has ${has}, expected one of file, generate, or vertices with triangles`);
  }
  const source = sources[0]!;
  if (source !== 'vertices' && shape.triangles !== undefined) {
    throw new SceneError(`${place} has ${source} and triangles, expected triangles with vertices alone`);
  }
  const scale = shape.scale === undefined ? 1 : positiveAt(shape.scale, `${place}.scale`);
  try {
    return use(await readSource(shape, source, place, readFile), scale);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // A mesh in the scene itself is named by its place.
    throw new SceneError(source === 'vertices' ? error.message : `${place}.${source}: ${error.message}`);
  }
}

async function readSource(
  shape: Fields,
  source: (typeof SOURCES)[number],
  place: string,
  readFile: ReadSceneFile,
): Promise<TriangleMesh | SavedBody> {
  if (source === 'generate')
    return generated(objectAt(shape.generate, `${place}.generate`), `${place}.generate`);
  if (source === 'vertices') {
    return new TriangleMesh({
      positions: Float32Array.from(verticesOf(shape.vertices, `${place}.vertices`)),
      indices: trianglesOf(shape.triangles, `${place}.triangles`),
      name: place,
    });
  }
  const name = textAt(shape.file, `${place}.file`);
  const bytes = await readFile(name);
  if (isBodyFile(bytes)) return readBody(bytes, { name });
  // Readers of formats are for scenes that name files: a page whose scenes name none loads none of them.
  const { readMesh } = await import('../../mesh/read-mesh.ts');
  return readMesh(bytes, { name });
}

function generated(fields: Fields, place: string): TriangleMesh {
  const { kind, ...options } = fields;
  const generator =
    typeof kind === 'string' && Object.hasOwn(GENERATORS, kind) ? GENERATORS[kind] : undefined;
  if (generator === undefined) {
    throw new SceneError(`${place}.kind is ${found(kind)}, expected ${Object.keys(GENERATORS).join(', ')}`);
  }
  requireFields(fields, place, ['kind', ...generator.fields]);
  return generator.make(options);
}

/** Coordinates times the scale, rounded to float32 once. What a saved body has besides them is for scale 1 alone. */
export function scaledBody(body: TriangleMesh | SavedBody, scale: number): TriangleMesh | SavedBody {
  if (scale === 1) return body;
  const { positions, indices, name } = meshOf(body);
  return new TriangleMesh({ positions: positions.map((x) => x * scale), indices, name });
}

export function meshOf(body: TriangleMesh | SavedBody): TriangleMesh {
  return 'mesh' in body ? body.mesh : body;
}

/** The coordinates of vertices, given as `[x, y, z]` each or in one list. */
export function verticesOf(value: unknown, place: string): readonly number[] {
  const list = listAt(value, place);
  if (!list.some((vertex) => Array.isArray(vertex))) return list.map((x, i) => numberAt(x, `${place}[${i}]`));
  return list.flatMap((vertex, i) => numbersAt(vertex, `${place}[${i}]`, 3));
}

function trianglesOf(value: unknown, place: string): Uint32Array {
  const corners = listAt(value, place).flatMap((triangle, i) => numbersAt(triangle, `${place}[${i}]`, 3));
  const bad = corners.findIndex((corner) => !(Number.isInteger(corner) && corner >= 0 && corner < 2 ** 32));
  if (bad < 0) return Uint32Array.from(corners);
  const triangle = Math.floor(bad / 3);
  throw new SceneError(
    `${place}[${triangle}][${bad % 3}] is ${corners[bad]}, expected the number of a vertex, from 0`,
  );
}
