/** What the pages do with their elements, and how they say what went wrong. */
import { DeviceError, ScreeError } from '../../src/index.ts';

/** What drawing a bar and a line may take at most. */
const DRAWING_MILLISECONDS = 250;

/** The element with an id. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Waits until the page is drawn, and with it for clicks. A hidden page is not drawn at all. */
export async function drawn(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const late = new Promise((resolve) => setTimeout(resolve, DRAWING_MILLISECONDS));
  // The second frame begins when the first has been handed over.
  await Promise.race([frame().then(frame), late]);
}

/** Shows a text in an alert, or hides the alert where there is none. */
export function showAlarm(id: string, text: string): void {
  const box = element(id);
  box.textContent = text;
  box.hidden = text === '';
}

/** The library's own line, without its advice for scripts; other errors are said to be unexpected. */
export function messageOf(error: unknown): string {
  if (error instanceof DeviceError) return error.problem;
  if (error instanceof ScreeError) return error.message;
  return `unexpected error: ${error instanceof Error ? error.message || error.name : String(error)}`;
}

/** `2:05` */
export function clock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
