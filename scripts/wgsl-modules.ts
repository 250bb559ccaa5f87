/** WGSL as modules: the default export of a file is a `ShaderSource`, with the parts that `// requires` lines name. */
import { existsSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { normalizePath, type Plugin } from 'vite';

const root = normalizePath(resolve(import.meta.dirname, '../shaders'));
const REQUIRED = /^\/\/ requires (\S+)\s*$/gm;

export function wgslModules(): Plugin {
  let isBuild = false;
  return {
    name: 'wgsl-modules',
    enforce: 'pre',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    load(id) {
      if (!id.endsWith('.wgsl')) return null;
      const text = readFileSync(id, 'utf8');
      const parts = [...text.matchAll(REQUIRED)].map((match) => match[1]!);
      const isFile = (part: string) => existsSync(`${root}/${part}`);
      // A part without a file is one that callers give.
      const requires = parts.map((part, i) =>
        isFile(part) ? `part${i}` : JSON.stringify({ name: part, code: '' }),
      );
      const name = posix.relative(root, normalizePath(id)).replace(/^\.\..*\//, '');
      const code = isBuild ? plain(text) : text;
      return [
        ...parts.map((part, i) =>
          isFile(part) ? `import part${i} from ${JSON.stringify(`${root}/${part}`)};` : '',
        ),
        `export default { name: ${JSON.stringify(name)}, code: ${JSON.stringify(code)}, requires: [${requires}] };`,
      ].join('\n');
    },
  };
}

/** What takes no spaces around it; a minus before another one does. */
const OPERATORS = String.raw` (?:[+*/%&|^<>{]|-(?! -)|->|[=!<>+*/-]=|&&|\|\||<<|>>) `;
/** Nor do these take one, before or behind. What ends a list in angles has to stay apart from an equals sign. */
const OTHERS = String.raw`[,:;{}] |(?<=\b(?:if|for|while|switch|return)) (?=\()| [{}]|(?<!>) = `;
const SPACED = new RegExp(`${OPERATORS}|${OTHERS}`, 'g');

/** Without comments, indents and most spaces. Lines stay, as compilers name them. */
function plain(text: string): string {
  return text.replaceAll(/[ \t]*\/\/.*$|^[ \t]+/gm, '').replaceAll(SPACED, (spaced) => spaced.trim());
}
