/** `scree generate`: bodies to try things with, as mesh files. */
import type { Command } from 'commander';
import type { TriangleMesh } from '../index.ts';
import { MESH_FORMATS } from '../mesh/mesh-formats.ts';
import { requireWritablePath } from './files.ts';
import { formatCount } from './format.ts';
import { interruptSignal, withDefaultSignals } from './interrupt.ts';
import { seedOption, suffixOf, wholeNumber, withCommonOptions } from './options.ts';
import { writeFileAtomically } from './output.ts';

const OUT = '--out <file>';

export function addGenerate(program: Command): void {
  const generate = program
    .command('generate')
    .summary('write a mesh: a sphere, a foam or a rock')
    .description('Write a closed, outward oriented mesh. Equal options give equal files on every machine.')
    .addHelpText(
      'after',
      `
Examples:
  scree generate sphere --refinements 7 --out sphere.ply
  scree generate foam --triangles 120000 --seed 3 --out foam.stl
  scree generate rock --convex --seed 5 --out rock.obj`,
    );
  // Runs if no command follows, or an unknown one.
  generate
    .usage('[options] [command]')
    .argument('[command]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((name: string | undefined) => {
      const found = name === undefined ? 'no command after generate' : `unknown command '${name}'`;
      generate.error(`error: ${found}, expected sphere, foam or rock (--help tells more)`);
    });
  withCommonOptions(generate);

  const sphere = generate
    .command('sphere')
    .summary('a refined octahedron')
    .description('The unit sphere: an octahedron refined k times, 8 * 4^k triangles.')
    .option('--refinements <k>', 'how often every triangle is split into four', wholeNumber(0, 8), 5)
    .action((options: { refinements: number; out: string }) =>
      write(options.out, sphere, ({ unitSphere }) => unitSphere(options.refinements)),
    );
  const foam = generate
    .command('foam')
    .summary('an open-cell foam')
    .description('Struts along the edges of a Voronoi diagram, cut out by the unit cube.')
    .option(
      '--triangles <n>',
      'wanted number of triangles, met within 3 %',
      wholeNumber(1000, 600_000),
      120_000,
    )
    .addOption(seedOption())
    .action(({ out, triangles, seed }: { triangles: number; seed: number; out: string }) =>
      write(out, foam, ({ openCellFoam }) => openCellFoam({ triangles, seed })),
    );
  const rock = generate
    .command('rock')
    .summary('a random rock')
    .description('A bumpy rock, or with --convex an angular convex one, about 1 unit in radius.')
    .option(
      '--triangles <n>',
      'wanted number of triangles (default 2048, or 96 with --convex)',
      wholeNumber(4, 600_000),
    )
    .option('--convex', 'a convex rock: the hull of points on an ellipsoid', false)
    .addOption(seedOption())
    .action(
      ({
        out,
        seed,
        convex,
        triangles,
      }: {
        triangles?: number;
        convex: boolean;
        seed: number;
        out: string;
      }) =>
        write(out, rock, ({ randomRock }) =>
          randomRock({ seed, convex, ...(triangles !== undefined && { triangles }) }),
        ),
    );
  for (const command of [sphere, foam, rock]) {
    command.requiredOption(OUT, 'where to write it: .stl, .obj or .ply');
    withCommonOptions(command);
  }
}

type Library = typeof import('../index.ts');
type Makers = Pick<Library, 'openCellFoam' | 'randomRock' | 'unitSphere'>;

async function write(path: string, command: Command, make: (makers: Makers) => TriangleMesh): Promise<void> {
  const format = suffixOf(path, OUT, MESH_FORMATS, command);
  await requireWritablePath(path);
  const signal = interruptSignal();
  const { encodeMesh, openCellFoam, randomRock, unitSphere } = await import('../index.ts');
  const mesh = await withDefaultSignals(signal, () => make({ openCellFoam, randomRock, unitSphere }));
  await writeFileAtomically(path, () => encodeMesh(mesh, format), { signal });
  process.stdout.write(
    `wrote ${path}: ${formatCount(mesh.triangleCount)} triangles, ${formatCount(mesh.vertexCount)} vertices\n`,
  );
}
