/** The mesh that the page shows, made here or read from a file, and its health. */
import {
  checkMesh,
  formatMeshReport,
  InputError,
  isBodyFile,
  type MeshReport,
  openCellFoam,
  parseMesh,
  randomRock,
  readBody,
  type SavedBody,
  TriangleMesh,
  unitSphere,
} from '../../src/index.ts';
import type { Choice, GeneratedName } from './question.ts';

export interface Subject {
  readonly mesh: TriangleMesh;
  /** What a body file has besides its mesh. */
  readonly saved: SavedBody | undefined;
  readonly report: MeshReport;
  /** The library's own words on it. */
  readonly text: string;
  /** The last line of these: which rules can be used, and what to do. */
  readonly verdict: string;
}

/** Edges that are drawn, at most of each kind, and those that the text names. */
const MOST_DRAWN = 20_000;
const MOST_NAMED = 5;
const SEED = 7;
/** Faces of the bowl end here, as a share of the rock's height. */
const RIM = 0.62;
/** Centres of damage, as directions, and how far it goes: the cosine of the angle. */
const TURNED = { direction: [0.75, -0.6, -0.28], cosine: 0.96 };
const TRIPLED = { direction: [-0.15, -0.95, -0.28], cosine: 0.975 };

/** A mesh that is made here. */
export function generatedMesh({ mesh, triangles }: Pick<Choice, 'mesh' | 'triangles'>): TriangleMesh {
  switch (mesh as GeneratedName) {
    case 'rock':
      return randomRock({ seed: SEED, convex: false, triangles });
    case 'foam':
      return openCellFoam({ triangles });
    case 'sphere':
      return unitSphere(Math.max(0, Math.round(Math.log2(triangles / 8) / 2)));
    case 'open':
      return bowl(triangles);
    case 'damaged':
      return damagedRock(triangles);
  }
}

/**
 * A mesh in any format that the library reads, or a body file, compressed or not.
 *
 * @throws InputError with the library's line where it is neither.
 */
export async function subjectOfFile(file: File): Promise<Subject> {
  const bytes = new Uint8Array(await contentOf(file));
  if (!isBodyFile(bytes)) return subjectOf(await parseMesh(bytes, { name: file.name }));
  const saved = await readBody(bytes, { name: file.name });
  return subjectOf(saved.mesh, saved);
}

/** Browsers give a folder that is dropped as a file, too, and a file may be gone by now. */
async function contentOf(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new InputError(`${file.name}: cannot be read, expected a file that is there, and no folder`);
  }
}

export function subjectOf(mesh: TriangleMesh, saved?: SavedBody): Subject {
  const report = checkMesh(mesh, { examples: MOST_DRAWN });
  const text = formatMeshReport(withFewExamples(report), mesh.name);
  const verdict = text.slice(text.lastIndexOf('\n') + 1).replace(/^ *verdict */, '');
  return { mesh, saved, report, text, verdict };
}

/** A rock without its upper part. */
function bowl(triangles: number): TriangleMesh {
  const { positions, indices, box } = randomRock({ seed: SEED, convex: false, triangles });
  const rim = box.min[2] + RIM * (box.max[2] - box.min[2]);
  const kept = facesOf(indices).filter((face) => face.every((v) => positions[3 * v + 2]! < rim));
  return new TriangleMesh({ positions, indices: Uint32Array.from(kept.flat()), name: 'open rock' });
}

/** A rock with some faces turned, and some there three times. All edges have an even number of faces. */
function damagedRock(triangles: number): TriangleMesh {
  const { positions, indices } = randomRock({ seed: SEED, convex: false, triangles });
  const faces = facesOf(indices).flatMap((face) => {
    const turned = [face[0]!, face[2]!, face[1]!];
    if (isTowards(positions, face[0]!, TURNED)) return [turned];
    return isTowards(positions, face[0]!, TRIPLED) ? [face, turned, face] : [face];
  });
  return new TriangleMesh({ positions, indices: Uint32Array.from(faces.flat()), name: 'damaged rock' });
}

function facesOf(indices: Uint32Array): number[][] {
  return Array.from({ length: indices.length / 3 }, (_, t) => [...indices.subarray(3 * t, 3 * t + 3)]);
}

function isTowards(positions: Float32Array, vertex: number, { direction, cosine }: typeof TURNED): boolean {
  const place = positions.subarray(3 * vertex, 3 * vertex + 3);
  const along = direction.reduce((sum, x, k) => sum + x * place[k]!, 0);
  return along > cosine * Math.hypot(...direction) * Math.hypot(...place);
}

/** The report with the places that a text has room for. */
function withFewExamples(report: MeshReport): MeshReport {
  const entries = Object.entries(report).map(([name, value]) => {
    const hasExamples = typeof value === 'object' && value !== null && 'examples' in value;
    return [name, hasExamples ? { ...value, examples: value.examples.slice(0, MOST_NAMED) } : value];
  });
  return Object.fromEntries(entries) as MeshReport;
}
