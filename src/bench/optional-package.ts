/** Packages that a benchmark can go without. */

/** What `load` imports; undefined where that is not installed. */
export async function ifInstalled<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Node has a code for it. Chrome, Firefox and Safari have a message each, in a page built without the package. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'ERR_MODULE_NOT_FOUND') return true;
  return /dynamically imported module|module specifier|Importing a module script/i.test(String(message));
}
