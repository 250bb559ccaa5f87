/** Serves the files of a folder to a browser on this machine. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const HEADERS = {
  // These two isolate a page from others, which gives it SharedArrayBuffer for threads and clocks of 5 microseconds.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const;

export interface PageServer {
  /** Address of the folder, with a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/** A package that pages may import by its name. */
export interface ServedPackage {
  readonly name: string;
  /** The folder of its package.json. */
  readonly folder: string;
  /** The file in it that the name stands for. */
  readonly entry: string;
}

/** What the server gives: the paths of files on the disk by their paths in a URL. */
interface Served {
  readonly files: ReadonlyMap<string, string>;
  /** Goes to the head of every page. */
  readonly importMap: string;
}

/**
 * Serves a folder on 127.0.0.1, on a free port, and packages that its pages may import by name. It serves only files
 * that are there when it starts: a path is looked up in their list and never put together.
 */
export async function servePages(
  folder: string,
  packages: readonly ServedPackage[] = [],
): Promise<PageServer> {
  const files = new Map<string, string>();
  for (const [name, path] of filesOf(folder, '/')) {
    files.set(name, path);
    if (name.endsWith('/index.html')) files.set(name.slice(0, -'index.html'.length), path);
  }
  const imports: Record<string, string> = {};
  for (const { name, folder, entry } of packages) {
    const at = `/packages/${name}/`;
    for (const [path, file] of filesOf(folder, at)) if (/\.m?js$/.test(path)) files.set(path, file);
    imports[name] = `${at}${relative(folder, entry).split(sep).join('/')}`;
  }
  const importMap = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  const served: Served = { files, importMap };
  const server = createServer((request, response) => {
    answer(served, request, response).catch((error: Error) => {
      response.destroy(error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // A browser keeps its connections open for later requests.
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The files of a folder: for each its path in a URL, below `at`, and its path on the disk. */
function* filesOf(folder: string, at: string): Generator<readonly [string, string]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) yield [`${at}${relative(folder, path).split(sep).join('/')}`, path];
  }
}

async function answer(
  { files, importMap }: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...HEADERS, Allow: 'GET, HEAD' }).end();
    return;
  }
  const name = request.url?.split(/[?#]/, 1)[0] ?? '';
  const path = files.get(name);
  if (path === undefined) {
    response.writeHead(404, HEADERS).end();
    return;
  }
  const found = await readFile(path);
  const isPage = extname(path) === '.html';
  const bytes = isPage ? Buffer.from(`${found}`.replace('<head>', `<head>${importMap}`)) : found;
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Length': bytes.length,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
