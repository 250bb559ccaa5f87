/** Versions of installed packages, from their package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/** The version of a package that scree can reach (scree itself included), or `not installed`. */
export function ownVersion(packageName: string): string {
  return installedVersion(packageName) ?? 'not installed';
}

/** The version of a package that scree can reach (scree itself included). Undefined if it is not installed. */
export function installedVersion(packageName: string): string | undefined {
  try {
    return (require(`${packageName}/package.json`) as Manifest).version;
  } catch {
    return versionByEntry(packageName);
  }
}

/** For packages that do not export their package.json: it lies in a folder above the file that importing finds. */
function versionByEntry(packageName: string): string | undefined {
  return installedPackage(packageName)?.version;
}

/**
 * A package that scree can reach: its folder, the file that importing it finds, and its version. Undefined if it is not
 * installed.
 */
export function installedPackage(packageName: string) {
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(packageName));
  } catch {
    return undefined;
  }
  for (let folder = dirname(entry); dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (name === packageName) return { name, folder, entry, version };
  }
  return undefined;
}
