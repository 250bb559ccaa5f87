/** Somebody's application that imports scree, built with Vite as it comes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { distFolder } from '../cli/scree.ts';

/** Builds a page that runs the module `main`, in `folder`, into its folder `out`. */
export async function buildApplication(folder: string, main: string): Promise<void> {
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
  );
  writeFileSync(join(folder, 'main.js'), main);
  const modules = join(import.meta.dirname, '../../node_modules');
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^scree$/, replacement: join(distFolder, 'index.browser.js') },
        { find: /^(typegpu|robust-predicates)/, replacement: `${modules}/$1` },
      ],
    },
    build: { outDir: 'out' },
  });
}
