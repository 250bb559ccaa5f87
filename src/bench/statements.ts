/** Statements of papers beside what was measured here. */
import type { Finding } from './report.ts';

/** What was measured, and whether it is as stated; `agrees` is left out where no rule could tell. */
export interface Judged {
  readonly measured: string;
  readonly agrees?: boolean;
}

/** @param judge undefined where too little was measured to tell */
export function statement(source: string, text: string, judge: () => Judged | undefined): Finding {
  const judged = judge();
  const agrees = judged?.agrees === undefined ? 'not judged' : judged.agrees ? 'yes' : 'no';
  return {
    ...{ source, statement: text },
    measured: judged?.measured ?? 'Too little was measured to tell.',
    agrees: judged === undefined ? 'not measured' : agrees,
  };
}
