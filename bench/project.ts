/** Where things are: the project's folder and its data. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

interface Manifest {
  readonly name?: string;
}

/** The nearest folder upwards whose package.json has that name. */
function packageFolder(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as Manifest).name === name) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

export const projectFolder = packageFolder(import.meta.dirname, 'scree') ?? process.cwd();

/** A file of the meshes that are never part of the project; see CONTRIBUTING.md. */
export function dataPath(relative: string): string {
  return join(resolve(process.env.SCREE_DATA ?? join(projectFolder, '../shared/data')), relative);
}

/** The commit that is checked out, with `+` where files differ from it; undefined outside a repository. */
export function commit(): string | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no').trim() !== '';
    return `${git('rev-parse', '--short=12', 'HEAD').trim()}${changed ? '+' : ''}`;
  } catch {
    return undefined;
  }
}
