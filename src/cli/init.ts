/** `scree init`: scenes to begin with, copied from the package. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { inputError, makeFolder } from './files.ts';
import { withCommonOptions } from './options.ts';
import { writeFileAtomically } from './output.ts';

/** The package, seen from dist/cli.js. */
const PACKAGE = '..';
const ofPackage = (path: string) => join(fileURLToPath(new URL(PACKAGE, import.meta.url)), path);

export function addInit(program: Command): void {
  const command = program
    .command('init')
    .summary('copy scenes to begin with')
    .description('Copy the scenes of the package, and the schemas that editors check them by, into a folder.')
    .argument('[folder]', 'where to', 'scenes')
    .addHelpText(
      'after',
      `
Examples:
  scree init
  scree simulate scenes/cradle.json --out cradle`,
    )
    .action(init);
  withCommonOptions(command);
}

/** @throws InputError, before anything is written, for a file that is there already */
async function init(folder: string): Promise<void> {
  const scenes = await readdir(ofPackage('demos/scenes'));
  const schemas = await readdir(ofPackage('schema'));
  const files = [
    ...scenes.map((name) => [`demos/scenes/${name}`, name] as const),
    ['docs/pairs-example.json', 'pairs.json'] as const,
    ...schemas.map((name) => [`schema/${name}`, join('schema', name)] as const),
  ];
  for (const [, name] of files) {
    const path = join(folder, name);
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere)
      throw await inputError(`${path}: there is a file of that name, expected none: name another folder`);
  }
  await makeFolder(join(folder, 'schema'));
  for (const [from, name] of files) {
    const text = await readFile(ofPackage(from), 'utf8');
    // Schemas are beside the scenes there.
    await writeFileAtomically(join(folder, name), text.replace('"../../schema/', '"schema/'));
  }
  const names = [...scenes, 'pairs.json'].map((name) => basename(name, '.json'));
  process.stdout.write(`wrote to ${folder}: ${names.join(', ')}\n`);
}
