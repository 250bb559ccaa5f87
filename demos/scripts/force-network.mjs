// Which bodies push which: lines between them, as wide as normal forces are strong. From files of
// `scree simulate SCENE --out FOLDER --npy`, seen along y: node force-network.mjs bodies-000001000.npy forces.svg
import { readFile, writeFile } from 'node:fs/promises';

const [bodiesFile = 'bodies-000000000.npy', out = 'forces.svg'] = process.argv.slice(2);
const WIDTH = 900;
/** Widest line, pixels. */
const WIDEST = 9;

/** Rows of float64 of a .npy file. */
async function rowsOf(file) {
  const bytes = await readFile(file);
  const start = 10 + bytes.readUInt16LE(8);
  const [rows, columns] = /'shape': \((\d+), (\d+)\)/
    .exec(bytes.toString('latin1', 0, start))
    .slice(1)
    .map(Number);
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, k) => bytes.readDoubleLE(start + 8 * (columns * i + k))),
  );
}

const bodies = await rowsOf(bodiesFile);
const pairs = await rowsOf(bodiesFile.replace('bodies-', 'forces-'));
const isMoving = ([a, b]) => bodies[a][19] > 0 && bodies[b][19] > 0;
// To walls lines go to the point of contact.
const ends = pairs.map((pair) => {
  const [a, b, , x, , z] = pair;
  const of = (body) => (bodies[body][19] > 0 ? [bodies[body][0], bodies[body][2]] : [x, z]);
  return { from: of(a), to: of(b), force: pair[12], isMoving: isMoving(pair) };
});
const places = bodies.filter((body) => body[19] > 0 && body[22] === 1).map(([x, , z]) => [x, z]);
const ways = [...places, ...ends.flatMap(({ from, to }) => [from, to])];
const range = (k) => [Math.min(...ways.map((way) => way[k])), Math.max(...ways.map((way) => way[k]))];
const [[left, right], [low, high]] = [range(0), range(1)];
const scale = (WIDTH - 40) / (right - left);
const height = Math.ceil((high - low) * scale) + 60;
const at = ([x, z]) => [20 + (x - left) * scale, height - 30 - (z - low) * scale].map((c) => c.toFixed(1));
const strongest = Math.max(...ends.map(({ force }) => Math.abs(force)));
const lines = ends.map(({ from, to, force }) => {
  const [[x1, y1], [x2, y2]] = [at(from), at(to)];
  const width = Math.max(0.3, (WIDEST * Math.abs(force)) / strongest).toFixed(2);
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke-width="${width}"/>`;
});
const dots = places.map((place) => {
  const [x, y] = at(place);
  return `<circle cx="${x}" cy="${y}" r="2"/>`;
});
await writeFile(
  out,
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">`,
    '<title>Forces between bodies</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<g stroke="#b3361e" stroke-linecap="round" stroke-opacity="0.75">${lines.join('')}</g>`,
    `<g fill="#333">${dots.join('')}</g>`,
    '</svg>',
    '',
  ].join('\n'),
);
console.log(`${out}: ${pairs.length} pairs of ${places.length} bodies, ${strongest.toPrecision(3)} at most`);
