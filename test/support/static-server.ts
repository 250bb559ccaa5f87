/**
 * A plain static server, as pages may be put on: files as they are, below a folder, with the isolating headers or
 * without.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

export interface StaticServer {
  /** Address of the folder, with a slash at its end. */
  readonly url: string;
  /** Paths that were asked for and are not there, since `reset`. */
  readonly missing: string[];
  /** Paths of files that were sent since `reset`, below the folder. */
  readonly sent: ReadonlySet<string>;
  reset(): void;
  close(): Promise<void>;
}

export async function serveStatic(folder: string, isIsolated: boolean): Promise<StaticServer> {
  const base = '/some/folder/';
  const sent = new Set<string>();
  const missing: string[] = [];
  const headers = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://127.0.0.1').pathname;
    const name = path.endsWith('/') ? `${path}index.html` : path;
    try {
      if (!name.startsWith(base)) throw new Error('above the folder');
      const bytes = readFileSync(join(folder, normalize(name.slice(base.length))));
      sent.add(name.slice(base.length));
      const type = TYPES[extname(name)] ?? 'application/octet-stream';
      response.writeHead(200, { 'Content-Type': type, ...(isIsolated && headers) }).end(bytes);
    } catch {
      missing.push(path);
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    missing,
    sent,
    reset() {
      sent.clear();
      missing.length = 0;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
