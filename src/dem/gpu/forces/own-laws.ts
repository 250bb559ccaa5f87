/** Laws of a user's own in kernels: their text, and whether they give what their twins give. */
import * as d from 'typegpu/data';
import defaultLawWgsl from '../../../../shaders/dem/forces/default-law.wgsl';
import groupForcesWgsl from '../../../../shaders/dem/forces/group-forces.wgsl';
import tryLawsWgsl from '../../../../shaders/dem/forces/try-laws.wgsl';
import { DeviceError, InputError } from '../../../errors.ts';
import { bind } from '../../../gpu/bind.ts';
import { BufferPool, readBack } from '../../../gpu/buffers.ts';
import type { Device } from '../../../gpu/device.ts';
import { compileKernel, kernelSource } from '../../../gpu/kernel.ts';
import { Recorder } from '../../../gpu/recorder.ts';
import type { ShaderSource } from '../../../gpu/shader.ts';
import { struct } from '../../../gpu/struct.ts';
import { LAW_DEPTHS, type LawCase, type NormalLaw, placeOfLaw } from '../../materials/normal-law.ts';
import { groupForcesSource } from './force-kernels.ts';

/** Largest difference of WGSL and twin, relative to the value: WGSL's `pow` and `exp` are less exact than a product. */
const AGREEMENT = 2 ** -10;

const TriedLaw = struct('TriedLaw', {
  law: d.u32,
  depth: d.f32,
  area: d.f32,
  modulus: d.f32,
  radius: d.f32,
  foundation: d.f32,
});

const PAIR_LAW = 'dem/forces/pair-law.wgsl';

export const tryLawsSource = kernelSource(tryLawsWgsl, {
  cases: { storage: d.arrayOf(TriedLaw) },
  /** Force, stiffness, energy. */
  values: { storage: d.arrayOf(d.vec4f), access: 'mutable' },
});

/** Kernels are kept by their names: each set of texts has a number. */
const numbers = new Map<string, number>();

/** The kernels that call a scene's laws. */
export function sourcesWithLaws(laws: readonly NormalLaw[]): {
  readonly groupForces: typeof groupForcesSource;
  readonly tryLaws: typeof tryLawsSource;
} {
  if (laws.length === 0) return { groupForces: groupForcesSource, tryLaws: tryLawsSource };
  const texts = laws.map(({ name, wgsl }): ShaderSource => ({ name: `law-${name}.wgsl`, code: wgsl }));
  const key = JSON.stringify(texts);
  const number = numbers.get(key) ?? numbers.size;
  numbers.set(key, number);
  const code = [
    'fn pairLaw(law: u32, depth: f32, area: f32, p: LawParameters) -> vec3f {',
    '  switch law {',
    ...laws.map(({ name }, i) => `    case ${i + 1}u: { return ${name}(depth, area, p); }`),
    '    default: { return defaultLaw(depth, area, p); }',
    '  }',
    '}',
  ].join('\n');
  const parts = { [PAIR_LAW]: { name: PAIR_LAW, code, requires: [defaultLawWgsl, ...texts] } };
  const variantOf = ({ name }: ShaderSource) => ({ name: `laws ${number}/${name}`, parts });
  return {
    groupForces: kernelSource(groupForcesWgsl, groupForcesSource.layout.entries, variantOf(groupForcesWgsl)),
    tryLaws: kernelSource(tryLawsWgsl, tryLawsSource.layout.entries, variantOf(tryLawsWgsl)),
  };
}

/**
 * Compiles the WGSL of laws, and compares it with their twins at all depths that laws are tried at.
 *
 * @throws InputError for WGSL that does not compile, with its line, and for the first number that is not the twin's
 */
export async function tryLawsOnDevice(
  device: Device,
  laws: readonly NormalLaw[],
  lawCases: readonly LawCase[],
): Promise<void> {
  if (laws.length === 0) return;
  const pool = new BufferPool(device);
  try {
    const kernel = await compileKernel(device, sourcesWithLaws(laws).tryLaws).catch((error) => {
      if (error instanceof DeviceError && error.reason === 'failed') throw new InputError(error.message);
      throw error;
    });
    const tried = lawCases.flatMap((own) =>
      LAW_DEPTHS.map((share) => ({ own, depth: Math.fround(share * own.size) })),
    );
    const words = d.sizeOf(TriedLaw) / d.sizeOf(d.u32);
    const table = new Uint32Array(words * tried.length);
    const floats = new Float32Array(table.buffer);
    tried.forEach(({ own, depth }, i) => {
      table[words * i] = own.law;
      floats.set([depth, own.area, own.modulus, own.radius, own.foundation], words * i + 1);
    });
    const bytes = d.sizeOf(d.vec4f) * tried.length;
    const values = await device.checked('trying laws', () => {
      const { STORAGE, COPY_SRC } = GPUBufferUsage;
      const values = pool.reserve('laws: values', bytes, STORAGE | COPY_SRC);
      const recorder = new Recorder(device, { label: 'laws' });
      const cases = { buffer: pool.upload('laws: cases', table), size: table.byteLength };
      recorder.run(bind(device, kernel, { cases, values }), { threads: tried.length });
      recorder.submit();
      return values;
    });
    const [read] = await readBack(device, pool, [{ buffer: values, bytes }]);
    const found = new Float32Array(read!.slice().buffer);
    tried.forEach(({ own, depth }, i) => {
      const law = laws[own.law - 1]!;
      const wanted = twinAt(law, own, depth);
      ['force', 'stiffness', 'energy'].forEach((what, k) => {
        const [value, expected] = [found[4 * i + k]!, wanted[k]!];
        // Numbers that WGSL flushes to 0 are none.
        if (Math.abs(value - expected) <= AGREEMENT * Math.abs(expected) + LEAST_FLOAT) return;
        const where = placeOfLaw(law.name, depth, own);
        throw new InputError(
          `${where}: the ${what} of the WGSL is ${value}, expected ${expected} as its twin has`,
        );
      });
    });
  } finally {
    pool.destroy();
  }
}

/** The smallest normal float32. */
const LEAST_FLOAT = 2 ** -126;

/** Values of the twin for the numbers that kernels get. */
function twinAt({ twin }: NormalLaw, { area, modulus, radius, foundation }: LawCase, depth: number) {
  const [a, E, R, k] = Float32Array.of(area, modulus, radius, foundation);
  return twin(depth, a!, { modulus: E!, radius: R!, foundation: k! });
}
