/** A user's application that imports scree, built with Vite without any configuration. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { distFolder } from '../cli/scree.ts';

/** How large the code of a page is, in bytes. */
export interface ApplicationSize {
  /** What the browser loads before the page runs. */
  readonly initial: number;
  /** What the page loads when needed, by file. */
  readonly later: Readonly<Record<string, number>>;
}

/** Builds a page that runs the module `main`, in `folder`, into its folder `out`. */
export async function buildApplication(folder: string, main: string): Promise<ApplicationSize> {
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
  );
  writeFileSync(join(folder, 'main.js'), main);
  const modules = join(import.meta.dirname, '../../node_modules');
  const built = (await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^scree$/, replacement: join(distFolder, 'index.js') },
        { find: /^(typegpu|robust-predicates|wgpu-matrix)/, replacement: `${modules}/$1` },
      ],
    },
    build: { outDir: 'out', emptyOutDir: true },
  })) as Rolldown.RolldownOutput;
  return sizeOf(built.output);
}

function sizeOf(output: Rolldown.RolldownOutput['output']): ApplicationSize {
  const code = new Map(
    output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  );
  const atOnce = new Set<string>();
  const visit = (name: string): void => {
    if (atOnce.has(name)) return;
    atOnce.add(name);
    const file = output.find(({ fileName }) => fileName === name);
    if (file?.type === 'chunk') for (const other of file.imports) visit(other);
  };
  for (const file of output) if (file.type === 'chunk' && file.isEntry) visit(file.fileName);
  const later = [...code].filter(([name]) => name.endsWith('.js') && !atOnce.has(name));
  return {
    initial: [...atOnce].reduce((sum, name) => sum + code.get(name)!.length, 0),
    later: Object.fromEntries(later.map(([name, bytes]) => [name, bytes.length])),
  };
}
