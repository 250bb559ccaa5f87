import tgpu from 'typegpu';
import * as d from 'typegpu/data';
import { describe, expect, it } from 'vitest';
import argumentWgsl from '../../../shaders/common/argument.wgsl';
import { FLOAT32_SPACING } from '../../../src/constants.ts';
import { bind } from '../../../src/gpu/bind.ts';
import { BufferPool, readBack } from '../../../src/gpu/buffers.ts';
import { getKernel } from '../../../src/gpu/kernel.ts';
import { Recorder } from '../../../src/gpu/recorder.ts';
import { assembleShader } from '../../../src/gpu/shader.ts';
import { NearFieldBuilder } from '../../../src/inside/multipole/boundary.ts';
import {
  boundsInSteps,
  convertInSteps,
  downwardPass,
  finishSteps,
  gatherBounds,
  setUpMultipole,
} from '../../../src/inside/multipole/field.ts';
import { coefficientCount } from '../../../src/inside/multipole/harmonics.ts';
import { buildPanels, orderedCorners } from '../../../src/inside/multipole/panels.ts';
import { clusterReaches, roundedColumns, roundings } from '../../../src/inside/multipole/rounding.ts';
import { MultipoleStages } from '../../../src/inside/multipole/stages.ts';
import { localQuads, momentQuads, packCells, packFactors } from '../../../src/inside/multipole/tables.ts';
import { ARGUMENT_ERROR } from '../../../src/inside/potential/constants.ts';
import { unitScale, unitVertices } from '../../../src/inside/potential/unit-frame.ts';
import { localSurface } from '../../../src/inside/surface.ts';
import { openCellFoam } from '../../../src/mesh/generate-foam.ts';
import { unitSphere } from '../../../src/mesh/generate-sphere.ts';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.ts';
import { useDevice } from '../../support/device.ts';
import { boxMesh, joinMeshes, mapMesh } from '../../support/shapes.ts';

const device = useDevice();
const foam = openCellFoam({ triangles: 4000, seed: 6 });
const graded = joinMeshes([
  boxMesh([-20, -2, -2], [3, 2, 2]),
  mapMesh(unitSphere(3), (x, y, z) => [0.5 * x, 0.5 * y, 0.5 * z]),
]);

/** Twin and stages of a mesh, with the same trees and lists. */
function prepare(
  mesh: TriangleMesh,
  options: { p: number; d: number; depth: number; pageSize: number | undefined },
) {
  const { p, d, depth, pageSize } = options;
  const errorDegree = Math.min(p + 4, 12);
  const surface = localSurface(mesh);
  const twin = setUpMultipole(surface, { p, d, depth, errorDegree });
  const { source, evaluation } = twin;
  const scale = unitScale(source.root.edge);
  const corners = orderedCorners(surface, source.order);
  const pool = new BufferPool(device());
  const near = new NearFieldBuilder(buildPanels(surface, source, evaluation), evaluation).finish();
  const cells = pool.upload('cells', packCells(source, evaluation, near, scale));
  const stages = new MultipoleStages(
    device(),
    {
      ...{ source, evaluation, p, errorDegree, d, scale, corners, pageSize },
      vertices: pool.upload('vertices', unitVertices(surface, scale)),
      factors: pool.upload('factors', packFactors()),
    },
    pool,
  );
  const read = async (buffer: GPUBuffer) => {
    const [bytes] = await readBack(device(), pool, [{ buffer, bytes: buffer.size }]);
    return new Float32Array(bytes!.buffer, bytes!.byteOffset, bytes!.length / 4);
  };
  const destroy = () => {
    stages.destroy();
    pool.destroy();
  };
  return { twin, stages, cells, errorDegree, read, destroy };
}

/** Area-like mass of each cluster in cells, and how far its rounding reaches. */
function masses({ source }: ReturnType<typeof prepare>['twin']) {
  const { triangles: t, firsts, lasts, levelStarts, root, depth } = source;
  const mass = new Float64Array(firsts.length);
  for (let level = 0; level <= depth; level++) {
    const edge = root.edge * 2 ** -level;
    for (let c = levelStarts[level]!; c < levelStarts[level + 1]!; c++) {
      for (let a = 9 * firsts[c]!; a < 9 * lasts[c]!; a += 9) {
        const side = (k: number) =>
          Math.hypot(t[a + k]! - t[a]!, t[a + k + 1]! - t[a + 1]!, t[a + k + 2]! - t[a + 2]!) / edge;
        mass[c]! += (side(3) * side(6)) / 2;
      }
    }
  }
  return { mass, reaches: clusterReaches(source) };
}

describe.each([
  ['a foam', foam],
  ['a graded mesh', graded],
])('the stages for %s are those of the twin', (_name, mesh) => {
  it.each([
    [1, 1.6],
    [2, 1.05],
    [2, 1.6],
    [3, 3],
    [5, 1.6],
    [8, 1.6],
  ])('degree %i, separation %f', async (p, d) => {
    const prepared = prepare(mesh, { p, d, depth: 3, pageSize: p === 2 ? 5000 : undefined });
    const { twin, stages, errorDegree, read } = prepared;
    const { source, evaluation } = twin;
    const { ofDegree } = roundings(source, evaluation, { p, errorDegree });
    const { mass, reaches } = masses(twin);
    const far = source.levelStarts[2]!;
    await stages.upload();

    await stages.p2m();
    await stages.m2m();
    const moments = await read(stages.moments);
    const stride = 4 * momentQuads(errorDegree);
    const size = coefficientCount(errorDegree);
    let largest = 0;
    for (let c = far; c < source.firsts.length; c++) {
      for (let n = 1; n <= errorDegree; n++) {
        let square = 0;
        for (let i = n * n; i < (n + 1) ** 2; i++)
          square += (moments[stride * c + i - 1]! - twin.moments[size * c + i]!) ** 2;
        const bound = (ofDegree[n]! * n * mass[c]! * reaches[c]! ** (n - 1)) / (4 * Math.PI);
        largest = Math.max(largest, Math.sqrt(square) / bound);
      }
    }
    expect(largest).toBeLessThan(0.3);
    expect(largest).toBeGreaterThan(0);

    await stages.momentNorms();
    const norms = await read(stages.norms);
    const columns = roundedColumns(errorDegree, p);
    for (let c = far; c < source.firsts.length; c++) {
      for (let j = 0; j <= errorDegree; j++) {
        const exact = twin.norms[(errorDegree + 1) * c + j]!;
        const degree = Math.min(j + 1, errorDegree);
        const rounding = (ofDegree[degree]! * degree * mass[c]! * reaches[c]! ** j) / (4 * Math.PI);
        const found = norms[columns * c + j]!;
        expect(found).toBeGreaterThanOrEqual(exact * (1 - 1e-14));
        expect(found).toBeLessThanOrEqual(exact * (1 + 2 ** -10) + 2 * rounding + 1e-30);
      }
      for (let n = 1; n <= p; n++) {
        const rounding = (ofDegree[n]! * n * mass[c]! * reaches[c]! ** (n - 1)) / (4 * Math.PI);
        const found = norms[columns * c + errorDegree + n]!;
        expect(found).toBeGreaterThanOrEqual(rounding * (1 - 1e-6));
        expect(found).toBeLessThanOrEqual(rounding * (1 + 2 ** -10) + 1e-30);
      }
    }

    await stages.m2l();
    const degrees = { p, q: p, errorDegree };
    const converted = await read(stages.locals);
    const ownLocals = finishSteps(convertInSteps(evaluation, twin.moments, degrees));
    const ownBounds = finishSteps(boundsInSteps(source, evaluation, twin.norms, { ...degrees, d }));
    const rows = coefficientCount(p);
    const perCell = 4 * (localQuads(p) + 1);
    const magnitude = ownLocals.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const compare = (
      found: Float32Array,
      locals: Float64Array,
      bounds: Float64Array,
      leavesOnly: boolean,
    ) => {
      let [error, growth] = [0, 0];
      for (let c = 0; c < evaluation.levels.length; c++) {
        for (let i = 0; i < rows; i++)
          error = Math.max(error, Math.abs(found[perCell * c + i]! - locals[rows * c + i]!));
        if (leavesOnly && evaluation.firstChildren[c]! > 0) continue;
        for (let row = 0; row < 4; row++) {
          const [bound, exact] = [found[perCell * (c + 1) - 4 + row]!, bounds[4 * c + row]!];
          expect(bound).toBeGreaterThanOrEqual(exact);
          growth = Math.max(growth, bound - exact * 1.001);
        }
      }
      return { error, growth };
    };
    const own = compare(converted, ownLocals, ownBounds, false);
    expect(own.error).toBeLessThan(40 * FLOAT32_SPACING * magnitude);
    // What is added for rounding.
    expect(own.growth).toBeLessThan(5e-3);

    await stages.l2l();
    await stages.leafBounds(prepared.cells);
    downwardPass(evaluation, ownLocals, p);
    gatherBounds(evaluation, ownBounds);
    const all = compare(await read(stages.locals), ownLocals, ownBounds, true);
    expect(all.error).toBeLessThan(80 * FLOAT32_SPACING * magnitude);
    expect(all.growth).toBeLessThan(1e-2);
    prepared.destroy();
  });

  it('and the same bit for bit when repeated, and in pages', async () => {
    const run = async (pageSize: number | undefined) => {
      const { stages, cells, read, destroy } = prepare(mesh, { p: 3, d: 1.6, depth: 3, pageSize });
      await stages.run();
      await stages.leafBounds(cells);
      const locals = await read(stages.locals);
      destroy();
      return locals;
    };
    const first = await run(undefined);
    expect(await run(undefined)).toEqual(first);
    expect(await run(1000)).toEqual(first);
  });
});

it('the arc tangent is as close as the bound says, in all directions', async () => {
  const layout = tgpu
    .bindGroupLayout({
      directions: { storage: d.arrayOf(d.vec4f) },
      angles: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
    })
    .$idx(0)
    .$name('layout');
  const code = `
@compute @workgroup_size(64)
fn angles4(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&angles)) {
    angles[id.x] = argument(directions[2u * id.x], directions[2u * id.x + 1u]);
  }
}`;
  const shader = assembleShader({ name: 'angles4.wgsl', code, requires: [argumentWgsl] }, [layout]);
  const kernel = await getKernel(device(), shader, { entryPoint: 'angles4', layout });
  const count = 1 << 16;
  const directions = new Float32Array(2 * count);
  const at = (i: number, which: number) => 8 * Math.floor(i / 4) + 4 * which + (i % 4);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const size = Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle));
    directions[at(i, 0)] = (1.3 * Math.cos(angle)) / size;
    // On the axes exactly, and next to them.
    directions[at(i, 1)] = i % 256 === 0 ? 0 : i % 256 === 1 ? 2 ** -70 : (1.3 * Math.sin(angle)) / size;
  }
  const pool = new BufferPool(device());
  const out = pool.reserve('angles', 4 * count, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
  const bound = bind(device(), kernel, { directions: pool.upload('directions', directions), angles: out });
  const recorder = new Recorder(device());
  recorder.run(bound, { threads: count / 4 });
  recorder.submit();
  const [bytes] = await readBack(device(), pool, [{ buffer: out, bytes: 4 * count }]);
  const angles = new Float32Array(bytes!.buffer, bytes!.byteOffset, count);
  pool.destroy();
  let largest = 0;
  angles.forEach((angle, i) => {
    const exact = Math.atan2(directions[at(i, 1)]!, directions[at(i, 0)]!) / (2 * Math.PI);
    largest = Math.max(largest, Math.abs(angle - exact));
  });
  expect(largest).toBeLessThan(ARGUMENT_ERROR);
  expect(largest).toBeGreaterThan(1e-9);
});
