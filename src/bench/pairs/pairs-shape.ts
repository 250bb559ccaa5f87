/** What suite `pairs` has to look like in a `report.json`. */
import { amount, fields, list, oneOf, optional, spread, text } from '../report-shapes.ts';
import { PAIR_QUESTIONS } from './pairs-report.ts';

const parts = fields({ upload: amount, kernel: amount, readback: amount, redo: amount });

const run = fields({
  ...{ way: text, question: oneOf(...PAIR_QUESTIONS), calls: fields({ mean: amount, highest: amount }) },
  ...{ undecided: amount, checked: amount, wrong: amount, disagreeing: amount },
  ...{ error: fields({ worst: amount, mean: amount }), meanDepth: amount, within: amount },
  ...{
    timedPairs: amount,
    seconds: spread,
    gpu: optional(spread),
    parts: optional(parts),
    pairsPerSecond: spread,
    ratioToPeer: amount,
  },
});

const setting = fields({
  ...{ probability: amount, intersecting: amount, cubeSide: amount, pairs: amount },
  ...{ meanDepth: amount, meanDistance: amount, runs: list(run) },
  proof: fields({ apart: amount, intersecting: amount, open: amount, depths: amount }),
});

export const PAIRS_SHAPE = fields({
  ways: list(
    fields({
      ...{ key: text, label: text, kind: oneOf('scree', 'peer', 'yardstick') },
      ...{ algorithm: text, precision: oneOf('float32', 'float64'), tolerance: optional(amount) },
    }),
  ),
  shapes: list(fields({ name: text, label: text, sizes: text, settings: list(setting) })),
  growth: optional(
    list(
      fields({
        ...{ shape: text, way: text, question: oneOf(...PAIR_QUESTIONS), probability: amount },
        ...{ pairs: amount, seconds: spread, parts, hostBytes: amount, gpuBytes: amount },
      }),
    ),
  ),
  findings: list(
    fields({
      ...{ source: text, statement: text, measured: text, why: text },
      agrees: oneOf('yes', 'no', 'not measured'),
    }),
  ),
});
