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

  it('refuses what is no pose in one line, with exit code 2', async () => {
    const none = await run('--pose', '3,0,0', '--quiet');
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toMatch(/^scree: [^\n]*Expected seven numbers[^\n]*\n$/);
    const long = await run('--pose', '3,0,0,0,0,0,2', '--quiet');
    expect(long).toMatchObject({ code: 2, stdout: '' });
    expect(long.stderr).toMatch(/^scree: [^\n]*quaternion of b has length 2, expected 1\n$/);
  });
});
