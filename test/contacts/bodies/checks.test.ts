import { describe, expect, it } from 'vitest';
import { checkedPoses, mayTouch, resolveBodies } from '../../../src/contacts/bodies/check-bodies.ts';
import { namesOf, requireContactShapes } from '../../../src/contacts/bodies/check-shapes.ts';
import type { ContactBodies, ContactShape } from '../../../src/contacts/bodies/contact-shape.ts';
import { readMesh } from '../../../src/index.ts';
import { buildEdgeTable } from '../../../src/mesh/edges.ts';
import { randomRock } from '../../../src/mesh/generate-rock.ts';
import { partsOf } from '../../../src/mesh/topology.ts';
import { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { dataPath, describeWithData } from '../../support/data.ts';
import { boxMesh, joinMeshes, mapMesh } from '../../support/shapes.ts';

const rock = randomRock({ triangles: 80, seed: 1, convex: false });
const sphere: ContactShape = { kind: 'sphere', radius: 1 };
const plane: ContactShape = { kind: 'plane' };

function remade(change: (indices: Uint32Array) => Uint32Array): TriangleMesh {
  return new TriangleMesh({
    positions: rock.positions,
    indices: change(rock.indices.slice()),
    name: 'rock.stl',
  });
}
const open = remade((indices) => indices.slice(3));
const named = (name: string) => new TriangleMesh({ positions: open.positions, indices: open.indices, name });
const insideOut = remade((indices) => indices.reverse());
const flat = new TriangleMesh({
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  indices: Uint32Array.of(0, 1, 2, 0, 2, 1),
  name: 'flat.stl',
});
const turned = remade((indices) => new Uint32Array([...indices.slice(0, 3).reverse(), ...indices.slice(3)]));

const check = (shape: unknown) => () =>
  requireContactShapes([sphere, shape as ContactShape], ['ball', 'rock']);

describe('shapes', () => {
  it('of all kinds pass', () => {
    expect(
      check({ kind: 'polyhedron', mesh: rock, nodeSpacing: 0.1, reach: 0.2, sharpAngle: 0.7 }),
    ).not.toThrow();
    expect(check({ kind: 'polyhedron', mesh: { mesh: rock, rules: ['odd'] } })).not.toThrow();
    expect(check({ kind: 'polyhedron', mesh: insideOut })).not.toThrow();
    expect(check(plane)).not.toThrow();
  });

  it.each<[unknown, string]>([
    [{ kind: 'ball' }, 'rock: kind is "ball", expected point, segment, '],
    [{}, 'rock: kind is missing, expected point, segment, '],
    [undefined, 'rock: found undefined, expected point, '],
    [{ kind: 'plane', offset: 1 }, 'rock: unknown field of kind plane: "offset", expected kind'],
    [{ kind: 'sphere', radius: -1 }, 'rock: radius is -1, expected 0 or a length'],
    [{ kind: 'polyhedron' }, 'rock: mesh: found undefined, expected a TriangleMesh'],
    [{ kind: 'polyhedron', mesh: { mesh: rock } }, 'rock: mesh: found an object, expected a TriangleMesh'],
    [
      { kind: 'polyhedron', mesh: 'rock.stl' },
      'rock: mesh: found "rock.stl", expected a TriangleMesh: readMesh',
    ],
    [{ kind: 'polyhedron', mesh: rock, spacing: 1 }, 'rock: unknown field of kind polyhedron: "spacing"'],
    [{ kind: 'polyhedron', mesh: rock, nodeSpacing: 0 }, 'rock: nodeSpacing is 0, expected a length above 0'],
    [{ kind: 'polyhedron', mesh: rock, reach: Number.NaN }, 'rock: reach is NaN, expected a length above 0'],
    [
      { kind: 'polyhedron', mesh: rock, sharpAngle: 200 },
      'rock: sharpAngle is 200, expected radians from 0 to pi',
    ],
    [
      { kind: 'polyhedron', mesh: open },
      'rock: rock.stl: the surface is open: 3 edges with an odd number of faces',
    ],
    [
      { kind: 'polyhedron', mesh: turned },
      'rock: rock.stl: the surface is not consistently oriented: 3 edges',
    ],
    [{ kind: 'polyhedron', mesh: named('rock') }, 'rock: the surface is open: 3 edges'],
    [{ kind: 'polyhedron', mesh: named('ock') }, 'rock: ock: the surface is open: 3 edges'],
    [{ kind: 'polyhedron', mesh: flat }, 'rock: flat.stl: the mesh is flat: an enclosed volume of 0 found'],
  ])('%j', (shape, message) => {
    expect(check(shape)).toThrow(message);
    expect(check(shape)).not.toThrow('\n');
  });

  it('of several parts look to one side, cavities to the other, solids in these to the first', () => {
    const box = (size: number, options: { flip?: boolean; at?: number } = {}) =>
      mapMesh(
        boxMesh([-size, -size, -size], [size, size, size]),
        (x, y, z) => [x + (options.at ?? 0), y, z],
        options,
      );
    const mesh = (...boxes: TriangleMesh[]) => ({ kind: 'polyhedron', mesh: joinMeshes(boxes, 'boxes.stl') });
    const flip = true;
    expect(check(mesh(box(1), box(1, { at: 3 })))).not.toThrow();
    expect(check(mesh(box(3), box(2, { flip }), box(1)))).not.toThrow();
    expect(check(mesh(box(3, { flip }), box(2), box(1, { flip })))).not.toThrow();
    // They touch at a face, or pass through each other.
    expect(check(mesh(box(1), box(1, { at: 2 })))).not.toThrow();
    expect(check(mesh(box(1), box(1, { at: 1.5 })))).not.toThrow();
    const turnedTo =
      'faces found that look to the other side than the mesh as a whole, expected all to look outwards';
    const part = (number: number, of: number, corner: string) =>
      `rock: boxes.stl: part ${number} of ${of} (12 triangles, one of them at (${corner})): `;
    expect(check(mesh(box(2), box(1, { at: 4, flip })))).toThrow(`${part(2, 2, '3, -1, -1')}${turnedTo}`);
    expect(check(mesh(box(1, { at: 4 }), box(2, { flip })))).toThrow(`${part(1, 2, '3, -1, -1')}${turnedTo}`);
    expect(check(mesh(box(2), box(1, { at: 2.5, flip })))).toThrow(`${part(2, 2, '1.5, -1, -1')}${turnedTo}`);
    expect(check(mesh(box(3), box(2, { flip }), box(1, { flip })))).toThrow(
      `${part(3, 3, '-1, -1, -1')}${turnedTo}`,
    );
    expect(check(mesh(box(2), box(1)))).toThrow(
      `${part(2, 2, '-1, -1, -1')}found inside another part, its faces to the same side, expected the faces of a ` +
        'cavity to look inwards',
    );
  });

  it('are all there', () => {
    expect(() => requireContactShapes(new Array(2), ['ball', 'rock'])).toThrow(
      'ball: found undefined, expected point',
    );
  });

  it('have names that are texts', () => {
    expect(namesOf('shape', ['a'], 2)).toEqual(['a', 'shape 1']);
    // As scenes call bodies without a name.
    expect(namesOf('body', ['0', 'rock 1'], 2)).toEqual(['body 0', 'rock 1']);
    expect(() => namesOf('shape', [1], 2)).toThrow(
      'names.shapes: found an array of length 1, expected an array of texts',
    );
    expect(() => namesOf('body', 'a', 2)).toThrow('names.bodies: found "a", expected an array of texts');
  });
});

describeWithData('read meshes of several parts', () => {
  const hard = dataPath('hard/unequal_parts_20k.obj');

  it.each(['hard/unequal_parts_20k.obj', 'good/two_spheres_overlap.obj', 'good/shaker.stl'])(
    '%s passes, whichever way its faces look',
    async (file) => {
      const mesh = await readMesh(dataPath(file));
      expect(check({ kind: 'polyhedron', mesh })).not.toThrow();
      expect(check({ kind: 'polyhedron', mesh: turnedIn(mesh, () => true) })).not.toThrow();
    },
  );

  it('are refused with any one part turned', async () => {
    const mesh = await readMesh(hard);
    const { parts, count } = partsOf(mesh.indices, buildEdgeTable(mesh.indices, mesh.vertexCount));
    expect(count).toBe(12);
    for (let part = 0; part < count; part++) {
      const turnedPart = turnedIn(mesh, (t) => parts[t] === part);
      expect(check({ kind: 'polyhedron', mesh: turnedPart })).toThrow(/part \d+ of 12 .*expected/);
    }
  });
});

/** The mesh with some triangles turned. */
function turnedIn({ positions, indices, name }: TriangleMesh, isTurned: (triangle: number) => boolean) {
  const changed = indices.slice();
  for (let t = 0; 3 * t < changed.length; t++)
    if (isTurned(t)) changed.subarray(3 * t + 1, 3 * t + 3).reverse();
  return new TriangleMesh({ positions, indices: changed, name });
}

const bodiesOf = (bodies: ContactBodies) =>
  resolveBodies(bodies, [sphere, plane], (count) => namesOf('body', ['floor'], count));

describe('bodies', () => {
  it('have all that is left open, in arrays of their own', () => {
    const shapes = Uint32Array.of(1, 0, 0);
    const bodies = bodiesOf({ shapes });
    shapes[0] = 0;
    expect(bodies).toMatchObject({
      count: 3,
      shapes: Uint32Array.of(1, 0, 0),
      isStatic: Uint8Array.of(1, 0, 0),
    });
    expect(bodies.groups).toEqual(Uint32Array.of(1, 1, 1));
    expect(bodies.masks).toEqual(new Uint32Array(3).fill(2 ** 32 - 1));
  });

  it('touch where groups and masks say so, in both directions, and one moves', () => {
    const bodies = bodiesOf({
      shapes: Uint32Array.of(0, 0, 0, 1),
      isStatic: Uint8Array.of(0, 0, 1, 0),
      groups: Uint32Array.of(1, 2 ** 31, 1, 1),
      masks: Uint32Array.of(2 ** 31 + 1, 1, 1, 1),
    });
    expect(mayTouch(bodies, 0, 1)).toBe(true);
    expect(mayTouch(bodies, 0, 2)).toBe(true);
    expect(mayTouch(bodies, 1, 2)).toBe(false);
    expect(mayTouch(bodies, 2, 3)).toBe(false);
  });

  it.each<[unknown, string]>([
    [[0], 'bodies: found an array of length 1, expected an object with shapes'],
    [{ shapes: [0] }, 'bodies.shapes: found an array of length 1, expected a Uint32Array'],
    [{ shapes: Uint32Array.of(0, 2) }, 'bodies.shapes: body 1 has the shape 2, expected a number below 2'],
    [{ shapes: Uint32Array.of(2) }, 'bodies.shapes: floor has the shape 2'],
    [{ shapes: Uint32Array.of(0), group: 1 }, 'bodies: unknown field "group"'],
    [
      { shapes: Uint32Array.of(0), groups: Uint32Array.of(1, 1) },
      'bodies.groups: 2 numbers found, expected one per body, 1',
    ],
    [
      { shapes: Uint32Array.of(0), masks: Uint8Array.of(1) },
      'bodies.masks: found a Uint8Array of length 1, expected a Uint32Array',
    ],
    [
      { shapes: Uint32Array.of(0), isStatic: Uint8Array.of(2) },
      'bodies.isStatic: floor has 2, expected 0 or 1',
    ],
  ])('%j', (bodies, message) => {
    expect(() => bodiesOf(bodies as ContactBodies)).toThrow(message);
  });
});

describe('poses', () => {
  const bodies = bodiesOf({ shapes: Uint32Array.of(0, 0) });
  const good = [0, 0, 0, 0, 0, 0, 1];

  it('are copied into float64', () => {
    const poses = Float32Array.of(...good, 1, 2, 3, 0, 0, 1, 0);
    const copy = checkedPoses(poses, bodies);
    poses.fill(9);
    expect(copy).toEqual(Float64Array.of(...good, 1, 2, 3, 0, 0, 1, 0));
  });

  it.each<[unknown, string]>([
    [[...good, ...good], 'poses: found an array of length 14, expected a Float32Array or Float64Array'],
    [Float64Array.of(...good), 'poses: 7 numbers found, expected 14: 7 for each of 2 bodies'],
    [
      Float64Array.of(...good, 0, Number.NaN, 0, 0, 0, 0, 1),
      'poses: body 1: position is [0,NaN,0], expected three',
    ],
    [
      Float64Array.of(Infinity, 0, 0, 0, 0, 0, 1, ...good),
      'poses: floor: position is [Infinity,0,0], expected three',
    ],
    [
      Float64Array.of(...good, 0, 0, 0, 0, 0, 0, 1.01),
      'poses: body 1: rotation is [0,0,0,1.01] of length 1.01',
    ],
    [
      Float64Array.of(...good, 0, 0, 0, 0, 0, Number.NaN, 1),
      'of length NaN, expected a quaternion x, y, z, w of length 1',
    ],
  ])('%s', (poses, message) => {
    expect(() => checkedPoses(poses as Float64Array, bodies)).toThrow(message);
  });
});
