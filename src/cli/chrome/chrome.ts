/** Finds Chrome and starts it, with WebGPU on hardware or on the software adapter. puppeteer speaks to it. */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Browser, PuppeteerNode } from 'puppeteer';
import { unpackFromPackage } from '../../platform/npm-carried.ts';
import { removeLeftovers } from '../../platform/temporary.ts';
import { configureFonts } from './chrome-fonts.ts';
import { ChromeProcess, FOLDER_PREFIX, type ProcessEnd } from './chrome-process.ts';

/** Environment variables that may name Chrome's executable. The first that is set decides. */
const VARIABLES = ['CHROME_PATH', 'PUPPETEER_EXECUTABLE_PATH'] as const;
/** See `LaunchChromeOptions.startSeconds`. */
const START_SECONDS = 60;

/** How long after the end of its pipes the end of a process may become known. */
const MOMENT_MILLISECONDS = 1500;

export interface ChromeProgram {
  readonly path: string;
  /** What the Chrome that npm carries brings along. */
  readonly carried?: {
    /** Folders of its libraries, for LD_LIBRARY_PATH. */
    readonly libraries: string;
    /** The folder of its fonts. */
    readonly fonts: string;
  };
}

export interface LaunchChromeOptions {
  /** Which WebGPU adapters pages get: those of the machine's drivers, or SwiftShader, Chrome's own. */
  readonly adapter: 'hardware' | 'software';
  /** The Chrome to start, by default that of `findChrome`. */
  readonly program?: ChromeProgram;
  /** Ends Chrome. What waits for Chrome then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Environment variables, by default those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Further switches of Chrome. */
  readonly switches?: readonly string[];
  /**
   * How long Chrome may take to answer. Default 60: its first start reads 200 MB from disk, on a busy machine slowly.
   */
  readonly startSeconds?: number;
}

/** A running Chrome. */
export interface Chrome {
  readonly browser: Browser;
  /** `Chrome/143.0.7499.40` */
  readonly version: string;
  /** Path of the executable. */
  readonly path: string;
  readonly pid: number;
  /** Rejects when Chrome ends unasked, with the reason as far as known, or with the signal's reason. Never resolves. */
  readonly lost: Promise<never>;
  /** Ends Chrome and all its processes and removes its profile. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * The Chrome to start. In this order: the one that CHROME_PATH or PUPPETEER_EXECUTABLE_PATH names, one that is
 * installed, one that puppeteer downloaded, the one that npm carries (`@sparticuz/chromium`, Linux x64).
 *
 * @throws ScreeError with exit code 1 if there is none, InputError if a variable names something else.
 */
export async function findChrome(
  options: {
    readonly env?: NodeJS.ProcessEnv;
    /** Where an installed one may be. */
    readonly places?: readonly string[];
    readonly carried?: typeof unpackFromPackage;
  } = {},
): Promise<ChromeProgram> {
  const { env = process.env, carried = unpackFromPackage } = options;
  const { places = [...usualPlaces(env), ...(await puppeteersOwn())] } = options;
  for (const name of VARIABLES) {
    const path = env[name];
    // An empty variable counts as unset.
    if (path === undefined || path === '') continue;
    if (isExecutable(path)) return { path };
    const { InputError } = await import('../../index.ts');
    throw new InputError(`${name}=${path}: found no program there, expected the executable of Chrome`);
  }
  const installed = places.find(isExecutable);
  if (installed !== undefined) return { path: installed };
  const parts = ['chromium.br', 'swiftshader.tar.br', 'al2023.tar.br', 'fonts.tar.br'];
  const folder = await carried(parts, 'chromium', 'Chrome');
  if (folder !== undefined) {
    const libraries = `${join(folder, 'lib')}${delimiter}${folder}`;
    return { path: join(folder, 'chromium'), carried: { libraries, fonts: join(folder, 'fonts') } };
  }
  const { ScreeError } = await import('../../index.ts');
  throw new ScreeError(
    'no Chrome was found: install Google Chrome, or name its executable in CHROME_PATH, ' +
      'or on Linux x64: npm install @sparticuz/chromium',
    1,
  );
}

function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'darwin') {
    const names = ['Google Chrome', 'Chromium', 'Google Chrome Canary'];
    return names.flatMap((name) =>
      ['/', homedir()].map((base) => join(base, 'Applications', `${name}.app`, 'Contents/MacOS', name)),
    );
  }
  if (process.platform === 'win32') {
    const bases = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA];
    return ['Google\\Chrome', 'Chromium'].flatMap((name) =>
      bases.filter((base) => base).map((base) => join(base!, name, 'Application', 'chrome.exe')),
    );
  }
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/opt/google/chrome'];
  const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];
  return names.flatMap((name) => folders.filter((f) => f !== '').map((folder) => join(folder, name)));
}

/** The Chrome that puppeteer downloaded when it was installed, if it did. */
async function puppeteersOwn(): Promise<string[]> {
  try {
    return [(await import('puppeteer')).default.executablePath()];
  } catch {
    // There is no puppeteer, or it was told not to download one.
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function loadPuppeteer(): Promise<PuppeteerNode> {
  try {
    return (await import('puppeteer')).default;
  } catch (error) {
    const { ScreeError } = await import('../../index.ts');
    throw new ScreeError(
      'Chrome is driven by the package "puppeteer", which cannot be loaded; install it with: npm install puppeteer',
      1,
      { cause: error },
    );
  }
}

/** Switches for scree's own local page, which measures. They follow puppeteer's own. */
function switchesFor(adapter: 'hardware' | 'software'): string[] {
  const common = [
    '--enable-unsafe-webgpu',
    // For timestamps of the GPU that are not rounded, and adapters with names.
    '--enable-webgpu-developer-features',
    '--ignore-gpu-blocklist',
    // Kernels on a software adapter are slow when all cores are busy, but they do not hang.
    '--disable-gpu-watchdog',
  ];
  if (process.platform === 'linux') {
    // Chrome has no sandbox in containers, for root, and on systems that forbid user namespaces. It can do without:
    // only scree's own pages run in it.
    common.push('--no-sandbox');
  }
  if (adapter === 'software') {
    const software = ['--use-webgpu-adapter=swiftshader', '--use-gl=angle', '--use-angle=swiftshader'];
    // Without SwiftShader's Vulkan for the page's own layers, the GPU process ends when a canvas is drawn to by WebGPU.
    const canvas = ['--use-vulkan=swiftshader', '--enable-features=Vulkan', '--disable-vulkan-surface'];
    // Text and pictures of a page are drawn by the CPU at once: as shaders, SwiftShader would compile them first.
    const layers = ['--disable-gpu-rasterization'];
    return [...common, ...software, ...layers, ...(process.platform === 'linux' ? canvas : [])];
  }
  // On other systems Chrome takes Metal or D3D12 by default. A headless Chrome has no surface to present to.
  return process.platform === 'linux'
    ? [...common, '--use-angle=vulkan', '--enable-features=Vulkan', '--disable-vulkan-surface']
    : common;
}

/**
 * Starts a headless Chrome with a new profile. It ends with `close()`, with the signal, and with this process.
 *
 * @throws ScreeError with exit code 1 and one line that says why, if puppeteer is missing, no Chrome is found, or
 *   Chrome does not start.
 */
export async function launchChrome(options: LaunchChromeOptions): Promise<Chrome> {
  const { adapter, signal, env = process.env, switches = [], startSeconds = START_SECONDS } = options;
  signal?.throwIfAborted();
  const puppeteer = await loadPuppeteer();
  const { path, carried } = options.program ?? (await findChrome({ env }));
  const { ScreeError } = await import('../../index.ts');
  // Profiles that killed processes have left.
  await removeLeftovers(tmpdir(), FOLDER_PREFIX);
  signal?.throwIfAborted();
  let chrome: ChromeProcess;
  try {
    chrome = new ChromeProcess(path, (folder) => ({
      args: [
        ...puppeteer.defaultArgs({
          browser: 'chrome',
          // The Chrome that npm carries is a headless shell and has no other mode.
          headless: carried === undefined ? true : 'shell',
          userDataDir: join(folder, 'profile'),
          args: [...switchesFor(adapter), ...switches],
        }),
        '--remote-debugging-pipe',
      ],
      env: {
        ...env,
        ...(carried && { LD_LIBRARY_PATH: carried.libraries, ...configureFonts(folder, carried.fonts, env) }),
      },
    }));
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    const how = /^mk/.test(syscall ?? '')
      ? `its profile cannot be made in the temporary folder ${tmpdir()} (${code}); name another one in TMPDIR`
      : message;
    throw new ScreeError(`Chrome cannot start (${path}): ${how}`, 1, { cause: error });
  }

  let isStarted = false;
  let isClosing = false;
  const stop = new AbortController();
  const lost = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: stop.signal });
    void chrome.ended.then((end) => {
      const how = describeEnd(end, chrome.log);
      const message = isStarted
        ? `Chrome ended in the middle of the work: ${how}`
        : `Chrome cannot start (${path}): ${how}`;
      if (!isClosing) reject(new ScreeError(message, 1));
    });
  });
  // Those who wait for `lost` see its rejection. It is no error if nobody waits.
  lost.catch(() => {});

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const how = `no answer within ${startSeconds} s${saying(chrome.log)}`;
      reject(new ScreeError(`Chrome cannot start (${path}): ${how}`, 1));
    }, 1000 * startSeconds);
  });
  try {
    // No time limit: a run in a page may take long, and the end of Chrome is noticed by `lost`.
    const connecting = puppeteer.connect({ transport: chrome.transport, protocolTimeout: 0 });
    const browser = await Promise.race([orLost(connecting, lost), lost, late]);
    const version = await Promise.race([orLost(browser.version(), lost), lost, late]);
    isStarted = true;
    return {
      browser,
      version,
      path,
      pid: chrome.pid!,
      lost,
      async close() {
        isClosing = true;
        stop.abort();
        await chrome.end(() => browser.close());
      },
    };
  } catch (error) {
    isClosing = true;
    stop.abort();
    await chrome.end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Settles as `work` with Chrome does. When Chrome ends, its pipes close first, so the work fails a moment before it is
 * known how Chrome ended. That says more than the failure, so this waits for it.
 */
export async function orLost<T>(work: Promise<T>, lost: Promise<never>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    let timer: NodeJS.Timeout | undefined;
    const moment = new Promise<void>((settle) => {
      timer = setTimeout(settle, MOMENT_MILLISECONDS);
    });
    await Promise.race([lost, moment]).finally(() => clearTimeout(timer));
    throw error;
  }
}

/** Why Chrome ended, in a few words. */
function describeEnd({ code, signal, error }: ProcessEnd, log: readonly string[]): string {
  if (error !== undefined) {
    return error.code === 'EACCES' ? 'the file is not executable' : `the system answers ${error.code}`;
  }
  const library = log.map((line) => /loading shared libraries: ([^:]+):/.exec(line)?.[1]).find(Boolean);
  if (library !== undefined) return `the system lacks the library ${library}`;
  const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  return `${how}${saying(log)}`;
}

/** The last line of Chrome's messages that looks like a reason, as the end of a sentence. */
function saying(log: readonly string[]): string {
  const telling = log.filter((line) => !/^#\d|^\[end of stack|\b(dbus|gcm|DevTools)\b/i.test(line));
  const line = telling.findLast((l) => /fatal|error|fail|cannot|denied|no usable/i.test(l)) ?? telling.at(-1);
  if (line === undefined) return '';
  // Chrome begins a line with its process, the time and a place in its source.
  const bare = line.replace(/^\[[^\]]*\]\s*/, '');
  return `; it said: ${bare.length > 200 ? `${bare.slice(0, 200)} ...` : bare}`;
}
