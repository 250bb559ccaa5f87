/** What the page says in words and numbers. */
import type { Classification, MeshReport } from '../../src/index.ts';
import { element } from '../page/elements.ts';
import type { Answer } from './answer.ts';
import type { Subject } from './subject.ts';

/** Findings of a health report, with the colour in which their edges are drawn. */
const FINDINGS = [
  ['boundaryEdges', 'Boundary edges', '--open-edge'],
  ['oddEdges', 'Edges of 3, 5, … faces', '--open-edge'],
  ['nonManifoldEdges', 'Non-manifold edges', '--many-faced-edge'],
  ['wronglyOrientedEdges', 'Wrongly oriented edges', '--turned-edge'],
  ['extraVertexFans', 'Vertices with extra fans', undefined],
  ['duplicateFaces', 'Duplicate faces', undefined],
  ['degenerateFaces', 'Faces of zero area', undefined],
] as const satisfies readonly (readonly [keyof MeshReport, string, string | undefined])[];

const integer = new Intl.NumberFormat('en');
export const countText = (value: number) => integer.format(value);
const numberText = (value: number) => String(Number(value.toPrecision(5)));

/** @param subject undefined where there is none */
export function showSubject(subject: Subject | undefined): void {
  element('verdict').textContent = subject?.verdict ?? '';
  element('report').textContent = subject?.text ?? '';
  element('mesh-name').textContent = subject?.mesh.name ?? NONE;
  element('mesh-origin').textContent = subject ? originOf(subject) : '';
  element('health').replaceChildren(
    ...HEALTH.map(([label, text]) => row(label, subject ? text(subject.report) : NONE)),
  );
  if (subject) element('health').append(...findingsOf(subject.report));
}

/** What is said of all meshes. */
const HEALTH: readonly (readonly [string, (report: MeshReport) => string])[] = [
  ['Triangles', ({ triangles }) => countText(triangles)],
  ['Vertices', ({ vertices }) => countText(vertices)],
  ['Parts', ({ components }) => countText(components)],
  ['Area', ({ area }) => numberText(area)],
  ['Volume', ({ enclosedVolume: volume, oriented }) => (oriented ? numberText(volume!) : 'none')],
  ['Closed', ({ closed }) => yesNo(closed)],
  ['Manifold', ({ manifold }) => yesNo(manifold)],
  ['Oriented', ({ oriented }) => yesNo(oriented)],
];

function originOf({ mesh, saved }: Subject): string {
  if (saved) return `body file, ${saved.tables ? 'with' : 'without'} tables`;
  const { format, fileTriangles } = mesh.origin;
  return format === 'arrays' ? 'made here' : `${format}, ${countText(fileTriangles)} triangles`;
}

function findingsOf(report: MeshReport): readonly HTMLTableRowElement[] {
  return FINDINGS.filter(([name]) => report[name].count > 0).map(([name, label, colour]) => {
    const { count, examples } = report[name];
    const all = colour && examples.length < count ? `, ${countText(examples.length)} drawn` : '';
    const line = row(label, `${countText(count)}${all}`);
    if (colour) line.cells[0]!.prepend(swatch(colour));
    return line;
  });
}

type Rows = readonly (readonly [string, (one: Classification) => string])[];

/** A cell per method. */
const ANSWERS: Rows = [
  ['Method', ({ method }) => method],
  ['Done by', ({ backend }) => `the ${backend.toUpperCase()}`],
  ['Outside', ({ counts }) => countText(counts.outside)],
  ['Inside', ({ counts }) => countText(counts.inside)],
  ['Boundary', ({ counts }) => countText(counts.boundary)],
  ['Settled exactly', ({ resolvedExactly }) => countText(resolvedExactly)],
  ['Undecided', ({ undecided }) => countText(undecided)],
];
const SECONDS: Rows = [
  ['Build', ({ seconds }) => time(seconds.build)],
  ['Upload', ({ seconds }) => time(seconds.upload)],
  ['Classify', ({ seconds }) => time(seconds.classify)],
  ['Read back', ({ seconds }) => time(seconds.readback)],
  ['Exact predicates', ({ seconds }) => time(seconds.exact)],
  ['In all', ({ seconds }) => time(seconds.total)],
  ['Points/s once built', ({ seconds, counts }) => rate(counts.points / (seconds.total - seconds.build))],
];
const NONE = '–';

/** @param answer undefined where there is none */
export function showAnswer(answer: Answer | undefined): void {
  const { first, second, differing } = answer ?? {};
  const all = [first, second].filter((one) => one !== undefined);
  const fill = (id: string, rows: Rows) =>
    element(id).replaceChildren(
      ...rows.map(([label, text]) => row(label, ...(all.length > 0 ? all.map(text) : [NONE]))),
    );
  fill('answers', ANSWERS);
  fill('seconds', SECONDS);
  element('reason').textContent = first?.reason ?? '';
  element('differs').textContent =
    first && second
      ? `${countText(differing!.length)} of ${countText(first.counts.points)} flags differ.`
      : '';
  element('drawn').textContent = '';
  for (const name of ['outside', 'inside', 'boundary'] as const)
    element(`count-${name}`).textContent = countText(first?.counts[name] ?? 0);
}

/** How much of all was drawn, where it was not all. */
export function drawnText(drawn: number, all: number): string {
  return drawn < all ? `${countText(drawn)} of ${countText(all)} points drawn` : `${countText(all)} points`;
}

function time(seconds: number): string {
  if (seconds >= 1) return `${Number(seconds.toPrecision(3))} s`;
  return seconds === 0 ? '0' : `${Number((1000 * seconds).toPrecision(3))} ms`;
}

function rate(perSecond: number): string {
  return perSecond >= 1e6 ? `${(perSecond / 1e6).toFixed(2)} M` : countText(Math.round(perSecond));
}

function row(label: string, ...cells: readonly string[]): HTMLTableRowElement {
  const line = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = label;
  line.append(head);
  for (const text of cells) line.insertCell().textContent = text;
  return line;
}

function swatch(variable: string): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'swatch';
  mark.style.background = `var(${variable})`;
  return mark;
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
