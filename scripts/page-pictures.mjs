// npm run pictures: makes the pictures of the pages in docs/images/pages/ from dist/demos/, each light, dark and as
// narrow as a phone. The software adapter draws, and runs are of a fixed number of steps: machines differ by roundings.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'vite';

const FOLDER = 'docs/images/pages';
/** The package carries some of them. */
const MOST_BYTES = 70_000;
const REST_MILLISECONDS = 4000;
/** Pixels of a picture per CSS pixel, along each side. */
const SCALE = 1.5;

/** Addresses of pages, and what is done in each before its picture: a function that runs there. */
const PAGES = {
  index: { address: 'index.html', settle: async () => {} },
  bulk: {
    address: 'bulk/index.html?scene=hopper&count=400&adapter=software&backend=cpu',
    async settle() {
      await screeBulk.ready();
      screeBulk.pause();
      await screeBulk.reset();
      await screeBulk.runSteps(90);
    },
  },
  inside: {
    address: 'inside/index.html?adapter=software&backend=cpu',
    settle: () => screeInside.ready(),
  },
  bench: { address: 'bench/index.html?quick', settle: async () => {} },
};
const VIEWS = {
  light: { size: { width: 1200, height: 800 }, scheme: 'light' },
  dark: { size: { width: 1200, height: 800 }, scheme: 'dark' },
  narrow: { size: { width: 400, height: 800 }, scheme: 'light' },
};

// Vite runs the sources of the command line.
const sources = await createServer({
  // It has what WGSL and platforms need.
  configFile: 'vitest.config.ts',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { launchChrome } = await sources.ssrLoadModule('/src/cli/chrome/chrome.ts');
const { serveBuiltPages } = await sources.ssrLoadModule('/src/cli/bench/bench-browser.ts');

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const server = await serveBuiltPages();
const chrome = await launchChrome({ adapter: 'software' });
try {
  for (const [name, { address, settle }] of Object.entries(PAGES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const [view, { size, scheme }] of Object.entries(VIEWS)) {
      // A page of its own for each: one that has drawn for long on a busy machine draws fewer pixels.
      const page = await chrome.browser.newPage();
      await page.setViewport({ ...size, deviceScaleFactor: SCALE });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.goto(`${server.url}${address}`, { waitUntil: 'networkidle0' });
      await page.evaluate(settle);
      // Pictures at rest are drawn with all pixels.
      await new Promise((resolve) => setTimeout(resolve, REST_MILLISECONDS));
      const file = `${FOLDER}/${name}-${view}.webp`;
      const picture = await smallEnough(page);
      writeFileSync(file, picture);
      console.log(`${file}: ${picture.length} bytes`);
      await page.close();
    }
  }
} finally {
  await chrome.close();
  await server.close();
  await sources.close();
}

/** The best quality that is small enough. */
async function smallEnough(page) {
  for (let quality = 90; ; quality -= 10) {
    const picture = await page.screenshot({ type: 'webp', quality });
    if (picture.length < MOST_BYTES) return picture;
    if (quality <= 10) throw new Error(`${picture.length} bytes found, expected less than ${MOST_BYTES}`);
  }
}
