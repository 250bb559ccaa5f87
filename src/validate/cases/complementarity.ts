/** Forces by complementarity beside closed forms: C. Lennerz, E. Schömer, T. Warken, section 3. */
import { type ContactShape, type Simulation, type SimulationScene, TriangleMesh } from '../../index.ts';
import { type BodyOfCase, bodiesOf, boxMesh, G } from '../scenes.ts';
import { above, below, type CaseContext, equal, type Row, type ValidationCase } from '../validation-case.ts';

const DENSITY = 1000;
const TO_DIGITS = {
  within: 1e-9,
  because: '1e-9: Newton steps end at 1e-12 of the size, and places have 1e-16',
};
/** Of the size of a body, which is about 1 m. */
const GAP = {
  within: -1e-10,
  because: '-1e-10 of the size: a step ends at a hundredth of that',
  unit: ' m',
};
const STILL = {
  within: 1e-10,
  because: '1e-10 of the size: gaps are closed anew in each step, so errors do not add up',
};

function frictionless(shapes: readonly ContactShape[], bodies: readonly BodyOfCase[]): SimulationScene {
  return {
    shapes,
    materials: [{ density: DENSITY, youngsModulus: 1e7, friction: 0 }],
    bodies: bodiesOf(bodies),
  };
}

const PLANE: ContactShape = { kind: 'plane' };
const aboutY = (angle: number) => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];

/** Half edges of the box, in metres. */
const HALVES = [0.25, 0.5, 0.125] as const;

/** On a plane. */
export function boxAtRest(): SimulationScene {
  return frictionless(
    [PLANE, { kind: 'box', halfExtents: HALVES }],
    [{}, { shape: 1, position: [0, 0, HALVES[2]] }],
  );
}

/** On two walls whose normals are turned from z by 90 degrees less the angle. */
export function ballInGroove(angle: number, radius: number): SimulationScene {
  return frictionless(
    [PLANE, { kind: 'sphere', radius }],
    [
      ...[1, -1].map((side) => ({ rotation: aboutY(side * (Math.PI / 2 - angle)) })),
      { shape: 1, position: [0, 0, radius / Math.sin(angle)] },
    ],
  );
}

export function boxOnWedge(angle: number): SimulationScene {
  const half = 0.25;
  const rotation = aboutY(angle);
  return frictionless(
    [PLANE, { kind: 'box', halfExtents: [half, half, half] }],
    [{ rotation }, { shape: 1, rotation, position: [half * Math.sin(angle), 0, half * Math.cos(angle)] }],
  );
}

/** A board of four legs, one closed mesh: boxes that share no face. */
export function tableMesh(): TriangleMesh {
  const parts = [
    { at: [0, 0, 0.5], mesh: boxMesh(0.5, 0.375, 0.0625) },
    ...[-1, 1].flatMap((x) =>
      [-1, 1].map((y) => ({ at: [0.4375 * x, 0.3125 * y, 0.1875], mesh: boxMesh(0.0625, 0.0625, 0.1875) })),
    ),
  ];
  return new TriangleMesh({
    positions: Float32Array.from(
      parts.flatMap(({ at, mesh }) => [...mesh.positions.map((x, i) => x + at[i % 3]!)]),
    ),
    indices: Uint32Array.from(parts.flatMap(({ mesh }, n) => [...mesh.indices.map((i) => i + 8 * n)])),
    name: 'table',
  });
}

/** Just above a plane, tilted: it falls on one leg. */
export function tableOnALeg(): SimulationScene {
  const tilt = [0.02, 0.05, 0, Math.sqrt(1 - 0.02 ** 2 - 0.05 ** 2)];
  return frictionless(
    [PLANE, { kind: 'polyhedron', mesh: tableMesh() }],
    [{}, { shape: 1, position: [0, 0, 0.1], rotation: tilt }],
  );
}

/** The lowest of points of body 1, above the plane z = 0. @param points in its frame, `[n * 3]` */
function lowest(pose: ArrayLike<number>, points: ArrayLike<number>): number {
  const [x, y, z, w] = [10, 11, 12, 13].map((k) => pose[k]!) as [number, number, number, number];
  const row = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
  let least = Infinity;
  for (let i = 0; i < points.length; i += 3)
    least = Math.min(least, row[0]! * points[i]! + row[1]! * points[i + 1]! + row[2]! * points[i + 2]!);
  return pose[9]! + least;
}

const BOX_CORNERS = boxMesh(...HALVES).positions;

/** Forces of pairs, as lengths. */
async function pressures(simulation: Simulation): Promise<number[]> {
  const { forces, count } = await simulation.contactForces();
  return Array.from({ length: count }, (_, pair) => Math.hypot(...forces.subarray(3 * pair, 3 * pair + 3)));
}

const simulate = (context: CaseContext, scene: SimulationScene) =>
  context.simulate(scene, { response: 'complementarity', timeStep: 1 / 60 });

async function resting(context: CaseContext, steps: number): Promise<Row[]> {
  const simulation = await simulate(context, boxAtRest());
  const weight = DENSITY * HALVES.reduce((product, half) => product * 2 * half, 1) * G;
  const rows: Row[] = [];
  const first = await simulation.read('poses');
  let least = Infinity;
  for (let done = 0; done < steps; done++) {
    await simulation.step();
    least = Math.min(least, lowest(await simulation.read('poses'), BOX_CORNERS));
    if (done === 0 || done === steps - 1)
      rows.push(
        equal(
          `box at rest, step ${done + 1}: force on the ground`,
          (await pressures(simulation))[0]!,
          weight,
          { ...TO_DIGITS, unit: ' N' },
        ),
      );
    if (done % 100 === 0) context.progress(done, steps);
  }
  const last = await simulation.read('poses');
  const moved = Math.hypot(...last.map((x, k) => x - first[k]!));
  rows.push(
    above(`box at rest: least gap of a corner in ${steps} steps`, least, GAP),
    below(`box at rest: place and turn, moved in ${steps} steps`, moved, STILL),
  );
  return rows;
}

async function grooves(context: CaseContext): Promise<Row[]> {
  const rows: Row[] = [];
  const radius = 0.1;
  const weight = DENSITY * (4 / 3) * Math.PI * radius ** 3 * G;
  for (const degrees of context.isQuick ? [30] : [10, 30, 45, 60, 80]) {
    const angle = (degrees * Math.PI) / 180;
    const simulation = await simulate(context, ballInGroove(angle, radius));
    await simulation.step(context.isQuick ? 10 : 100);
    const walls = await pressures(simulation);
    for (const wall of [0, 1])
      rows.push(
        equal(
          `ball in a groove of ${degrees} degrees: wall ${wall + 1}`,
          walls[wall]!,
          weight / (2 * Math.sin(angle)),
          { ...TO_DIGITS, unit: ' N' },
        ),
      );
  }
  return rows;
}

async function wedges(context: CaseContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const angle of context.isQuick ? [0.3] : [0.05, 0.3, 0.8, 1.3]) {
    const simulation = await simulate(context, boxOnWedge(angle));
    await simulation.step(30);
    const speed = Math.hypot(...(await simulation.read('velocities')).subarray(3, 6));
    rows.push(
      equal(`wedge of ${angle} rad: speed over time`, speed / simulation.time, G * Math.sin(angle), {
        ...TO_DIGITS,
        unit: ' m/s2',
      }),
    );
  }
  return rows;
}

async function table(context: CaseContext, steps: number): Promise<Row[]> {
  const simulation = await simulate(context, tableOnALeg());
  const { positions } = tableMesh();
  let [least, pull] = [Infinity, 0];
  let settled = new Float64Array(14);
  for (let done = 0; done < steps; done++) {
    await simulation.step();
    const poses = await simulation.read('poses');
    if (done === SETTLED - 1) settled = poses;
    least = Math.min(least, lowest(poses, positions));
    const { forces, count } = await simulation.contactForces();
    if (count > 0) pull = Math.min(pull, forces[2]!);
    if (done % 100 === 0) context.progress(done, steps);
  }
  const weight = (await simulation.read('masses'))[1]! * G;
  const poses = await simulation.read('poses');
  return [
    equal(
      `table on four legs, step ${steps}: force on the ground`,
      (await pressures(simulation))[0]!,
      weight,
      { ...TO_DIGITS, unit: ' N' },
    ),
    above('table: least gap of a corner, from the first leg on', least, GAP),
    above('table: least force', pull, { within: 0, because: 'contacts push alone', unit: ' N' }),
    below('table: sine of the tilt at the end', 2 * Math.hypot(poses[10]!, poses[11]!), TO_DIGITS),
    ...(steps > SETTLED
      ? [
          below(
            `table: height and tilt, changed from step ${SETTLED} to step ${steps}`,
            Math.hypot(...[9, 10, 11].map((k) => poses[k]! - settled[k]!)),
            STILL,
          ),
        ]
      : []),
  ];
}

/** Steps in which the table has fallen on all legs. */
const SETTLED = 60;

const SOURCE = 'closed forms, to 1e-9: m g, m g / (2 sin a), g sin a';

export const complementarity: ValidationCase = {
  name: 'complementarity',
  shows:
    'Forces by complementarity, steps of 1/60 s: a box at rest, a ball in grooves, a box on wedges, a table that ' +
    'falls on a leg and comes to rest on four.',
  source: SOURCE,
  needsFloat64: 'forces are found on the CPU',
  async run(context) {
    const rows = await resting(context, context.isQuick ? 20 : 1000);
    rows.push(...(await grooves(context)), ...(await wedges(context)));
    rows.push(...(await table(context, SETTLED)));
    return { rows };
  },
};

export const complementarityLong: ValidationCase = {
  name: 'complementarity-long',
  shows: 'Forces by complementarity over 10,000 steps: a box and a table stay where they are.',
  source: SOURCE,
  isLong: true,
  needsFloat64: 'forces are found on the CPU',
  async run(context) {
    const steps = context.isQuick ? 100 : 10_000;
    return { rows: [...(await resting(context, steps)), ...(await table(context, steps))] };
  },
};
