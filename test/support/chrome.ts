import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, normalize, resolve } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer';
import { createServer, type ViteDevServer } from 'vite';
import { unpackFromPackage } from '../../src/platform/software-adapter.ts';
import { dataFolder } from './data.ts';

interface ChromeProgram {
  readonly path: string;
  readonly libraries: string | undefined;
}

/** An installed Chrome first, the one that npm carries otherwise. */
async function findChrome(): Promise<ChromeProgram> {
  const installed = [
    process.env.CHROME_PATH,
    process.env.PUPPETEER_EXECUTABLE_PATH,
    '/usr/bin/google-chrome',
    '/usr/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ].find((path) => path !== undefined && existsSync(path));
  if (installed !== undefined) return { path: installed, libraries: undefined };
  const parts = ['chromium.br', 'swiftshader.tar.br', 'al2023.tar.br', 'fonts.tar.br'];
  const folder = await unpackFromPackage(parts, 'chromium');
  if (folder === undefined)
    throw new Error('no Chrome: install one, or run npm ci for the one in @sparticuz/chromium');
  return { path: join(folder, 'chromium'), libraries: `${join(folder, 'lib')}:${folder}` };
}

export interface ChromeSession {
  readonly browser: Browser;
  /** Address of the project's sources, with the meshes of the data folder below /data/. */
  readonly url: string;
  close(): Promise<void>;
}

/** Chrome with WebGPU on the software adapter, and a server of the project's sources for it. */
export async function startChrome(): Promise<ChromeSession> {
  const root = resolve(import.meta.dirname, '../..');
  const server: ViteDevServer = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode: 'browser',
    logLevel: 'error',
    cacheDir: join(root, '.cache/vite-browser-tests'),
    server: { port: 0, host: 'localhost', hmr: false, watch: null },
    optimizeDeps: { include: ['typegpu', 'typegpu/data', 'robust-predicates'], entries: [] },
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
  const chrome = await findChrome();
  const profile = mkdtempSync(join(tmpdir(), 'scree-chrome-'));
  const browser = await puppeteer
    .launch({
      executablePath: chrome.path,
      headless: chrome.libraries === undefined ? true : 'shell',
      userDataDir: profile,
      env:
        chrome.libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: chrome.libraries },
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--enable-unsafe-webgpu',
        '--use-webgpu-adapter=swiftshader',
        '--use-angle=swiftshader',
        '--use-gl=angle',
        '--ignore-gpu-blocklist',
      ],
    })
    .catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
  return {
    browser,
    url: server.resolvedUrls!.local[0]!,
    async close() {
      await browser.close();
      await server.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
