// Builds dist/: the library for Node and for browsers, the command line, and the type declarations.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { build } from 'vite';

rmSync('dist', { recursive: true, force: true });
for (const mode of ['node', 'browser']) {
  await build({ mode, logLevel: 'warn' });
}
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
