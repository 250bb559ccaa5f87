/** `scree serve`: calls of another program, from Node by hand, and from Python where it is with NumPy. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeNpy, parseNpy } from '../../src/io/npy.ts';
import { distFolder, scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
const python = resolve(import.meta.dirname, '../../examples/python');
const scene = {
  shapes: { ground: { kind: 'plane' }, ball: { kind: 'sphere', radius: 0.5 } },
  materials: { soft: { density: 1000, youngsModulus: 1e6 } },
  bodies: [
    { name: 'ground', shape: 'ground' },
    { name: 'ball', shape: 'ball', position: [0, 0, 0.49] },
  ],
};
writeFileSync(join(folder, 'scene.json'), JSON.stringify(scene));

type Answer = Record<string, unknown> & { readonly arrays: Record<string, number[]> };

/** Makes calls one after the other, ends the input, and gives what came back. */
async function served(...calls: readonly (string | [object, Record<string, Uint8Array>?])[]) {
  const child = spawn(process.execPath, [join(distFolder, 'cli.js'), 'serve', '--backend', 'cpu'], {
    cwd: folder,
  });
  const pieces: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.on('data', (piece: Buffer) => {
    stderr += piece;
  });
  for (const call of calls) {
    if (typeof call === 'string') child.stdin.write(call);
    else {
      const [head, files = {}] = call;
      const arrays = Object.entries(files).map(([name, { length }]) => [name, length]);
      child.stdin.write(`${JSON.stringify({ ...head, arrays })}\n`);
      // In small pieces, as a pipe may bring them.
      for (const file of Object.values(files)) {
        for (let at = 0; at < file.length; at += 37) child.stdin.write(file.subarray(at, at + 37));
      }
    }
  }
  child.stdin.end();
  const code = await new Promise<number | null>((done) => child.on('close', done));
  const bytes = Buffer.concat(pieces);
  const answers: Answer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const head = JSON.parse(bytes.toString('utf8', at, end));
    at = end + 1;
    const arrays: Record<string, number[]> = {};
    for (const [name, length] of head.arrays) {
      arrays[name] = [
        ...(parseNpy(Uint8Array.from(bytes.subarray(at, at + length)), name).data as Float64Array),
      ];
      at += length;
    }
    answers.push({ ...head, arrays });
  }
  return { code, stderr, answers };
}

const poses = (height: number) =>
  encodeNpy(Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, height, 0, 0, 0, 1), [2, 7]);

describe('scree serve', () => {
  it('keeps bodies between calls: contacts, steps and flags', async () => {
    const vertices = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    const triangles = Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    const { code, stderr, answers } = await served(
      [{ call: 'contacts', scene }],
      [{ call: 'detect', id: 1 }, { poses: poses(0.49) }],
      [{ call: 'detect', id: 1, tag: 'second' }, { poses: poses(0.6) }],
      [{ call: 'simulation', scene: 'scene.json' }],
      [{ call: 'step', id: 2, count: 3, read: ['forces', 'velocities'], forces: true }],
      [{ call: 'step', id: 2, count: 0, read: ['poses'] }, { poses: poses(2) }],
      [
        { call: 'polyhedron' },
        { vertices: encodeNpy(vertices, [4, 3]), triangles: encodeNpy(triangles, [4, 3]) },
      ],
      [
        { call: 'classify', id: 3 },
        { points: encodeNpy(Float64Array.of(0.1, 0.1, 0.1, 1, 1, 1, 0, 0.2, 0.2), [3, 3]) },
      ],
      [{ call: 'close', id: 1 }],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(answers[0]).toMatchObject({ id: 1, bodies: 2, names: ['ground', 'ball'] });
    expect(answers[1]).toMatchObject({ count: 1, arrays: { bodies: [0, 1] } });
    expect(answers[1]!.arrays.distances![0]).toBeCloseTo(-0.01, 12);
    expect(answers[2]).toMatchObject({ tag: 'second', count: 0, arrays: { bodies: [], points: [] } });
    expect(answers[3]).toMatchObject({ id: 2, timeStep: expect.any(Number) });
    const { arrays, monitors } = answers[4]!;
    expect(monitors).toMatchObject({ steps: 3, contacts: 1 });
    expect(arrays.pairs).toEqual([0, 1]);
    // The force of the contact less the ball's weight is what acts on it.
    const weight = (1000 * Math.PI * 9.81) / 6;
    expect(arrays.pairForces![2]! - weight).toBeCloseTo(arrays.forces![5]!, 0);
    expect(arrays.velocities![5]!).not.toBe(0);
    expect(answers[5]!.arrays.poses!.slice(7, 10)).toEqual([0, 0, 2]);
    expect(answers[7]!.arrays.flags).toEqual([1, 0, 2]);
    expect(answers[8]).toEqual({ arrays: {} });
  });

  it('answers each mistake with a line, and goes on', async () => {
    const { code, answers } = await served(
      'what?\n\n',
      [{ call: 'dance' }],
      [{ call: 'contacts' }],
      [{ call: 'contacts', scene: 'none.json', tag: 7 }],
      [{ call: 'contacts', scene: { ...scene, bodies: [{ shape: 'wall' }] } }],
      [{ call: 'detect', id: 1 }, { poses: poses(1) }],
      [{ call: 'contacts', scene }],
      [{ call: 'step', id: 1 }],
      [{ call: 'detect', id: 1 }],
      [{ call: 'detect', id: 1 }, { poses: new TextEncoder().encode('no array') }],
      [{ call: 'detect', id: 1 }, { poses: encodeNpy(new Float64Array(7), [1, 7]) }],
      [{ call: 'simulation', scene }],
      [{ call: 'step', id: 2, read: ['colours'] }],
      [{ call: 'step', id: 2, count: -1 }],
      [{ call: 'detect', id: 1 }, { poses: poses(0.49) }],
    );
    expect(code).toBe(0);
    const lines = answers.map(({ error }) => error as string | undefined);
    for (const [i, start] of [
      'found "what?", expected a JSON object with a call',
      'call is "dance", expected contacts, simulation, polyhedron, detect, step, classify, close',
      'scene is missing, expected a scene or the name of its file',
      'none.json: no such file',
      'scene: bodies[0].shape is "wall", expected',
      'id is 1, expected one that was opened',
      undefined,
      'step: id 1 is of contacts, expected one of simulation',
      'poses is missing, expected an array of float32 or float64',
      'poses: ',
      'poses: 7 number',
      undefined,
      'read: found "colours", expected poses, ',
      'step: found -1, expected a whole number of steps',
      undefined,
    ].entries()) {
      if (start === undefined) expect(lines[i]).toBeUndefined();
      else {
        expect(lines[i]!.slice(0, start.length)).toBe(start);
        expect(lines[i]).not.toContain('\n');
      }
    }
    expect(answers[3]!.tag).toBe(7);
    expect(answers.at(-1)).toMatchObject({ count: 1 });
  });

  it('ends with a line where its input ends in the middle of an array', async () => {
    const { code, stderr, answers } = await served('{"call":"detect","id":1,"arrays":[["poses",9999]]}\nabc');
    expect(answers).toEqual([]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'scree: standard input: ended after 3 of 9999 bytes of an array\n',
    });
  });
});

const hasNumPy = (() => {
  try {
    return (
      execFileSync('python3', ['-c', 'import numpy, sys; assert sys.version_info >= (3, 10)'], {
        stdio: 'ignore',
      }) !== undefined
    );
  } catch {
    return false;
  }
})();

describe.skipIf(!hasNumPy)('examples/python, where Python 3.10 with NumPy is', () => {
  it('the client gets the contacts that scree contacts finds, and mistakes as errors', async () => {
    const script = `
import sys; sys.path.insert(0, ${JSON.stringify(python)})
import json, numpy as np
from scree import Scree, ScreeError
command = ${JSON.stringify([process.execPath, join(distFolder, 'cli.js')])}
with Scree("--backend", "cpu", command=command) as scree:
    one = scree.call("contacts", scene="scene.json")
    found = scree.call("detect", id=one["id"], arrays={"poses": one["poses"]})
    assert found["points"].dtype == np.float64 and found["bodies"].shape == (1, 2)
    try:
        scree.call("detect", id=9)
        error = None
    except ScreeError as caught:
        error = str(caught)
    big = np.asfortranarray(np.tile(one["poses"][1], (2, 1))); big[0] = one["poses"][0]; big[1, 2] = 0.45
    again = scree.call("detect", id=one["id"], arrays={"poses": big})
    print(json.dumps([found["distances"].tolist(), error, again["distances"].tolist()]))
`;
    const printed = execFileSync('python3', ['-c', script], { cwd: folder, encoding: 'utf8' });
    const [distances, error, again] = JSON.parse(printed);
    const plain = await scree(['contacts', 'scene.json', '--out', 'contacts.json', '--quiet'], {
      cwd: folder,
    });
    expect(plain.code).toBe(0);
    const { contacts } = JSON.parse(readFileSync(join(folder, 'contacts.json'), 'utf8'));
    expect(distances).toEqual(contacts.map(({ distance }: { distance: number }) => distance));
    expect(error).toBe('id is 9, expected one that was opened');
    expect(again[0]).toBeCloseTo(-0.05, 12);
  });

  it('the YADE script is Python that YADE can read', () => {
    const file = join(python, 'yade_polyhedra.py');
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', file]);
  });

  it('throughput.py measures Python and Node side by side', () => {
    const script = `
import sys; sys.path.insert(0, ${JSON.stringify(python)}); sys.argv[1:] = ["8"]
from scree import Scree
Scree.__init__.__kwdefaults__["command"] = ${JSON.stringify([process.execPath, join(distFolder, 'cli.js')])}
exec(open(${JSON.stringify(join(python, 'throughput.py'))}).read().replace("SECONDS = 5, 1", "SECONDS = 1, 0.1"))
`;
    const printed = execFileSync('python3', ['-c', script], {
      cwd: resolve(python, '../..'),
      encoding: 'utf8',
    });
    const [, , row] = printed.split('\n');
    expect(row).toMatch(/^\| 8 \| 1\.\d+ kB \| \d+ \| \d+ \| \d+ \| \d+ \| \d+\.\d\d \|$/);
  });
});
