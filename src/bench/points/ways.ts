/** The ways of scree that are compared. */
import {
  type Classification,
  type ClassifyOptions,
  type ClassifySeconds,
  type Device,
  POTENTIAL_KINDS,
  Polyhedron,
  type PolyhedronOptions,
  type PotentialKind,
  type StreamOptions,
  type TriangleMesh,
  type WindingOptions,
} from '../../index.ts';
import { clocked } from '../spread.ts';
import type { Answer, AskOptions, Prepared, Way } from './way.ts';

interface ScreeWay extends ClassifyOptions, PolyhedronOptions {
  /** Its tables depend on the number of points of a call. */
  readonly forPoints?: boolean;
  /** Points are handed over in chunks of so many, as those of a file would be. */
  readonly chunk?: number;
  /** What it is asked about instead of the body, whose flags then need not be the same. */
  readonly damage?: (mesh: TriangleMesh) => TriangleMesh;
  /** Winding numbers instead of flags, within a tolerance. */
  readonly tolerance?: WindingOptions['tolerance'];
}

/** @param device undefined for the CPU alone */
export function screeWay(device: Device | undefined, key: string, label: string, way: ScreeWay): Way {
  const { forPoints = false, damage } = way;
  const prepare: Way['prepare'] = (mesh, points, signal) =>
    prepareScree(device, damage?.(mesh) ?? mesh, way, { points: forPoints ? points : undefined, signal });
  return { key, label, kind: 'scree', forPoints, counted: damage !== undefined, prepare };
}

/** `points`: a call of so many is made with them; by default the tables serve any number. */
async function prepareScree(
  device: Device | undefined,
  mesh: TriangleMesh,
  { forPoints: _, damage, chunk, tolerance, threads, open, cellsPerAxis, ...options }: ScreeWay,
  { points, signal }: { readonly points: Float32Array | undefined; readonly signal: AbortSignal | undefined },
): Promise<Prepared> {
  const of = { threads, ...(open && { open }), ...(cellsPerAxis && { cellsPerAxis }) };
  const { seconds: check, result: polyhedron } = await clocked(() => Polyhedron.create(device, mesh, of));
  try {
    const call = { ...options, ...askOf({ signal }) };
    const asked = points ?? new Float32Array(0);
    // Where a part of the points is asked, the choice is still that for all.
    const expected = points && { expectedPoints: points.length / 3 };
    // A call without points builds the tables and nothing else; uploads count until they have arrived.
    const first = await clocked(async () => {
      const built = await (tolerance === undefined
        ? polyhedron.classify(asked, call)
        : polyhedron.windingNumber(asked, { ...windingOf(call), ...expected, tolerance }));
      if (built.backend === 'gpu') await device?.finished();
      return built;
    });
    const built = first.result;
    const expansion = 'degree' in built ? built : built.expansion;
    const { degree = 0, separation = 0, level = 0 } = expansion ?? {};
    return {
      check,
      build: points === undefined ? first.seconds : built.seconds.build,
      parts: ('expansion' in built && built.expansion?.setUpSeconds) || {},
      tableBytes: built.tableBytes,
      figures: expansion ? { degree, separation: Number.isFinite(separation) ? separation : 0, level } : {},
      async answer(some, ask = {}) {
        const own = { ...options, ...askOf(ask) };
        if (tolerance !== undefined) {
          return windingAnswer(await polyhedron.windingNumber(some, { ...windingOf(own), ...expected, tolerance }));
        }
        if (chunk !== undefined) return streamed(polyhedron, some, chunk, own);
        return answerOf(await polyhedron.classify(some, own));
      },
      destroy: () => polyhedron.destroy(),
    };
  } catch (error) {
    polyhedron.destroy();
    throw error;
  }
}

const askOf = ({ timestamps, signal }: AskOptions) => ({
  ...(timestamps && { timestamps }),
  ...(signal && { signal }),
});

/** What both kinds of calls know. */
function windingOf({ method, backend, degree, separation, depth, signal }: ClassifyOptions): WindingOptions {
  return {
    ...(POTENTIAL_KINDS.some((kind) => kind === method) && { method: method as PotentialKind }),
    ...(backend && { backend }),
    ...(degree && { degree }),
    ...(separation && { separation }),
    ...(depth !== undefined && { depth }),
    ...(signal && { signal }),
  };
}

function answerOf(
  result: Omit<Classification, 'seconds'> & { readonly seconds: Omit<ClassifySeconds, 'total'> },
): Answer {
  const { flags, seconds, resolvedExactly, gpuBytes, method, backend, reason } = result;
  const { upload, classify: kernel, readback, exact, gpu } = seconds;
  return {
    flags,
    seconds: { upload, kernel, readback, exact },
    ...(gpu !== undefined && { gpu }),
    ...{ resolvedExactly, gpuBytes, chosen: `${method}, ${backend}: ${reason}` },
  };
}

function windingAnswer(result: Awaited<ReturnType<Polyhedron['windingNumber']>>): Answer {
  const { values, bounds, seconds, sharpened, gpuBytes, method, backend, reason } = result;
  return {
    ...{ flags: undefined, winding: { values, bounds }, resolvedExactly: sharpened, gpuBytes },
    seconds: { upload: 0, kernel: seconds.evaluate, readback: 0, exact: seconds.sharpen },
    chosen: `${method}, ${backend}: ${reason}`,
  };
}

async function streamed(
  polyhedron: Polyhedron,
  points: Float32Array,
  chunk: number,
  { timestamps: _, ...options }: ClassifyOptions,
): Promise<Answer> {
  const flags = new Uint8Array(points.length / 3);
  const chunks = async function* () {
    for (let i = 0; i < points.length; i += 3 * chunk) yield points.subarray(i, i + 3 * chunk);
  };
  const stream = polyhedron.classifyStream(chunks(), options as StreamOptions);
  let done = 0;
  for await (const one of stream) {
    flags.set(one.flags, done);
    done += one.flags.length;
  }
  return answerOf({ ...stream.summary, flags });
}
