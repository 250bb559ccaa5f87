// Wind sorts grains by size. The script gives each grain the drag of air, brings grains in above, and takes out those
// that are down. It tells how far off the paths are from those of an integrator of its own, and draws both.
//
//     node demos/scripts/wind-sifter.mjs [seconds, default 2] [files, default wind-sifter] [--no-picture]
//
// Units are metres, kilograms and seconds.
import { writeFile } from 'node:fs/promises';
import { BodyStatus, drawPicture, encodePng, openDevice, Simulation } from 'scree';
import { positive } from './arguments.mjs';

const isDrawn = !process.argv.includes('--no-picture');
const [seconds, out = 'wind-sifter'] = process.argv.slice(2).filter((word) => word !== '--no-picture');
const duration = positive('seconds', seconds, 2);

const AIR = { density: 1.2, viscosity: 1.8e-5, wind: [7, 0, 0] };
const GRAINS = { radii: [0.02, 0.03, 0.045], density: 40 };
const [HEIGHT, GRAVITY] = [1.6, 9.81];
/** Three grains of each size are thrown in every so often. Those that are down wait until they are thrown in again. */
const [LANES, WAITING, EVERY, THROWN] = [9, 10, 0.08, [0, 0, -1.5]];
/** Seconds between two calls of the script, about: it writes drag and looks who is down. */
const PERIOD = 2e-3;

/** Drag by Schiller and Naumann (1933), up to a Reynolds number of 1000; above it the coefficient is 0.44. */
function drag(radius, velocity) {
  const relative = velocity.map((v, k) => AIR.wind[k] - v);
  const speed = Math.hypot(...relative);
  const reynolds = (AIR.density * speed * 2 * radius) / AIR.viscosity;
  const coefficient = reynolds < 1000 ? (24 / reynolds) * (1 + 0.15 * reynolds ** 0.687) : 0.44;
  return relative.map((w) =>
    speed > 0 ? 0.5 * AIR.density * coefficient * Math.PI * radius ** 2 * speed * w : 0,
  );
}

/** Place and velocity, x and z, of a grain that falls alone, after each period: the classical Runge-Kutta method. */
function fall(radius, period) {
  const mass = (4 / 3) * Math.PI * radius ** 3 * GRAINS.density;
  const rates = ([, , u, w]) => {
    const [x, , z] = drag(radius, [u, 0, w]);
    return [u, w, x / mass, z / mass - GRAVITY];
  };
  const along = (y, k, h) => y.map((value, i) => value + h * k[i]);
  const states = [[0, HEIGHT, THROWN[0], THROWN[2]]];
  while (states.at(-1)[1] > 0) {
    const y = states.at(-1);
    const k1 = rates(y);
    const k2 = rates(along(y, k1, period / 2));
    const k3 = rates(along(y, k2, period / 2));
    const k4 = rates(along(y, k3, period));
    states.push(y.map((value, i) => value + (period / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i])));
  }
  return states;
}

const kinds = GRAINS.radii.length;
const all = Array.from({ length: LANES * WAITING }, (_, body) => body);
const sizeOf = (body) => body % kinds;
/** Lanes of one size each, side by side, so that no two grains meet. */
const start = (body) => [0, 0.11 * ((body % LANES) - (LANES - 1) / 2), HEIGHT, 0, 0, 0, 1];
const shapes = GRAINS.radii.map((radius) => ({ kind: 'sphere', radius }));
const simulation = await Simulation.create(undefined, {
  shapes,
  materials: [{ density: GRAINS.density, youngsModulus: 1e5 }],
  gravity: [0, 0, -GRAVITY],
  bodies: {
    shapes: Uint32Array.from(all, sizeOf),
    poses: Float64Array.from(all.flatMap(start)),
    appearsAt: new Float64Array(all.length).fill(Infinity),
  },
});
const steps = Math.ceil(PERIOD / simulation.timeStep);
const period = steps * simulation.timeStep;

/** Of the first grain of each size: x and z after each period. */
const tracks = GRAINS.radii.map(() => []);
const landed = GRAINS.radii.map(() => 0);
let [thrown, next] = [0, 0];
while (simulation.time < duration) {
  const [poses, velocities] = [await simulation.read('poses'), await simulation.read('velocities')];
  const statuses = await simulation.read('statuses');
  const forces = new Float64Array(3 * all.length);
  // Out with those that are down.
  for (const body of all.filter((one) => statuses[one] === BodyStatus.present)) {
    const [x, , z] = poses.subarray(7 * body, 7 * body + 3);
    if (landed[sizeOf(body)] === 0) if (body < kinds) tracks[body].push([x, z]);
    if (z > 0) continue;
    statuses[body] = BodyStatus.removed;
    landed[sizeOf(body)]++;
  }
  // In with the next ones.
  for (; simulation.time >= next; next += EVERY) {
    for (let lane = 0; lane < LANES; lane++, thrown++) {
      const body = thrown % all.length;
      statuses[body] = BodyStatus.present;
      poses.set(start(body), 7 * body);
      velocities.set(THROWN, 3 * body);
    }
  }
  for (const body of all) {
    const velocity = [...velocities.subarray(3 * body, 3 * body + 3)];
    if (statuses[body] === BodyStatus.present)
      forces.set(drag(GRAINS.radii[sizeOf(body)], velocity), 3 * body);
  }
  await simulation.write('statuses', statuses);
  await simulation.write('poses', poses);
  await simulation.write('velocities', velocities);
  await simulation.write('appliedForces', forces);
  await simulation.step(steps);
}

const falls = GRAINS.radii.map((radius) => fall(radius, period));
for (const [i, radius] of GRAINS.radii.entries()) {
  // The first period ends after the grain was thrown in.
  const off = tracks[i].map(([x, z], k) => Math.hypot(x - falls[i][k + 1][0], z - falls[i][k + 1][1]));
  console.log(
    `radius ${radius} m: ${landed[i]} down, ${falls[i].at(-1)[0].toFixed(2)} m downwind; ` +
      `path off by ${Math.max(...off).toExponential(1)} m at most`,
  );
}

if (isDrawn) {
  const [poses, statuses] = [await simulation.read('poses'), await simulation.read('statuses')];
  const inTheAir = all.filter((body) => statuses[body] === BodyStatus.present);
  // Boards between the bins are in the picture alone.
  const ways = falls.map((states) => states.at(-1)[0]);
  const boards = [ways[0] + 0.2, (ways[0] + ways[1]) / 2, (ways[1] + ways[2]) / 2, ways[2] - 0.2];
  const device = await openDevice();
  const image = await drawPicture(
    device,
    {
      shapes: [...shapes, { kind: 'box', halfExtents: [0.01, 0.55, 0.15] }],
      bodies: { shapes: Uint32Array.of(...inTheAir.map(sizeOf), ...boards.map(() => kinds)) },
      poses: Float64Array.from([
        ...inTheAir.flatMap((body) => [...poses.subarray(7 * body, 7 * body + 7)]),
        ...boards.flatMap((x) => [x, 0, -0.2, 0, 0, 0, 1]),
      ]),
    },
    {
      ...{ width: 800, height: 600, camera: { azimuth: -1.9, elevation: 0.2 } },
      ...{ color: 'category', values: Float32Array.of(...inTheAir.map(sizeOf), ...boards.map(() => kinds)) },
    },
  );
  await writeFile(`${out}.png`, await encodePng(image));
  device.destroy();
}
simulation.destroy();

// Circles every 25 periods, as large as the grains; lines are paths of the integrator above.
const SCALE = 300;
const COLORS = ['#1f6fb4', '#d9730d', '#2c8a4b'];
const [width, height] = [SCALE * (Math.max(...falls.flat().map(([x]) => x)) + 0.2), SCALE * (HEIGHT + 0.2)];
const at = (x, z) => [SCALE * (x + 0.1), height - SCALE * (z + 0.1)].map((c) => c.toFixed(1));
const drawn = falls.map((states, i) => {
  const line = states.filter((_, k) => k % 10 === 0).map(([x, z]) => at(x, z).join());
  const circles = tracks[i]
    .filter((_, k) => k % 25 === 24)
    .map(([x, z]) => {
      const [cx, cy] = at(x, z);
      return `<circle cx="${cx}" cy="${cy}" r="${(SCALE * GRAINS.radii[i]).toFixed(1)}"/>`;
    });
  return `<g stroke="${COLORS[i]}" fill="none"><polyline points="${line.join(' ')}"/>${circles.join('')}</g>`;
});
const [w, h] = [width, height].map(Math.ceil);
await writeFile(
  `${out}.svg`,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}">\n` +
    `<title>Grains of three sizes in wind</title>\n<rect width="100%" height="100%" fill="#fff"/>\n` +
    `${drawn.join('\n')}\n</svg>\n`,
);
