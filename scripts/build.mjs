// Builds dist/: the library for Node and for browsers, the command line, the pages of demos/, and the type declarations.
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { build } from 'vite';

rmSync('dist', { recursive: true, force: true });
for (const mode of ['library', 'node-worker', 'browser-worker', 'cli', 'demos']) {
  await build({ mode, logLevel: 'warn' });
}
// npm makes it executable when it installs the package; this is for a checkout.
chmodSync('dist/cli.js', 0o755);
const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
process.exitCode = tsc.status ?? 1;
