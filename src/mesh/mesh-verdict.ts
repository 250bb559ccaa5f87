// What people are told about a mesh's health: the report of `scree check`, and the one line with which a method
// refuses a mesh that its rule cannot use.
import { requireObject, requireText } from '../arguments.ts';
import { isBalanced } from './balance.ts';
import { type EdgePlace, findEdges, isBoundary, isWronglyOriented, type MeshReport } from './check-mesh.ts';
import { buildEdgeTable } from './edges.ts';
import type { Vector3 } from './mass-properties.ts';
import type { Findings } from './topology.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** Nine significant decimal digits tell any two float32 numbers apart. */
const FLOAT32_DIGITS = 9;
/** Significant digits of sums and integrals in the report; the full numbers are in the `MeshReport`. */
const REPORT_DIGITS = 7;
/** Sums over a mesh below this, relative to its size, are rounding: the report writes 0. */
const ROUNDING = 1e-12;

const CLOSE_IT = 'close the holes, weld the vertices with a tolerance';
const TURN_IT = 'turn the faces so that all look outwards';
/** The rule under which every mesh has an answer, and how scripts switch this check off. */
const WINDING = 'use rule winding';
const IN_A_SCRIPT = 'in a script with { open: true }';

/**
 * Says in one line why a mesh cannot be used with a rule, and what to do. Undefined if it can be used. Rule `odd`
 * (inside is an odd number of crossings) needs every edge to have an even number of faces. Rule `nonzero` (inside is a
 * winding number other than zero) needs every edge to be traversed as often in each direction. Rule `winding` can use
 * any mesh.
 */
export function surfaceDefect(mesh: TriangleMesh, rule: 'odd' | 'nonzero'): string | undefined {
  if (isBalanced(mesh.indices, mesh.vertexCount)) return undefined;
  const edges = buildEdgeTable(mesh.indices, mesh.vertexCount);
  const boundary = findEdges(mesh, edges, 1, isBoundary);
  const odd = findEdges(mesh, edges, 1, (faces) => faces > 1 && faces % 2 === 1);
  if (boundary.count > 0 || odd.count > 0) {
    return (
      `${mesh.name}: the surface is open: ${openEdges(boundary, odd)}; ` +
      `${CLOSE_IT}, or ${WINDING} (${IN_A_SCRIPT}); \`scree check\` shows where`
    );
  }
  if (rule === 'odd') return undefined;
  const wrong = findEdges(mesh, edges, 1, isWronglyOriented);
  if (wrong.count === 0) return undefined;
  return (
    `${mesh.name}: the surface is not consistently oriented, as rule nonzero needs: ${unbalancedEdges(wrong)}; ` +
    `use rule odd or winding, or ${TURN_IT} (\`scree check\` shows where)`
  );
}

/**
 * The report as aligned lines for a terminal, without a final newline: what the mesh is, what is wrong with it and
 * where, and on the last line with which rule it can be used and what to do.
 *
 * @param name what to call the mesh, usually its file
 */
export function formatMeshReport(report: MeshReport, name: string): string {
  requireObject('formatMeshReport: report', report, 'what checkMesh gave');
  requireObject('formatMeshReport: report', report.boundingBox, 'what checkMesh gave');
  requireText('formatMeshReport: name', name, 'a text');
  const { boundingBox, centroid, inertia, enclosedVolume } = report;
  const lines = [name];
  const row = (label: string, value: string) => lines.push(`  ${label.padEnd(LABEL_WIDTH)}${value}`);
  row('triangles', `${report.triangles}`);
  row(
    'vertices',
    report.unusedVertices === 0
      ? `${report.vertices}`
      : `${report.vertices} and ${report.unusedVertices} unused`,
  );
  row('components', `${report.components}`);
  row('Euler characteristic', `${report.eulerCharacteristic}`);
  if (report.triangles > 0)
    row('box', `${formatPosition(boundingBox.min)} to ${formatPosition(boundingBox.max)}`);
  row('area', formatNumber(report.area));
  if (!report.closed) row('enclosed volume', 'none: the surface is open');
  else if (!report.oriented) row('enclosed volume', 'unknown: the surface is not consistently oriented');
  else {
    row(
      'enclosed volume',
      `${formatNumber(enclosedVolume!)}${enclosedVolume! < 0 ? ' (inside out: faces look inwards)' : ''}`,
    );
    if (centroid !== undefined)
      row(
        'centroid',
        formatVector(centroid, Math.max(...boundingBox.min.map(Math.abs), ...boundingBox.max.map(Math.abs))),
      );
    if (inertia !== undefined) {
      const moment = Math.max(...inertia.map((axis) => Math.max(...axis.map(Math.abs))));
      row('inertia, unit density', formatVector(inertia[0], moment));
      row('', formatVector(inertia[1], moment));
      row('', formatVector(inertia[2], moment));
    }
  }
  row('closed', yesNo(report.closed));
  row('manifold', yesNo(report.manifold));
  row('oriented', yesNo(report.oriented));

  const findings = <T>(label: string, found: Findings<T>, place: (example: T) => string) => {
    if (found.count === 0) return;
    row(label, `${found.count}`);
    for (const example of found.examples) lines.push(`    ${place(example)}`);
    if (found.examples.length < found.count)
      lines.push(`    and ${found.count - found.examples.length} more`);
  };
  findings('boundary edges', report.boundaryEdges, edgeLine);
  findings('edges of 3, 5, .. faces', report.oddEdges, edgeLine);
  findings('non-manifold edges', report.nonManifoldEdges, edgeLine);
  findings('wrongly oriented edges', report.wronglyOrientedEdges, edgeLine);
  findings(
    'vertices with extra fans',
    report.extraVertexFans,
    (v) => `vertex ${v.vertex} at ${formatPosition(v.position)}`,
  );
  findings(
    'duplicate faces',
    report.duplicateFaces,
    (f) => `triangle ${f.triangle}: ${f.positions.map(formatPosition).join(' ')}`,
  );
  findings(
    'faces of zero area',
    report.degenerateFaces,
    (f) => `triangle ${f.triangle}: ${f.positions.map(formatPosition).join(' ')}`,
  );
  if (report.facesDropped > 0)
    row('faces dropped on reading', `${report.facesDropped} (two corners at one place)`);
  row('verdict', verdict(report));
  return lines.join('\n');
}

/** Room for the longest label and two spaces. */
const LABEL_WIDTH = 26;

/** What rule winding makes of holes. */
const BRIDGED = 'by which holes are bridged: inside is where the generalised winding number is above 1/2';

function verdict(report: MeshReport): string {
  if (report.triangles === 0) return 'no triangles: every point is outside';
  if (!report.closed) {
    const open = openEdges(report.boundaryEdges, report.oddEdges);
    return `usable with rule winding alone: open: ${open}; ${CLOSE_IT}, or ${WINDING}, ${BRIDGED}`;
  }
  if (!report.oriented) {
    const wrong = unbalancedEdges(report.wronglyOrientedEdges);
    return `usable with rule odd and rule winding, not with rule nonzero: ${wrong}; ${TURN_IT}`;
  }
  const inverse = report.enclosedVolume !== undefined && report.enclosedVolume < 0;
  return `usable with every rule${inverse ? '; inside out, so that rule winding finds nothing inside' : ''}`;
}

/** `3 boundary edges, e.g. from (..) to (..)`, and edges with 3, 5, ... faces where there are some. */
function openEdges(boundary: Findings<EdgePlace>, odd: Findings<EdgePlace>): string {
  const parts: string[] = [];
  if (boundary.count > 0) parts.push(plural(boundary.count, 'boundary edge'));
  if (odd.count > 0) parts.push(`${plural(odd.count, 'edge')} with an odd number of faces above one`);
  return `${parts.join(' and ')}${exampleOf(boundary.count > 0 ? boundary : odd)}`;
}

function unbalancedEdges(wrong: Findings<EdgePlace>): string {
  return `${plural(wrong.count, 'edge')} traversed more often in one direction than in the other${exampleOf(wrong)}`;
}

function exampleOf({ examples }: Findings<EdgePlace>): string {
  const place = examples[0];
  if (place === undefined) return '';
  return `, e.g. from ${formatPosition(place.positions[0])} to ${formatPosition(place.positions[1])}`;
}

function edgeLine({ vertices, positions, faces, triangles }: EdgePlace): string {
  const [from, to] = positions.map(formatPosition);
  const named = `${triangles.length === 1 ? 'triangle' : 'triangles'} ${triangles.join(', ')}`;
  const all = triangles.length < faces ? `${faces} faces, first ${named}` : named;
  return `edge ${vertices[0]}-${vertices[1]} from ${from} to ${to}, ${all}`;
}

function formatPosition(position: Vector3): string {
  return `(${position.map((x) => `${Number(x.toPrecision(FLOAT32_DIGITS))}`).join(', ')})`;
}

/** A component that is only rounding, compared with `scale`, is written as 0. */
function formatVector(vector: Vector3, scale: number): string {
  return `(${vector.map((x) => formatNumber(Math.abs(x) < ROUNDING * scale ? 0 : x)).join(', ')})`;
}

function formatNumber(x: number): string {
  return `${Number(x.toPrecision(REPORT_DIGITS))}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
