import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { platform } from '#platform';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { readToEnd } from '../../src/platform/pieces.ts';
import { type RunOptions, scree, startScree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const posix = process.platform !== 'win32';

beforeAll(async () => {
  const { code } = await scree(['generate', 'sphere', '--refinements', '2', '--out', 'ball.ply'], {
    cwd: folder,
  });
  expect(code).toBe(0);
});

/** Makes a run end with its peak memory on standard error. On Linux `maxRSS` begins with the parent's peak. */
const TELL_PEAK = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    import { readFileSync } from 'node:fs';
    process.on('exit', () => {
      let peak = process.resourceUsage().maxRSS;
      try { peak = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]; } catch {}
      process.stderr.write('peak ' + peak + '\\n');
    });`)}`,
];

/** Runs scree, and also returns its peak memory in MB. */
async function withPeak(args: readonly string[], options: RunOptions = {}) {
  const { code, stderr } = await scree(args, { cwd: folder, ...options, node: TELL_PEAK });
  const [, line, peak] = /^(.*)peak (\d+)\n$/s.exec(stderr)!;
  return { code, line: line!, megabytes: Number(peak) / 1024 };
}

describe.runIf(process.platform === 'linux')('a pipe that nobody writes to', () => {
  beforeAll(() => execFileSync('mkfifo', [file('pipe')]));

  // All at once, as each waits for most of its time.
  it.concurrent.each([
    ['SIGINT', 130, ['check', 'pipe']],
    ['SIGTERM', 143, ['classify', 'pipe', '--grid', '3']],
    ['SIGTERM', 143, ['classify', 'ball.ply', '--points', 'pipe', '--out', 'flags.npy']],
    ['SIGINT', 130, ['classify', 'ball.ply', '--points', 'pipe', '--out', 'flags.csv']],
    ['SIGTERM', 143, ['winding', 'ball.ply', '--points', 'pipe']],
    ['SIGINT', 130, ['pairs', 'pipe']],
  ] as [NodeJS.Signals, number, string[]][])('is given up at %s: code %i, %j', async (signal, code, args) => {
    const running = startScree(args, { cwd: folder });
    // Long enough for the command to come to the pipe. Before that it hears the signal as well.
    const soon = setTimeout(() => running.child.kill(signal), 1500);
    const late = setTimeout(() => running.child.kill('SIGKILL'), 60_000);
    const ended = await running.ended;
    clearTimeout(soon);
    clearTimeout(late);
    // If there is nothing to say or undo, the signal itself ends the process.
    if (running.child.signalCode === null) expect(ended.stderr).toMatch(/(^|\n)scree: interrupted\n$/);
    else expect(running.child.signalCode).toBe(signal);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
    expect(existsSync(file('flags.npy'))).toBe(false);
  });
});

it.runIf(process.platform === 'linux')(
  'a mesh that is read and checked for seconds is given up at once',
  async () => {
    execFileSync('mkfifo', [file('fine.obj')]);
    const running = startScree(['check', 'fine.obj', '--weld', '1e-6'], { cwd: folder });
    // As soon as the last bytes are taken: all of the work is still to be done, however fast the machine is.
    await writeFile(file('fine.obj'), encodeMesh(unitSphere(8), 'obj'));
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 143, stdout: '' });
  },
);

describe.runIf(posix)('what has no size', () => {
  it('is not read where it is a device', async () => {
    const { code, line, megabytes } = await withPeak(['check', '/dev/zero']);
    expect(line).toBe('scree: /dev/zero: is a device, expected a file or a pipe\n');
    expect(code).toBe(2);
    expect(megabytes).toBeLessThan(400);
  });

  it('is read to the bound of files, and no further', async () => {
    execFileSync('mkfifo', [file('endless')]);
    const reading = platform.openFile(file('endless'));
    const writer = spawn('sh', ['-c', 'exec cat /dev/zero > "$1"', 'sh', file('endless')], {
      stdio: 'ignore',
    });
    const ended = new Promise((settle) => writer.on('close', settle));
    const opened = await reading;
    expect(opened.size).toBeUndefined();
    const limit = 1_000_003;
    await expect(readToEnd(opened, limit, (found) => new Error(found))).rejects.toThrow(
      `more than ${limit} bytes`,
    );
    await opened.close();
    // By now nobody reads the pipe any more.
    await ended;
  });

  it.runIf(existsSync('/proc/self/status'))('is read whole where it is a file of /proc', async () => {
    const bytes = await platform.readFile('/proc/self/status');
    expect(new TextDecoder().decode(bytes)).toMatch(/^Name:.*VmHWM:/s);
  });
});

describe('gzip data that inflate without an end', () => {
  it('are given up early, with the limit', async () => {
    const member = gzipSync(new Uint8Array(1 << 24));
    const bomb = Buffer.concat(Array.from({ length: 512 }, () => member));
    writeFileSync(file('bomb.gz'), bomb);
    const { code, line, megabytes } = await withPeak(['check', 'bomb.gz']);
    const expected = 'expected at most 256 times as many, or 67108864';
    const found = new RegExp(
      `^scree: bomb\\.gz: found gzip data of which (\\d+) bytes inflate to more than (\\d+), ${expected}\\n$`,
    ).exec(line);
    expect(line).toBe(found?.[0]);
    expect(Number(found![1])).toBeLessThan(bomb.length / 20);
    expect(Number(found![2])).toBe(2 ** 26);
    expect(code).toBe(2);
    expect(megabytes).toBeLessThan(700);
  });

  it('are read where they are honest', async () => {
    const body = readFileSync(file('ball.ply'));
    writeFileSync(file('ball.ply.gz'), gzipSync(body));
    expect((await scree(['check', 'ball.ply.gz'], { cwd: folder })).code).toBe(0);
    writeFileSync(file('short.gz'), gzipSync(body).subarray(0, 500));
    const { code, stderr } = await scree(['check', 'short.gz'], { cwd: folder });
    expect(stderr).toBe('scree: short.gz: damaged gzip data (unexpected end of file)\n');
    expect(code).toBe(2);
  });
});

describe.runIf(posix)('- for standard input', () => {
  const from = (input: string, args: string) => scree([], { cwd: folder, shell: `${input} "$@" ${args}` });

  it('is the mesh, the points or the scene, from a pipe or a file', async () => {
    const whole = await scree(['check', 'ball.ply'], { cwd: folder });
    for (const input of ['cat ball.ply |', '< ball.ply']) {
      const { code, stdout } = await from(input, 'check -');
      expect(stdout).toBe(whole.stdout.replace('ball.ply', 'standard input'));
      expect(code).toBe(0);
    }
    const points = await from('cat ball.ply |', 'classify ball.ply --points - --json --quiet --backend cpu');
    expect(points).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(points.stdout)).toMatchObject({ points: 66, boundary: 66 });
    const scene =
      '{"shapes":{"s":{"kind":"sphere","radius":1}},"bodies":[{"shape":"s"},{"shape":"s","position":[3,0,0]}]}';
    writeFileSync(file('scene.json'), scene);
    const pairs = await from('cat scene.json |', 'pairs - --json --quiet --backend cpu');
    expect(JSON.parse(pairs.stdout)).toMatchObject({ pairs: 1, leastDistance: 1 });
  });

  it.each([
    [
      'check -',
      'standard input: found an empty file, expected STL, OBJ, PLY or OFF, as it is or compressed with gzip',
    ],
    ['classify - --points -', 'standard input (-) can be read once, found it named twice'],
    [
      'classify ball.ply --points - --out -',
      "option '--out <file>': standard output is for the report, expected the name of a file",
    ],
    [
      'generate sphere --out -',
      "option '--out <file>': standard output is for the report, expected the name of a file",
    ],
  ])('scree %s: one line', async (args, line) => {
    const { code, stdout, stderr } = await from('</dev/null cat |', args);
    expect(stderr).toBe(`scree: ${line}\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('a message', () => {
  const LONG = 'x'.repeat(100_000);
  const scene = (value: object) => ({
    shapes: { s: { kind: 'sphere', radius: 1 } },
    bodies: [{ shape: 's' }],
    ...value,
  });

  it.each([
    ['the name of a shape', scene({ shapes: { [LONG]: { kind: 'ball' } } })],
    [
      'the size of a shape with a long name',
      scene({ shapes: { [LONG]: { kind: 'sphere', radius: -1 } }, bodies: [] }),
    ],
    ['a shape that is missing', scene({ bodies: [{ shape: LONG }] })],
    [
      'names of bodies',
      scene({
        bodies: [
          { shape: 's', name: LONG },
          { shape: 's', name: LONG },
        ],
      }),
    ],
    ['a body that is missing', scene({ bodies: [{ shape: 's', name: LONG }], pairs: [['y', LONG]] })],
    ['a field', scene({ [LONG]: 1 })],
    ['a mesh file', scene({ shapes: { s: { kind: 'mesh', file: LONG } } })],
    ['shapes in a circle', scene({ shapes: { [LONG]: { kind: 'sum', a: LONG, b: LONG } } })],
  ])('does not repeat all of %s', async (_, value) => {
    writeFileSync(file('long.json'), JSON.stringify(value));
    const { code, stderr } = await scree(['pairs', 'long.json', '--quiet', '--backend', 'cpu'], {
      cwd: folder,
    });
    expect(stderr).toMatch(/^scree: long\.json: [^\n]+xxx(\.\.\.|…)[^\n]*\n$/);
    expect(stderr.length).toBeLessThan(2100);
    expect(code).toBe(2);
  });

  it('does not repeat all of an argument', async () => {
    for (const args of [['classify', 'ball.ply', '--grid', LONG], ['check', LONG], [LONG]]) {
      const { code, stderr } = await scree(args, { cwd: folder });
      expect(stderr).toMatch(/^scree: [^\n]+xxx(\.\.\.|…)[^\n]*\n$/);
      expect(stderr.length).toBeLessThan(2100);
      expect(code).toBe(2);
    }
  });
});

describe('small things', () => {
  it('generate without a body says which there are', async () => {
    const { code, stdout, stderr } = await scree(['generate']);
    expect(stderr).toBe(
      'scree: no command after generate, expected sphere, foam or rock (--help tells more)\n',
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('a grid that is too fine points to --points', async () => {
    const { stderr } = await scree(['classify', 'ball.ply', '--grid', '5000'], { cwd: folder });
    expect(stderr).toMatch(/from 1 to 710\. For more points give a file with --points\.\n$/);
  });

  it('one point is one point, and a grid is made and not read', async () => {
    writeFileSync(file('one.csv'), '1 0 0\n');
    const one = ['classify', 'ball.ply', '--points', 'one.csv', '--backend', 'cpu', '--quiet'];
    const { stdout } = await scree(one, { cwd: folder });
    expect(stdout).toMatch(/settled exactly +1 point that the method was not certain of/);
    expect(stdout).not.toMatch(/^ {2}make /m);
    const grid = await scree(
      ['classify', 'ball.ply', '--grid', '9', '--backend', 'cpu', '--quiet', '--json'],
      { cwd: folder },
    );
    expect((JSON.parse(grid.stdout) as { seconds: object }).seconds).toMatchObject({
      make: expect.any(Number),
    });
  });

  it('says what the GPU was taken for', async () => {
    const args = ['classify', 'ball.ply', '--grid', '9', '--adapter', 'software', '--quiet', '--json'];
    const reason = async (more: string[]) =>
      (JSON.parse((await scree([...args, ...more], { cwd: folder })).stdout) as { reason: string }).reason;
    expect(await reason([])).toMatch(/; --adapter software was asked for$/);
    expect(await reason(['--backend', 'gpu'])).toMatch(/; gpu was asked for$/);
  });
});
