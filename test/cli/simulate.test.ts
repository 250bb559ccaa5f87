import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeCheckpoint } from '../../src/dem/checkpoint/checkpoint.ts';
import { parseNpy } from '../../src/io/npy.ts';
import { decodeVtp } from '../support/vtp.ts';
import { type Running, scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const drawn = (...args: string[]) =>
  scree(['simulate', ...args, '--quiet', '--threads', '1'], { cwd: folder });
// Drawing takes a software adapter longer than most of these runs.
const run = (...args: string[]) => drawn(...args, '--no-picture');
const read = (...path: string[]) => readFileSync(join(folder, ...path));
function write(name: string, scene: unknown): string {
  writeFileSync(join(folder, name), JSON.stringify(scene));
  return name;
}

/** A rock and a ball that fall on the ground, and a lid that swings. */
const scene = {
  shapes: {
    ground: { kind: 'plane' },
    rock: { kind: 'polyhedron', generate: { kind: 'rock', triangles: 80, seed: 3 } },
    ball: { kind: 'sphere', radius: 0.5 },
    lid: { kind: 'box', halfExtents: [1, 1, 0.1] },
  },
  materials: {
    soft: { density: 1000, youngsModulus: 1e6, rollingFriction: 0.1 },
    hard: { density: 1, youngsModulus: 1e7 },
  },
  materialPairs: [{ materials: ['soft', 'hard'], friction: 0.9 }],
  bodies: [
    { shape: 'ground', material: 'hard' },
    { name: 'rock', shape: 'rock', position: [0, 0, 1.3] },
    { name: 'ball', shape: 'ball', position: [3, 0, 0.6], velocity: [0, 0, -1] },
    { name: 'lid', shape: 'lid', position: [0, 0, 9], motion: { amplitude: [0, 0, 1], frequency: 2 } },
  ],
  monitors: {
    ground: { kind: 'load', bodies: '0' },
    low: { kind: 'mass', point: [0, 0, 1], normal: [0, 0, -1] },
  },
  duration: 0.12,
};
write('fall.json', scene);
/** Without the rock, whose tables take longer than all else: for what does not ask about contacts. */
const light = {
  ...scene,
  shapes: { ground: scene.shapes.ground, ball: scene.shapes.ball, lid: scene.shapes.lid },
  bodies: scene.bodies.filter(({ shape }) => shape !== 'rock'),
};
write('light.json', light);

/** The system can stop processes, which go on later. */
const canHold = process.platform !== 'win32';
/** Runs that wait until a time has passed: they have made steps, and compute nothing more until they are let go. */
let held: Readonly<Record<'killed' | 'short', Running>>;
beforeAll(async () => {
  if (!canHold) return;
  const hold = async (...args: string[]) => {
    const running = startScree(['simulate', 'light.json', ...args, '--threads', '1'], { cwd: folder });
    await running.sees(' steps)');
    running.child.kill('SIGSTOP');
    return running;
  };
  const [killed, short] = await Promise.all([
    hold('--out', 'killed', '--duration', '600', '--frames', '1'),
    hold('--out', 'short', '--duration', '600', '--no-series', '--stop-after', '10'),
  ]);
  held = { killed, short };
});
afterAll(() => {
  for (const { child } of Object.values(held ?? {})) child.kill('SIGKILL');
});

/** Of one triangle. */
const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];

/** The time that is 40 steps after the checkpoint in a folder, which is not that of the start. */
function fortyStepsOn(out: string): number {
  const { steps, timeStep } = decodeCheckpoint(Uint8Array.from(read(out, 'checkpoint.sim')), out).numbers;
  expect(steps).toBeGreaterThan(0);
  return (steps! + 40) * timeStep!;
}

describe('scree simulate of a scene with joints', () => {
  write('pendulum.json', {
    shapes: { bob: { kind: 'sphere', radius: 0.1 } },
    materials: { steel: { density: 8000, youngsModulus: 2e11 } },
    bodies: [
      { name: 'bob', shape: 'bob', position: [1, 0, 0] },
      { name: 'frame', parent: 'bob', position: [0.1, 0, 0] },
      { name: 'disc', shape: 'bob', parent: 'frame', mass: 0 },
    ],
    joints: [{ kind: 'revolute', a: 'world', b: 'bob', point: [-1, 0, 0], axis: [0, 1, 0], damping: 2 }],
    duration: 1,
  });

  it('leaves a series, tables and a picture; two runs leave the same bytes', async () => {
    const first = await drawn('pendulum.json', '--out', 'swing', '--frames', '4', '--json');
    expect(first.code).toBe(0);
    const told = JSON.parse(first.stdout);
    expect(told).toMatchObject({ bodies: 3, degreesOfFreedom: 1, closureRows: 0, time: 1 });
    expect(Math.abs(told.balance - told.balanceAtFirst)).toBeLessThan(1e-4 * told.kinetic);
    expect(told.dashpots).toBeGreaterThan(1e-3);
    const files = readdirSync(join(folder, 'swing'));
    const surfaces = [0, 1, 2, 3, 4].map((i) => `bodies-00000000${i}.vtp`);
    expect(files).toEqual(
      expect.arrayContaining([...surfaces, 'series.pvd', 'monitors.csv', 'monitors.svg', 'coordinates.csv']),
    );
    expect(files.includes('state.png')).toBe(told.pictureMissing === undefined);
    expect(files).not.toContain('checkpoint.sim');
    const table = `${read('swing', 'coordinates.csv')}`.trim().split('\n');
    expect(table[0]).toBe('time,world-bob,world-bob rate');
    expect(table).toHaveLength(6);
    const [time, angle] = table[5]!.split(',').map(Number);
    expect(time).toBe(1);
    // Both bodies that have a shape are drawn, a tenth apart, where the angle puts them.
    const points = decodeVtp(Uint8Array.from(read('swing', 'bodies-000000004.vtp'))).arrays.Points!;
    const lows = [0, 2].map((k) => {
      const values = points.filter((_: number, i: number) => i % 3 === k);
      return [Math.min(...values), Math.max(...values)] as const;
    });
    const middle = [Math.cos(angle!), -Math.sin(angle!)];
    lows.forEach(([low, high], k) => {
      const [near, far] = [middle[k]!, 1.1 * middle[k]!].sort((a, b) => a - b);
      expect(low).toBeCloseTo(near! - 0.1, 2);
      expect(high).toBeCloseTo(far! + 0.1, 2);
    });
    expect((await run('pendulum.json', '--out', 'again', '--frames', '4')).code).toBe(0);
    for (const file of ['coordinates.csv', 'monitors.csv', 'bodies-000000004.vtp'])
      expect(read('again', file).equals(read('swing', file))).toBe(true);
  });

  it.each([
    [['--resume'], /found --resume: it leaves no checkpoint/],
    [['--backend', 'gpu'], /found --backend gpu: mechanisms are moved on the CPU/],
    [['--time-step', '0.1'], /found --time-step: steps follow from --tolerance/],
    [['--tolerance', '0.5'], /^scree: pendulum\.json: relativeTolerance is 0\.5, expected/],
  ] as const)('refuses %s', async (options, message) => {
    const { code, stderr } = await run('pendulum.json', '--out', 'refused', ...options);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });

  it('moves other scenes to a tolerance as well, and tells when contacts began and ended', async () => {
    write('bounce.json', {
      shapes: { ground: { kind: 'plane' }, ball: { kind: 'sphere', radius: 0.1 } },
      materials: { steel: { density: 7800, youngsModulus: 2e9, restitution: 0.8 } },
      bodies: [
        { name: 'floor, flat', shape: 'ground' },
        { name: 'ball', shape: 'ball', position: [0, 0, 0.2] },
      ],
      duration: 0.3,
    });
    const { code, stdout } = await run(
      'bounce.json',
      '--out',
      'bounce',
      '--tolerance',
      '1e-8',
      '--frames',
      '2',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/contacts +0, of 2 beginnings and ends/);
    const [head, began, ended] = read('bounce', 'events.csv').toString().trim().split('\n');
    expect(head).toBe('time,body a,body b,what,speed');
    expect(began).toMatch(/^0\.14\d*,"floor, flat",ball,began,1\.4\d*$/);
    const speed = (line: string) => Number(line.split(',').at(-1));
    // Gravity pulls for the 4 ms that they touch.
    expect(speed(ended!) / speed(began!)).toBeCloseTo(0.8, 1);
  });
});

describe('scree simulate', () => {
  it('takes laws of a module', async () => {
    write('own.json', {
      shapes: { ground: { kind: 'plane' }, ball: { kind: 'sphere', radius: 0.5 } },
      materials: { soft: { density: 1, youngsModulus: 1e6 } },
      materialPairs: [{ materials: ['soft', 'soft'], law: 'springs' }],
      bodies: [{ shape: 'ground' }, { shape: 'ball', position: [0, 0, 0.49] }],
      gravity: [0, 0, 0],
      timeStep: 1e-6,
      duration: 1e-6,
    });
    const law = (energy: number) =>
      `export const springs = { name: 'springs', wgsl: 'fn springs(depth: f32, area: f32, p: LawParameters) -> vec3f {
        return vec3f(1e3 * depth, 1e3, 5e2 * depth * depth); }',
        twin: (d) => [1e3 * d, 1e3, ${energy} * d * d] };`.replaceAll('\n', ' ');
    writeFileSync(join(folder, 'own.mjs'), law(500));
    writeFileSync(join(folder, 'wrong.mjs'), law(600));
    const args = ['--out', 'own', '--laws', 'own.mjs', '--frames', '1', '--film'];
    const { code, stderr } = await run('own.json', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // Two frames of a film, of the same size.
    const film = readdirSync(join(folder, 'own')).filter((file) => file.startsWith('film-'));
    expect(film.sort()).toEqual(['film-000000000.png', 'film-000000001.png']);
    for (const file of film) {
      const header = new DataView(Uint8Array.from(read('own', file)).buffer);
      expect([header.getUint32(16), header.getUint32(20)]).toEqual([1200, 800]);
    }
    // 500 times the square of the overlap.
    const [names, first] = read('own', 'monitors.csv')
      .toString()
      .split('\n')
      .map((line) => line.split(','));
    expect(Number(first![names!.indexOf('elastic')])).toBeCloseTo(0.05, 9);
    const wrong = await run('own.json', '--out', 'wrong', '--laws', 'wrong.mjs');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(
      /own\.json: law springs at depth .*: the force is .*: how fast the energy grows\n$/,
    );
  });

  it('halves a step that nobody asked for, says so, and goes on from there', async () => {
    const own = {
      shapes: { ground: { kind: 'plane' }, ball: { kind: 'sphere', radius: 0.5 } },
      materials: { soft: { density: 10, youngsModulus: 1e5 } },
      materialPairs: [{ materials: ['soft', 'soft'], law: 'stiff' }],
      bodies: [{ shape: 'ground' }, { shape: 'ball', position: [0, 0, 0.5005], velocity: [0, 0, -1] }],
      duration: 0.01,
    };
    write('stiff.json', own);
    writeFileSync(
      join(folder, 'stiff.mjs'),
      `export const stiff = { name: 'stiff', wgsl: 'fn stiff(depth: f32, area: f32, p: LawParameters) -> vec3f { ' +
        'return vec3f(3e6 * depth, 3e6, 1.5e6 * depth * depth); }', twin: (d) => [3e6 * d, 3e6, 1.5e6 * d * d] };`,
    );
    const args = ['stiff.json', '--laws', 'stiff.mjs', '--no-series', '--frames', '5', '--out'];
    // A part, which has halved steps, and the rest of it.
    const { code, stderr, stdout } = await run(...args, 'rest', '--duration', '0.006');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /\nstep halved +after \d+ steps, at 0\.0\d+: to 0\.0\d+, as a contact lasts 0\.0\d+\n/,
    );
    const [whole, rest] = [
      await run(...args, 'halved', '--json'),
      await run(...args, 'rest', '--json', '--resume'),
    ].map((one) => JSON.parse(one.stdout));
    expect(whole.halvings.length).toBeGreaterThan(0);
    expect(Math.abs(whole.time - own.duration)).toBeLessThan(whole.timeStep);
    expect(rest.halvings).toEqual(whole.halvings);
    expect(rest.stateHash).toBe(whole.stateHash);
  });

  it('writes a series for ParaView, energies, a checkpoint and a summary', async () => {
    const { code, stdout, stderr } = await drawn('fall.json', '--out', 'whole', '--frames', '4', '--npy');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\nbodies +4\nsimulated time +0\.1\d* in [\d,]+ steps/);
    const files = readdirSync(join(folder, 'whole')).sort();
    const framesOf = (what: string, suffix: string) =>
      files.filter((file) => file.startsWith(what) && file.endsWith(suffix));
    expect(framesOf('bodies-', '.vtp')).toHaveLength(5);
    const last = framesOf('bodies-', '.vtp').at(-1)!;
    const { arrays } = decodeVtp(Uint8Array.from(read('whole', last)));
    expect(arrays.Points).toHaveLength(3 * arrays.body!.length);
    expect(new Set(arrays.body)).toEqual(new Set([1, 2, 3]));
    const series = read('whole', 'series.pvd').toString();
    expect(series.match(/<DataSet /g)).toHaveLength(15);
    const rows = read('whole', 'monitors.csv').toString().trim().split('\n');
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatch(/^time,steps,kinetic,gravity,.*,ground\.x,ground\.y,ground\.z,low$/);
    // The ball is on the ground by then, which carries what it presses it by.
    const forces = decodeVtp(Uint8Array.from(read('whole', framesOf('forces-', '.vtp').at(-1)!))).arrays;
    expect([forces.a, forces.b]).toEqual([[0], [2]]);
    const load = rows.at(-1)!.split(',').slice(-4).map(Number);
    for (const k of [0, 1, 2]) expect(load[k]).toBeCloseTo(-forces.force![k]!, 6);
    expect(load[2]!).toBeLessThan(0);
    expect(forces.normal_force!.every((force) => force > 0)).toBe(true);
    expect(Math.abs(forces.Points![2]!)).toBeLessThan(0.1);
    // As numbers for NumPy they are the same.
    const table = parseNpy(Uint8Array.from(read('whole', framesOf('forces-', '.npy').at(-1)!)), 'forces');
    expect(table.shape).toEqual([1, 16]);
    expect([...table.data].slice(9, 12)).toEqual(forces.force!.slice(0, 3));
    const bodies = parseNpy(Uint8Array.from(read('whole', framesOf('bodies-', '.npy').at(-1)!)), 'bodies');
    expect(bodies.shape).toEqual([4, 23]);
    const rowOf = (body: number) => [...bodies.data].slice(23 * body, 23 * body + 23);
    // The ball: its force at each point of its surface, mass, material, neighbours, there.
    const ofBall = arrays.body!.indexOf(2);
    const force = [0, 1, 2].map((k) => arrays.force![3 * ofBall + k]!);
    for (const k of [0, 1, 2]) expect(force[k]).toBeCloseTo(rowOf(2)[13 + k] as number, 1);
    expect(rowOf(2).slice(-3)).toEqual([0, 1, 1]);
    expect(rowOf(0).slice(-3)).toEqual([1, 1, 1]);
    expect(rowOf(2)[19]).toBeCloseTo((1000 * Math.PI) / 6, 3);
    expect(load[3]).toBeCloseTo(rowOf(2)[19] as number, 6);
    expect(new Set(arrays.material)).toEqual(new Set([0]));
    expect(arrays.coordination![ofBall]).toBe(1);
    expect(arrays.torque).toHaveLength(arrays.Points!.length);
    // A line for each of seven energies, contacts and the deepest overlap, through all rows.
    const plots = read('whole', 'monitors.svg').toString();
    const lines = [...plots.matchAll(/ d="M([^"]*)" fill="none"/g)].map(
      (match) => match[1]!.split('L').length,
    );
    // Behind them are those of the scene's own.
    expect(lines).toEqual(Array.from({ length: 9 + 4 }, () => 5));
    const header = new DataView(Uint8Array.from(read('whole', 'state.png')).buffer);
    expect([header.getUint32(0), header.getUint32(16), header.getUint32(20)]).toEqual([
      0x89504e47, 1200, 800,
    ]);
  });

  it('refuses to go on to a time before that of the checkpoint', async () => {
    const args = ['light.json', '--out', 'later', '--no-series', '--frames', '1'];
    expect((await run(...args, '--duration', '0.02')).code).toBe(0);
    const before = read('later', 'checkpoint.sim');
    const { code, stderr, stdout } = await run(...args, '--duration', '0.01', '--resume');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^scree: later.checkpoint\.sim: time 0\.02\d* found, expected at most the duration, 0\.01\n$/,
    );
    expect(read('later', 'checkpoint.sim').equals(before)).toBe(true);
  });

  it('runs once at a time in a folder', async () => {
    const args = ['light.json', '--out', 'once', '--no-series', '--duration', '60'];
    const running = startScree(['simulate', ...args, '--threads', '1'], { cwd: folder });
    while (!existsSync(join(folder, 'once', 'running.json'))) await sleep(20);
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 75, stdout: '' });
    expect(stderr).toMatch(/^scree: once.running\.json: .* by process \d+ on .* since .*\n$/);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(readdirSync(join(folder, 'once')).sort()).toEqual([
      'checkpoint.sim',
      'monitors.csv',
      'monitors.svg',
    ]);
  });

  it('goes on with the step of the checkpoint alone, also where the scene names one', async () => {
    const [one, other] = [0.0001, 0.0002].map((timeStep) => ({ ...light, duration: 0.0002, timeStep }));
    write('step.json', one);
    expect((await run('step.json', '--out', 'step', '--no-series')).code).toBe(0);
    write('step.json', other);
    const { code, stderr } = await run('step.json', '--out', 'step', '--no-series', '--resume');
    const line = 'checkpoint.sim: of a simulation with timeStep 0.0001, found 0.0002: leave it out or give';
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(line) });
  });

  it('goes on from a checkpoint as if it had not stopped', async () => {
    const first = await run('fall.json', '--out', 'parts', '--frames', '4', '--duration', '0.06');
    expect(first.code).toBe(0);
    expect(read('parts', 'checkpoint.sim').equals(read('whole', 'checkpoint.sim'))).toBe(false);
    const { code } = await run('fall.json', '--out', 'parts', '--frames', '4', '--resume');
    expect(code).toBe(0);
    expect(read('parts', 'checkpoint.sim').equals(read('whole', 'checkpoint.sim'))).toBe(true);
  });

  it('goes on from no table of monitors but that of its run, and leaves all as it was', async () => {
    const first = await run('light.json', '--out', 'tables', '--frames', '2', '--duration', '0.02');
    expect(first.code).toBe(0);
    const files = readdirSync(join(folder, 'tables'));
    const table = read('tables', 'monitors.csv').toString();
    const [header, ...rows] = table.trim().split('\n');
    for (const [other, message] of [
      ['a,b\n0,1\n', /line 1: other columns found/],
      [`${header}\n`, /no rows found/],
      [`${header}\n${rows[0]}\n0.001,2\n`, /line 3: no row of this run/],
      [`${header}\n${rows[0]!.replace(/^0,0,/, '0.5,7,')}\n`, /line 2: no row of this run/],
    ] as const) {
      writeFileSync(join(folder, 'tables', 'monitors.csv'), other);
      const { code, stderr } = await run('light.json', '--out', 'tables', '--resume');
      expect(stderr).toMatch(/^scree: tables.monitors\.csv: [^\n]*\n$/);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
      expect(readdirSync(join(folder, 'tables'))).toEqual(files);
    }
  });

  it('leaves files that fit together where it is interrupted', async () => {
    const args = ['simulate', 'light.json', '--out', 'stopped', '--duration', '60', '--threads', '1'];
    const running = startScree(args, { cwd: folder });
    await running.sees(' steps)');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const rows = read('stopped', 'monitors.csv').toString().trim().split('\n');
    const series = read('stopped', 'series.pvd').toString();
    expect(series.match(/<DataSet /g)).toHaveLength(3 * (rows.length - 1));
    const to = (out: string, duration: number) => ['light.json', '--out', out, '--duration', `${duration}`];
    const further = fortyStepsOn('stopped');
    expect((await run(...to('stopped', further), '--resume')).code).toBe(0);
    expect((await run(...to('unbroken', further))).code).toBe(0);
    expect(read('stopped', 'checkpoint.sim').equals(read('unbroken', 'checkpoint.sim'))).toBe(true);
  });

  it('leaves no pictures of an earlier run in its folder, and other files alone', async () => {
    for (const file of ['state.png', 'film-000000009.png', 'bodies-of-mine.vtp'])
      writeFileSync(join(folder, 'tables', file), '');
    const { code } = await run('light.json', '--out', 'tables', '--frames', '1', '--duration', '0.01');
    expect(code).toBe(0);
    const series = read('tables', 'series.pvd').toString();
    const listed = [...series.matchAll(/ file="([^"]*)"/g)].map((match) => match[1]!);
    expect(listed).toHaveLength(6);
    expect(readdirSync(join(folder, 'tables')).sort()).toEqual(
      [
        'bodies-of-mine.vtp',
        'checkpoint.sim',
        'monitors.csv',
        'monitors.svg',
        'series.pvd',
        ...listed,
      ].sort(),
    );
  });

  it.each([
    ['fall.json', 'there is a file of that name'],
    ['fall.json/below', 'a part of the path is a file, expected a folder'],
  ])('refuses to write to %s', async (out, problem) => {
    const { code, stderr } = await run('light.json', '--out', out);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `scree: ${out}: cannot be written: ${problem}\n` });
  });

  it.each([
    [
      'no materials',
      { ...light, materials: undefined, materialPairs: undefined, bodies: [{ shape: 'ball' }] },
      'materials is missing, expected one or more materials by name',
    ],
    [
      'a density of 0',
      { ...light, materials: { soft: { density: 0, youngsModulus: 1 }, hard: light.materials.hard } },
      'materials.soft.density is 0, expected a number above 0',
    ],
    [
      'no stiffness',
      { ...light, materials: { soft: { density: 1, youngsModulus: 0 }, hard: light.materials.hard } },
      'materials.soft.youngsModulus is 0, expected a number above 0',
    ],
    [
      'another material',
      { ...light, bodies: [{ shape: 'ball', material: 'gold' }] },
      'bodies[0].material is "gold", expected one of soft, hard',
    ],
    [
      'bodies in each other',
      { ...light, bodies: [{ shape: 'ball' }, { shape: 'ball' }] },
      'bodies: body 0 and body 1 overlap by 1.00 at first, expected at most 0.125',
    ],
    [
      'an open mesh',
      {
        ...light,
        shapes: { ...light.shapes, rock: { kind: 'polyhedron', vertices: CORNERS, triangles: [[0, 1, 2]] } },
      },
      /^shapes\.rock: the surface is open: /,
    ],
    ['a step too long', { ...light, timeStep: 1 }, /^timeStep is 1, expected at most 0\.0/],
    [
      'more steps than are counted',
      { ...light, duration: 1e300 },
      /^duration is 1e\+300, \S+ steps of \S+, expected at most 4294967295 steps$/,
    ],
    ['no duration', { ...light, duration: undefined }, /^duration is missing/],
  ])('refuses %s, and writes nothing', async (_, bad, message) => {
    const { code, stderr } = await run(write('bad.json', bad), '--out', 'bad');
    const [line, ...rest] = stderr.trim().split('\n');
    expect(rest).toEqual([]);
    expect(line).toMatch(/^scree: bad\.json: /);
    const told = line!.slice('scree: bad.json: '.length);
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
    expect(code).toBe(2);
    expect(readdirSync(folder)).not.toContain('bad');
  });

  it('refuses a checkpoint of another scene or version, and writes nothing', async () => {
    mkdirSync(join(folder, 'kept'));
    const path = join(folder, 'kept', 'checkpoint.sim');
    const whole = read('tables', 'checkpoint.sim');
    const other = Uint8Array.from(whole);
    // The version follows eight letters.
    other[8]!++;
    for (const [bytes, file, message] of [
      [
        whole,
        write('other.json', { ...light, gravity: [0, 0, -1] }),
        /of another scene, found other gravity, expected one of this scene$/,
      ],
      [other, 'light.json', /version/],
    ] as const) {
      writeFileSync(path, bytes);
      const { code, stderr } = await run(file, '--out', 'kept', '--resume');
      expect(stderr).toMatch(/^scree: kept.checkpoint\.sim: .*\n$/);
      expect(stderr.trim()).toMatch(message);
      expect(code).toBe(2);
      expect(readdirSync(join(folder, 'kept'))).toEqual(['checkpoint.sim']);
    }
  });

  it.runIf(canHold)(
    'saves and ends with 75 after a time, and writes no series where none is wanted',
    async () => {
      const to = (out: string, ...more: string[]) => run('light.json', '--out', out, ...more);
      held.short.child.kill('SIGCONT');
      expect(await held.short.ended).toMatchObject({
        code: 75,
        stderr: expect.stringMatching(/\nscree: stopped after 10 s, not done yet\n$/),
      });
      const files = ['checkpoint.sim', 'monitors.csv', 'monitors.svg'];
      expect(readdirSync(join(folder, 'short')).sort()).toEqual(files);
      // A series that begins in the middle names the frames that are there.
      const further = ['--duration', `${fortyStepsOn('short')}`, '--json'];
      const rest = await to('short', ...further, '--resume');
      expect(JSON.parse(rest.stdout).stateHash).toBe(
        JSON.parse((await to('unbroken', ...further)).stdout).stateHash,
      );
      const series = read('short', 'series.pvd').toString();
      const listed = [...series.matchAll(/ file="([^"]*)"/g)].map((match) => match[1]!);
      expect(listed.length).toBeGreaterThan(0);
      expect(readdirSync(join(folder, 'short')).sort()).toEqual([...files, 'series.pvd', ...listed].sort());
      // One without begins anew: nothing of the earlier one is left.
      await to('short', '--duration', '1e-9', '--no-series');
      expect(readdirSync(join(folder, 'short')).sort()).toEqual(files);
    },
  );

  it.runIf(canHold)(
    'saves every 10 s, also where frames are rare: a run that is killed goes on',
    async () => {
      held.killed.child.kill('SIGCONT');
      while (!existsSync(join(folder, 'killed', 'checkpoint.sim'))) await sleep(20);
      held.killed.child.kill('SIGKILL');
      expect((await held.killed.ended).code).toBe(137);
      const to = (out: string, duration: number, ...more: string[]) =>
        run('light.json', '--out', out, '--frames', '1', '--duration', `${duration}`, ...more, '--json');
      const further = fortyStepsOn('killed');
      const [resumed, whole] = [await to('killed', further, '--resume'), await to('unbroken', further)];
      expect(JSON.parse(resumed.stdout).stateHash).toBe(JSON.parse(whole.stdout).stateHash);
    },
  );
});
