/** Reading `report.json`: every field that anybody uses is there and of its type, or the error says which is not. */
import { InputError } from '../index.ts';
import { PAIRS_SHAPE } from './pairs/pairs-shape.ts';
import { type BenchReport, BODY_SUITES, REPORT_VERSION } from './report.ts';
import { amount, fields, flag, list, oneOf, optional, record, spread, text } from './report-shapes.ts';

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
      name: oneOf(...BODY_SUITES),
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
  pairs: optional(PAIRS_SHAPE),
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
