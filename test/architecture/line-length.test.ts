/** Lines end at 120 columns, so that code and prose can be read side by side. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const LONGEST = 120;
const FOLDERS = ['src', 'shaders', 'demos', 'examples', 'scripts', 'test', 'docs'];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(ts|mjs|wgsl|html|css|md)$/.test(name) && !name.startsWith('docs/api/')),
);

it.each(FOLDERS)('%s/: no line has more than 120 columns', (folder) => {
  const long = files
    .filter((name) => name.startsWith(`${folder}/`))
    .flatMap((name) =>
      readFileSync(join(root, name), 'utf8')
        .split('\n')
        .flatMap((line, i) => (isTooLong(name, line) ? [`${name}:${i + 1}: ${line.length} columns`] : [])),
    );
  expect(long).toEqual([]);
});

/** Tables and addresses in Markdown cannot be wrapped. */
function isTooLong(name: string, line: string): boolean {
  if (line.length <= LONGEST) return false;
  return !(name.endsWith('.md') && (line.startsWith('|') || line.includes('https://')));
}
