/** Memory that bodies take on the host, estimated before any is made. */
import { platform } from '#platform';
import { InputError } from '../../errors.ts';

const GIB = 2 ** 30;

/**
 * @param bytesPerBody that each takes at least
 * @param memory bytes that there are; undefined: nobody knows, and nothing is refused
 * @returns the bytes that bodies take at least
 * @throws InputError where there are fewer
 */
export function requireMemory(bodies: number, bytesPerBody: number, memory = platform.memory()): number {
  const bytes = bytesPerBody * bodies;
  if (memory === undefined || bytes <= memory) return bytes;
  const [needed, there] = [bytes, memory].map((x) => `${(x / GIB).toFixed(1)} GiB`);
  throw new InputError(
    `${bodies.toLocaleString('en-US')} bodies need ${needed} of memory at least, found ${there}, expected fewer bodies`,
  );
}
