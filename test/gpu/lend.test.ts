/** What is made of what another object keeps, and signals that come meanwhile. */
import { expect, it, vi } from 'vitest';
import { inTurnUnless, lend } from '../../src/gpu/lend.ts';
import { Lifetime } from '../../src/gpu/lifetime.ts';

const newLife = () => new Lifetime({ device: undefined, name: 'this body', release: () => {} });

/** Lets so many jobs run that wait for promises. */
async function jobs(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined;
}

it('a signal at any moment leaves the call with nothing, or with what is not destroyed', async () => {
  const ends = new Set<string>();
  for (let k = 0; k < 24; k++) {
    const controller = new AbortController();
    let isDestroyed = false;
    const made = { destroy: () => (isDestroyed = true) };
    const making = lend(newLife(), controller.signal, async () => {
      await jobs(8);
      return made;
    });
    const end = making.then(
      () => 'made',
      () => 'rejected',
    );
    await jobs(k);
    controller.abort(new Error('enough'));
    ends.add(await end);
    // It is destroyed when it is there.
    await jobs(24);
    expect(isDestroyed).toBe((await end) === 'rejected');
  }
  expect([...ends].sort()).toEqual(['made', 'rejected']);
});

it('many calls at once without a signal make no warning', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const life = newLife();
  await Promise.all(Array.from({ length: 30 }, () => inTurnUnless(life, undefined, () => jobs(3))));
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
