import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { wgslModules } from './scripts/wgsl-modules.ts';
import { fastImports } from './test/support/fast-imports.ts';
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
  'test/gpu/{host-waits,kernel,recorder,shaders,timestamps}.test.ts',
  'test/gpu/blocks/*.test.ts',
  'test/inside/ray-crossing/ray-crossing.test.ts',
  'test/render/renderer.test.ts',
  'test/repro/{aligned-grids,points}.test.ts',
];

/**
 * Files without devices, mocked modules and clocks of their own: starting a process and loading the sources takes longer
 * than many of them. Those of the command line start it as other processes.
 */
const PLAIN = [
  'test/architecture/{imports,line-length}.test.ts',
  'test/bench/{compare,contacts,distance,page,stacks,statements,ways}.test.ts',
  'test/bench/pairs/{configurations,solids,statements}.test.ts',
  'test/bounding/**/*.test.ts',
  'test/broadphase/!(gpu|threads).test.ts',
  'test/cli/{batch-script,bench,bench-contacts,bench-pairs,body,classify,commands,contacts,pairs,scene,winding}.test.ts',
  'test/cli/{bench-shards,distance,full-disk,output,shards,simulate,stream,sweep-collect}.test.ts',
  'test/contacts/{bodies,convex,edges,faces,field,list,nodes,planes,surface}/!(*gpu|*-on-device|saved-tables|threads).test.ts',
  'test/contacts/{nodes-inside,patches/patch-contacts,pipeline/pair-classes}.test.ts',
  'test/convex/{epa,gjk,manifold,mpr,pair,separating-axes,shapes}/*.test.ts',
  'test/convex/{batch/redo,cpu/oracle,cpu/pair-run,cpu/pairs}.test.ts',
  'test/dae/*.test.ts',
  'test/dem/{belts,mass,materials,prescribed,repeated-space,scenes}.test.ts',
  'test/dem/{forces,measures}/*.test.ts',
  'test/dem/impulses/{impulses,olvang,rows}.test.ts',
  'test/demos/*.test.ts',
  'test/float32/*.test.ts',
  'test/inside/{body-file,potential}/*.test.ts',
  'test/inside/{exact,exact-flags,cell-grid/estimate,clusters/cluster-sum,stream/lane}.test.ts',
  'test/inside/multipole/{boundary,multipole,operators,tree}.test.ts',
  'test/inside/ray-crossing/tables.test.ts',
  'test/inside/winding/{capped,winding,winding.data}.test.ts',
  'test/io/!(points).test.ts',
  'test/io/scene/*.test.ts',
  'test/mesh/!(fuzz-readers|weld).test.ts',
  'test/mesh/read/*.test.ts',
  'test/multibody/{multibody,super-objects}.test.ts',
  'test/repro/{convex-answers,convex-pairs,mesh-distance}.test.ts',
  'test/sweep/*.test.ts',
  'test/validate/pieces-falling.test.ts',
];

export default defineConfig({
  plugins: [wgslModules(), fastImports()],
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
