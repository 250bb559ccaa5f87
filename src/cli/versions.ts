/** Versions of installed packages, from their package.json. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The version of a package that scree can reach (scree itself included), or `not installed`. */
export function ownVersion(packageName: string): string {
  try {
    return (require(`${packageName}/package.json`) as { version: string }).version;
  } catch {
    return 'not installed';
  }
}
