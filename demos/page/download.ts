/** Files that a page hands to its reader. */

/** Some browsers read a download only some time after the click. */
const KEPT_MILLISECONDS = 60_000;

/** Saves bytes or a text under a name, as a download. */
export function saveBytes(
  bytes: Uint8Array<ArrayBuffer> | string,
  name: string,
  type = 'application/octet-stream',
): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MILLISECONDS);
}
