/** `npm run bench`: finds the command, and turns what ends it into one line and an exit code. */
import { ScreeError } from '../src/errors.ts';
import { parseArguments, USAGE } from './arguments.ts';

const args = process.argv.slice(2);

try {
  const options = parseArguments(args);
  if (options === undefined) process.stdout.write(USAGE);
  else if (options.command === 'inside') await (await import('./inside.ts')).runInside(options, args);
  else if (options.command === 'multipole')
    await (await import('./multipole.ts')).runMultipole(options, args);
  else if (options.command === 'pairs-cpu') (await import('./pairs-cpu.ts')).runPairsCpu(options, args);
  else await (await import('./resolution.ts')).runResolution(options, args);
} catch (error) {
  process.exitCode = error instanceof ScreeError ? error.exitCode : 1;
  const message = error instanceof ScreeError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`bench: ${message}\n`);
}
