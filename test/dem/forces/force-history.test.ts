import { expect, it } from 'vitest';
import { Simulation } from '../../../src/dem/simulation/simulation.ts';
import { heap } from '../gpu/scenes.ts';

it('springs are found by numbers of pairs as by names: runs are the same however long lists serve', async () => {
  const ends: Buffer[] = [];
  // With no margin pairs are listed anew in each step, with a wide one hardly ever.
  for (const [margin, threads] of [
    [0, 1],
    [0.02, 2],
    [1, 1],
  ] as const) {
    const one = await Simulation.create(undefined, { ...heap(), margin }, { threads });
    await one.step(130);
    expect(one.monitors.contacts).toBeGreaterThan(60);
    expect(one.monitors.friction).toBeGreaterThan(0);
    const read = async (what: 'poses' | 'velocities' | 'forces' | 'torques') =>
      Buffer.from((await one.read(what)).buffer);
    ends.push(
      Buffer.concat([
        await read('poses'),
        await read('velocities'),
        await read('forces'),
        await read('torques'),
      ]),
    );
    one.destroy();
  }
  for (const end of ends) expect(end.equals(ends[0]!)).toBe(true);
});
