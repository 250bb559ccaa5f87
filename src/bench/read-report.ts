/** Reading `report.json`: every field that anybody uses is there and of its type, or the error says which is not. */
import { InputError } from '../index.ts';
import { type BenchReport, REPORT_VERSION, SUITE_NAMES } from './report.ts';

/** What is expected of a value: `check` throws where it is something else. */
type Shape = (value: unknown, at: string) => void;

function fail(at: string, found: unknown, expected: string): never {
  const what =
    found === undefined
      ? 'is missing'
      : `is ${typeof found === 'object' ? (Array.isArray(found) ? 'a list' : found === null ? 'null' : 'an object') : JSON.stringify(found)}`;
  throw new InputError(`${at} ${what}, expected ${expected}`);
}

const text: Shape = (value, at) => {
  if (typeof value !== 'string') fail(at, value, 'a text');
};
const flag: Shape = (value, at) => {
  if (typeof value !== 'boolean') fail(at, value, 'true or false');
};
const amount: Shape = (value, at) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(at, value, 'a number');
};
const oneOf =
  (...known: readonly (string | number)[]): Shape =>
  (value, at) => {
    if (!known.includes(value as string)) {
      fail(at, value, known.length === 1 ? JSON.stringify(known[0]) : `one of ${known.join(', ')}`);
    }
  };
const list =
  (item: Shape): Shape =>
  (value, at) => {
    if (!Array.isArray(value)) fail(at, value, 'a list');
    for (const [i, one] of (value as unknown[]).entries()) item(one, `${at}[${i}]`);
  };
const record =
  (item: Shape): Shape =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, value, 'an object');
    for (const [key, one] of Object.entries(value as object)) item(one, `${at}.${key}`);
  };
const optional =
  (shape: Shape): Shape =>
  (value, at) => {
    if (value !== undefined) shape(value, at);
  };
/** An object with at least these fields: more are for newer versions to have. */
const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, value, 'an object');
    for (const [key, shape] of Object.entries(shapes)) {
      shape((value as Record<string, unknown>)[key], at === '' ? key : `${at}.${key}`);
    }
  };

const spread: Shape = (value, at) => {
  fields({ min: amount, median: amount, max: amount, runs: amount })(value, at);
  const { min, median, max } = value as { min: number; median: number; max: number };
  if (!(min <= median && median <= max)) {
    throw new InputError(`${at} is ${min}, ${median}, ${max}, expected min <= median <= max`);
  }
};

const report = fields({
  date: text,
  commands: list(text),
  quick: flag,
  environment: fields({
    host: oneOf('node', 'browser'),
    ...{ runtime: text, platform: text, cpu: text, cores: amount, memoryBytes: amount },
    adapter: fields({ vendor: text, architecture: text, device: text, description: text, software: flag }),
    ...{ timestamps: flag, versions: record(text), loadBefore: amount },
  }),
  copyBytesPerSecond: spread,
  suites: list(
    fields({
      name: oneOf(...SUITE_NAMES),
      ways: list(fields({ key: text, label: text, kind: oneOf('scree', 'peer', 'yardstick') })),
      bodies: list(
        fields({
          name: text,
          series: oneOf('sphere', 'foam', 'other'),
          ...{ triangles: amount, vertices: amount },
          setUps: list(
            fields({
              ...{ way: text, points: amount, total: spread, parts: record(spread) },
              ...{ tableBytes: amount, gpuBytes: amount, figures: record(amount) },
            }),
          ),
          runs: list(
            fields({
              way: text,
              set: oneOf('grid', 'random', 'near'),
              points: amount,
              status: oneOf('measured', 'extrapolated', 'left-out'),
              ...{ measuredPoints: amount, reason: text, pointsPerSecond: spread },
              seconds: fields({
                ...{ total: spread, upload: spread, kernel: spread, readback: spread, exact: spread },
                gpu: optional(spread),
              }),
              ...{ ratioToPeer: amount, ratioToCopy: amount, chosen: text, resolvedExactly: amount },
              ...{ checked: amount, wrong: amount, gpuBytes: amount },
            }),
          ),
        }),
      ),
      findings: list(
        fields({
          ...{ source: text, statement: text, measured: text, why: text },
          agrees: oneOf('yes', 'no', 'not measured'),
        }),
      ),
    }),
  ),
  remarks: list(text),
});

/**
 * The report in the text of a `report.json`.
 *
 * @param name of the file, for messages
 * @throws InputError with the file's name if it is no JSON, no report of `scree bench`, of another version, or lacks a field.
 */
export function parseReport(json: string, name: string): BenchReport {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new InputError(
      `${name}: no JSON (${(error as Error).message.split('\n', 1)[0]}), expected a report.json of scree bench`,
      {
        cause: error,
      },
    );
  }
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  if (format !== 'scree-bench') {
    const found = format === undefined ? 'no field "format"' : `format ${JSON.stringify(format)}`;
    throw new InputError(
      `${name}: ${found} found, expected "scree-bench", as report.json of scree bench has it`,
    );
  }
  if (version !== REPORT_VERSION) {
    throw new InputError(
      `${name}: version ${JSON.stringify(version)} of the report found, expected ${REPORT_VERSION}: compare with the scree that made it, or run the benchmark again`,
    );
  }
  try {
    report(value, '');
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${name}: ${error.message}`);
    throw error;
  }
  return value as BenchReport;
}
