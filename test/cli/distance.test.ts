import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unitSphere } from '../../src/mesh/generate-sphere.ts';
import { encodeMesh } from '../../src/mesh/write-mesh.ts';
import { scree, temporaryFolder } from './scree.ts';

const folder = temporaryFolder();
writeFileSync(join(folder, 'ball.ply'), encodeMesh(unitSphere(2), 'ply'));
const run = (...args: string[]) => scree(['distance', 'ball.ply', 'ball.ply', ...args], { cwd: folder });

describe('scree distance', () => {
  it('tells the distance and the closest points', async () => {
    const { code, stdout } = await run('--pose', '3,0,0,0,0,0,1', '--json', '--quiet');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      distance: 1,
      exact: true,
      pointA: [1, 0, 0],
      pointB: [2, 0, 0],
    });
    expect((await run('--pose', '3,0,0,0,0,0,1', '--volume', 'k-dop', '--quiet')).stdout).toMatch(
      /^distance +1\n/,
    );
    expect((await run('--pose', '3,0,0,0,0,0,1', '--visits', '2', '--quiet')).stdout).toMatch(
      /stopped by --visits/,
    );
  });

  it('refuses options in one line, with exit code 2, before it looks for files', async () => {
    const refused = [
      [['--pose', '3,0,0'], /--pose[^\n]*Expected seven numbers/],
      [['--pose', '3,0,0,0,0,0,2'], /--pose[^\n]*quaternion has length 2, expected 1/],
      [['--volume', 'k-dop', '--k', '15'], /--k[^\n]*14, 18, 26/],
      [['--k', '14'], /--k is for --volume k-dop, found --volume sphere/],
    ] as const;
    for (const [args, message] of refused) {
      // The file is not there: options are looked at before.
      const { code, stdout, stderr } = await scree(['distance', 'none.ply', 'none.ply', ...args], {
        cwd: folder,
      });
      expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 });
      expect(stderr).toMatch(message);
    }
  });
});
