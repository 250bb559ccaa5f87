/** A server of the files of one folder, for pages in a browser on this machine. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const HEADERS = {
  // A page that is isolated from others has SharedArrayBuffer, which worker threads need, and clocks of 5 microseconds.
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

/**
 * Serves a folder on 127.0.0.1, on a port that is free. Only files that are there when it starts are to be had: paths are
 * looked up in their list and never put together.
 */
export async function servePages(folder: string): Promise<PageServer> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = `/${relative(folder, path).split(sep).join('/')}`;
    if (!entry.isFile()) continue;
    files.set(name, path);
    if (entry.name === 'index.html') files.set(name.slice(0, -'index.html'.length), path);
  }
  const server = createServer((request, response) => {
    answer(files, request, response).catch((error: Error) => {
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
      // A browser keeps its connections open for later.
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  files: ReadonlyMap<string, string>,
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
  const bytes = await readFile(path);
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Length': bytes.length,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
