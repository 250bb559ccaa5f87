import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PageServer, servePages } from '../../src/cli/chrome/page-server.ts';
import { temporaryFolder } from './scree.ts';

const outer = temporaryFolder();
const folder = join(outer, 'pages');
let server: PageServer;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(outer, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<p>page</p>');
  writeFileSync(join(folder, 'assets/code.js'), 'export {};');
  server = await servePages(folder);
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Asks for a path as it is. `fetch` would normalise it. */
function ask(path: string, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, method }, (response) => {
      let text = '';
      response.on('data', (bytes) => {
        text += bytes;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    asking.on('error', reject);
    asking.end();
  });
}

it('serves files by their type on this machine alone, on pages that are isolated', async () => {
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const page = await ask('/?quick#top');
  expect(page).toMatchObject({ status: 200, text: '<p>page</p>' });
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  });
  const code = await ask('/assets/code.js');
  expect(code).toMatchObject({ status: 200, text: 'export {};' });
  expect(code.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(await ask('/index.html', 'HEAD')).toMatchObject({ status: 200, text: '' });
});

it.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/..\\secret.txt',
  '//secret.txt',
  '/assets',
  '/missing.js',
])('has nothing at %s', async (path) => {
  expect(await ask(path)).toMatchObject({ status: 404, text: '' });
});

it('takes no other methods', async () => {
  expect(await ask('/', 'POST')).toMatchObject({ status: 405, text: '' });
});

it('closes though a connection is kept open', async () => {
  const other = await servePages(folder);
  await (await fetch(other.url)).text();
  await other.close();
  await expect(fetch(other.url)).rejects.toThrow();
});
