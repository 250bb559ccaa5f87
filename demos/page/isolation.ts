/** What a page lacks where its server does not isolate it from other pages. */
import { element } from './elements.ts';

/** Shows what that costs and what the server has to send, in the element with an id; hides it on isolated pages. */
export function showIsolation(id: string): void {
  const note = element(id);
  note.textContent =
    'This page is not cross-origin isolated: the CPU works without worker threads, on one core, and the clock ' +
    'ticks in steps of 100 microseconds or more. Flags, contacts and forces are the same. To change that, its ' +
    'server has to send the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: ' +
    'require-corp.';
  note.hidden = crossOriginIsolated;
}
