import { readFile, rm } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import type { Browser } from 'puppeteer';
import { createServer, type ViteDevServer } from 'vite';
import { launchChrome } from '../../src/cli/chrome/chrome.ts';
import { dataFolder } from './data.ts';

export interface ChromeSession {
  readonly browser: Browser;
  /** Address of the project's sources, with the meshes of the data folder below /data/. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Chrome with WebGPU on the software adapter, and a server of the project's sources for it.
 *
 * @param packages that the sources import besides the library's: what is found only later would load the page anew
 */
export async function startChrome(packages: readonly string[] = []): Promise<ChromeSession> {
  const root = resolve(import.meta.dirname, '../..');
  // A folder per process: several test files run at once, and each server writes into its folder when it starts.
  const cacheDir = join(root, '.cache', `vite-browser-tests-${process.pid}`);
  const server: ViteDevServer = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode: 'browser',
    logLevel: 'error',
    cacheDir,
    server: { port: 0, host: 'localhost', hmr: false, watch: null },
    optimizeDeps: {
      include: ['typegpu', 'typegpu/data', 'robust-predicates', 'wgpu-matrix', ...packages],
      entries: [],
    },
    plugins: [
      {
        name: 'test-data',
        configureServer(running) {
          running.middlewares.use('/data/', (request, response) => {
            const path = normalize(join(dataFolder, decodeURIComponent(request.url ?? '')));
            readFile(path).then(
              (bytes) => response.end(bytes),
              () => response.writeHead(404).end(),
            );
          });
        },
      },
    ],
  });
  await server.listen();
  const chrome = await launchChrome({ adapter: 'software' }).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return {
    browser: chrome.browser,
    url: server.resolvedUrls!.local[0]!,
    async close() {
      await chrome.close();
      await server.close();
      await rm(cacheDir, { recursive: true, force: true });
    },
  };
}
