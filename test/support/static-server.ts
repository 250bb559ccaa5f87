/**
 * A plain static server, as pages may be put on: files as they are, below a folder, with the isolating headers or
 * without.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

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
  /** What was sent since `reset`, each path once: bytes as `gzip -9` leaves them. */
  compressedBytes(): ReadonlyMap<string, number>;
  reset(): void;
  close(): Promise<void>;
}

export async function serveStatic(folder: string, isIsolated: boolean): Promise<StaticServer> {
  const base = '/some/folder/';
  const sent = new Map<string, Buffer>();
  const missing: string[] = [];
  const sizes = new Map<string, number>();
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
      sent.set(name.slice(base.length), bytes);
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
    compressedBytes() {
      for (const [name, bytes] of sent) {
        if (!sizes.has(name)) sizes.set(name, gzipSync(bytes, { level: 9 }).length);
      }
      return new Map([...sent.keys()].map((name) => [name, sizes.get(name)!]));
    },
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
