import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { wgslModules } from './scripts/wgsl-modules.ts';
import { SlowestFiles } from './test/support/slowest-files.ts';

/**
 * Files that ask the same large kernels. They share a process, and in it a device: compiling the kernels anew for each
 * file would take a software adapter half of the files' time.
 */
const KERNELS = [
  'test/broadphase/gpu.test.ts',
  'test/contacts/**/{gpu,gpu-field,*-on-device}.test.ts',
  'test/contacts/pipeline/{large-static,on-both-backends,touching}.test.ts',
  'test/convex/gpu/*.test.ts',
  'test/convex/batch/convex-batch-gpu.test.ts',
  'test/repro/{contacts,convex-kernels}.test.ts',
  'test/dem/gpu/**/*.test.ts',
  'test/dem/{checkpoint,gravity,laws,lifetime,losses,servo,time-step,write}.test.ts',
  'test/bench/pairs/{check,rapier,run}.test.ts',
  'test/bench/{dem,suites}.test.ts',
  'test/inside/**/{gpu,*.gpu}.test.ts',
  'test/inside/{oracle,on-device,polyhedron.load}.test.ts',
  'test/inside/cell-grid/{blocks,cell-grid,local-points}.test.ts',
  'test/gpu/timestamps.test.ts',
  'test/inside/ray-crossing/ray-crossing.test.ts',
  'test/repro/{aligned-grids,points}.test.ts',
];

/**
 * Files without devices, worker threads and clocks of their own: starting a process takes longer than many of them.
 * Those of the command line start it as other processes.
 */
const PLAIN = [
  'test/architecture/imports.test.ts',
  'test/bench/{compare,contacts,page,statements}.test.ts',
  'test/bench/pairs/{configurations,solids,statements}.test.ts',
  'test/broadphase/!(gpu|threads).test.ts',
  'test/cli/{bench,bench-contacts,bench-pairs,body,classify,commands,contacts,pairs,scene,winding}.test.ts',
  'test/contacts/{bodies,convex,edges,faces,field,list,nodes,planes,surface}/!(*gpu|*-on-device|saved-tables|threads).test.ts',
  'test/contacts/pipeline/pair-classes.test.ts',
  'test/demos/{address,advice,bulk}.test.ts',
  'test/convex/{epa,gjk,manifold,mpr,pair,separating-axes,shapes}/*.test.ts',
  'test/convex/cpu/{oracle,pair-run,pairs}.test.ts',
  'test/repro/convex-{answers,pairs}.test.ts',
  'test/float32/*.test.ts',
  'test/inside/{body-file,potential}/*.test.ts',
  'test/inside/exact-flags.test.ts',
  'test/inside/multipole/{boundary,multipole,operators,tree}.test.ts',
  'test/inside/ray-crossing/tables.test.ts',
  'test/io/!(points).test.ts',
  'test/io/scene/*.test.ts',
  'test/mesh/!(fuzz-readers|triangulate|weld).test.ts',
  'test/mesh/read/!(manifest|parse-mesh).test.ts',
];

export default defineConfig({
  plugins: [wgslModules()],
  resolve: { alias: { '#platform': resolve(import.meta.dirname, 'src/platform/node.ts') } },
  test: {
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/equal-arrays.ts'],
    // A process per file, but for those lists: Dawn and worker threads keep process-wide state. Two at a time: most of a
    // file's time is one thread's, as it compiles kernels or computes what they have to give. More would wait for the
    // one GPU, or for the cores of a software adapter.
    pool: 'forks',
    maxWorkers: 2,
    // Projects run in the order of their names.
    projects: [
      { extends: true, test: { name: 'kernels', include: KERNELS, isolate: false } },
      {
        extends: true,
        test: { name: 'others', include: ['test/**/*.test.ts'], exclude: [...KERNELS, ...PLAIN] },
      },
      { extends: true, test: { name: 'plain', include: PLAIN, isolate: false } },
    ],
    // The bundle that `npm test` has just built: worker threads cannot run the sources themselves.
    env: { SCREE_WORKER: resolve(import.meta.dirname, 'dist/platform/scree.worker.js') },
    // Hangs end here; on a busy machine the slowest hook takes two minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'test-results/report.json' }], new SlowestFiles()]
      : ['default'],
  },
});
