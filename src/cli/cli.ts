#!/usr/bin/env node
/**
 * The command line `scree`: finds the command, and turns every failure into one line and an exit code. Commands load
 * the library only when they run, so that help and usage errors come at once.
 */
import { Command, CommanderError } from 'commander';
import { addBench } from './bench/bench.ts';
import { addBuild } from './build.ts';
import { addCheck } from './check.ts';
import { addClassify } from './classify.ts';
import { addMerge } from './cluster/merge.ts';
import { addSlurm } from './cluster/slurm.ts';
import { addSweep } from './cluster/sweep.ts';
import { addContacts } from './contacts.ts';
import { addDemo } from './demo.ts';
import { addDistance } from './distance.ts';
import { shorten } from './format.ts';
import { addGenerate } from './generate.ts';
import { addInfo } from './info.ts';
import { addInit } from './init.ts';
import { Interrupted } from './interrupt.ts';
import { addPairs } from './pairs.ts';
import { addServe } from './serve.ts';
import { addSimulate } from './simulate.ts';
import { addValidate } from './validate.ts';
import { ownVersion } from './versions.ts';
import { addWinding } from './winding.ts';

/** Exit code for wrong usage, the same as for unusable input (see ScreeError). */
const USAGE = 2;
/** In characters. Messages repeat arguments, which can be of any length. */
const LONGEST_LINE = 2000;
/** How long the process may take to end by itself when its work is done. */
const GRACE_MILLISECONDS = 2000;

const program = new Command('scree')
  .description(
    'Exact point-in-polyhedron tests, and contacts of polyhedra and convex bodies, in mass on WebGPU.',
  )
  .version(ownVersion('scree'), '--version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .helpCommand(false)
  // `bench pages` has options of its own.
  .enablePositionalOptions()
  .configureHelp({ showGlobalOptions: false })
  .configureOutput({
    outputError: (text, write) => write(`scree: ${oneLine(text.replace(/^error: /, ''))}\n`),
  })
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  scree demo                                            classify 512,000 points in a foam and draw a slice
  scree check part.stl                                  is the mesh closed and oriented?
  scree classify part.stl --grid 100 --slice slice.svg
  scree classify part.stl --points points.npy --out flags.npy --json
  scree winding scan.ply --points points.npy --out w.npy   winding numbers, also of meshes with holes
  scree distance a.stl b.stl                            how far two meshes are apart
  scree pairs scene.json --kind manifold --out c.json   distances, depths and contacts of convex bodies
  scree contacts scene.json --out contacts.vtp          where bodies touch: polyhedra, convex ones, planes
  scree simulate scene.json --out folder                bodies in motion: forces of contacts and gravity
  scree sweep sweep.json --out folder --jobs 4          the same with parameters that vary, several at once
  scree slurm sweep sweep.json --out folder --submit    as an array job of Slurm
  scree validate                                        simulations beside closed forms of physics
  scree build part.stl --out part.body                  check and prepare once, classify often
  scree bench --quick                                   measure this machine, and write a report

Exit codes: 0 done, 1 failed, 2 wrong usage or unusable input, 75 stopped by --stop-after, 130 interrupted.
"scree COMMAND --help" tells more about a command.`,
  );
for (const add of [
  addInfo,
  addInit,
  addCheck,
  addClassify,
  addWinding,
  addMerge,
  addDistance,
  addPairs,
  addContacts,
  addSimulate,
  addServe,
  addSweep,
  addSlurm,
  addBuild,
  addGenerate,
  addDemo,
  addBench,
  addValidate,
])
  add(program);

// Commander's own `help` prints all help where the command is unknown; this one says that it is.
program
  .command('help')
  .summary('print help for a command')
  .argument('[command...]')
  .helpOption(false)
  .action((names: string[]) => {
    let command = program;
    for (const name of names) {
      const found = command.commands.find((one) => one.name() === name);
      if (found === undefined) return program.error(`error: unknown command '${names.join(' ')}'`);
      command = found;
    }
    command.help();
  });

// It is no error if the reader of the output has seen enough (`scree check m.stl | head -3`). The work goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
process.on('uncaughtException', (error) => {
  process.exitCode = report(error);
  process.exit();
});

/** Settles when the command is over. */
export const ended: Promise<void> = run();

async function run(): Promise<void> {
  try {
    if (process.argv.length <= 2) {
      program.outputHelp({ error: true });
      process.exitCode = USAGE;
    } else {
      await program.parseAsync();
    }
  } catch (error) {
    process.exitCode = report(error);
    // At once, since work that was given up may go on for a while.
    if (error instanceof Interrupted) process.stderr.write('', () => process.exit());
  }
  // Nothing is left to do, and the process ends by itself. The timer fires only if something keeps the process alive.
  process.stdout.write('', () => setTimeout(() => process.exit(), GRACE_MILLISECONDS).unref());
}

/** Tells the user what went wrong, on one line of standard error, and returns the exit code. */
function report(error: unknown): number {
  // Commander has printed its message already. It also ends --help and --version this way, with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (error instanceof Interrupted) {
    process.stderr.write(`scree: ${error.message}\n`);
    return error.exitCode;
  }
  const isDebug = process.argv.includes('--debug');
  const { message, exitCode } = describe(error);
  const hint = exitCode === undefined && !isDebug ? ' (run again with --debug for the stack)' : '';
  process.stderr.write(`scree: ${oneLine(message)}${hint}\n`);
  if (isDebug) {
    for (let e = error; e instanceof Error; e = e.cause) {
      process.stderr.write(`${e === error ? '' : 'caused by '}${e.stack ?? e.message}\n`);
    }
  }
  return exitCode ?? 1;
}

/** The exit code is undefined for errors that scree did not raise on purpose. */
function describe(error: unknown): { message: string; exitCode: number | undefined } {
  if (!(error instanceof Error))
    return { message: `unexpected error: ${String(error)}`, exitCode: undefined };
  // Known by this property and not by its class, which would load the library for every usage error.
  if ('exitCode' in error && typeof error.exitCode === 'number') {
    // A DeviceError's problem is its message without advice for scripts; device.ts adds advice for the command line.
    const problem = 'problem' in error && typeof error.problem === 'string' ? error.problem : undefined;
    return { message: problem ?? error.message, exitCode: error.exitCode };
  }
  return { message: `unexpected error: ${error.message || error.name}`, exitCode: undefined };
}

function oneLine(text: string): string {
  return shorten(text.trim().replace(/\s*\n\s*/g, ' '), LONGEST_LINE);
}
