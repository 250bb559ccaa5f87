/** Statements of papers beside what was measured here. */
import type { Finding } from './report.ts';

/** What was measured, and whether it is as stated; `agrees` is left out where no rule could tell. */
export interface Judged {
  readonly measured: string;
  readonly agrees?: boolean;
}

/** @param judged undefined where too little was measured to tell */
export function finding(source: string, statement: string, judged: Judged | undefined): Finding {
  if (judged === undefined) {
    return { source, statement, measured: 'Too little was measured to tell.', agrees: 'not measured' };
  }
  const { measured, agrees } = judged;
  return { source, statement, measured, agrees: agrees === undefined ? 'not judged' : agrees ? 'yes' : 'no' };
}
