/** `settle` of a query on the device, and what ends it. */
import { expect } from 'vitest';

interface Settling<Read> {
  settle(read: Read, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
  destroy(): void;
}

/** Holds that it stops by a signal, before and while it works, and as the query ends. The query is destroyed then. */
export async function expectSettleToStop<Read>(query: Settling<Read>, read: Read): Promise<void> {
  const gone = AbortSignal.abort(new Error('enough'));
  await expect(query.settle(read, { signal: gone })).rejects.toThrow('enough');
  const controller = new AbortController();
  const stopped = query.settle(read, { signal: controller.signal });
  controller.abort(new Error('now'));
  await expect(stopped).rejects.toThrow('now');
  const ended = query.settle(read);
  query.destroy();
  await expect(ended).rejects.toThrow(/^this query on the device was destroyed/);
}
