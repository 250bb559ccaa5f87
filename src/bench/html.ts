/** The report as a page. */
import { ScreeError } from '../index.ts';
import type { BenchReport } from './report.ts';

export function reportHtml(_report: BenchReport): string {
  throw new ScreeError('report.html cannot be made by this build', 1);
}
