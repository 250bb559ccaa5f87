/** The list of demos, with what this browser has for them. */
import { adapterText, bytesText, countText } from '../src/bench/text.ts';
import { findAdapter, showNoDevice } from './page/adapter.ts';
import { describeBrowser } from './page/browser.ts';
import { element } from './page/elements.ts';
import { showIsolation } from './page/isolation.ts';

function show(texts: Readonly<Record<string, string>>): void {
  for (const [id, text] of Object.entries(texts)) element(id).textContent = text;
}

async function showBrowser(): Promise<void> {
  const { runtime, platform } = await describeBrowser();
  const cores = navigator.hardwareConcurrency;
  show({
    browser: `${runtime}, ${platform}`,
    threads: crossOriginIsolated ? `yes, ${cores} cores` : 'no: no shared memory',
  });
}

async function showAdapter(): Promise<void> {
  try {
    const { adapter, limits, hasTimestamps } = await findAdapter();
    show({
      adapter: adapterText(adapter),
      buffer: bytesText(limits.maxBufferSize),
      binding: bytesText(limits.maxStorageBufferBindingSize),
      'storage-buffers': countText(limits.maxStorageBuffersPerShaderStage),
      invocations: countText(limits.maxComputeInvocationsPerWorkgroup),
      timestamps: hasTimestamps ? 'yes' : 'no: wall time only',
      found: adapter.software ? 'WebGPU is here, on the CPU: demos start small.' : 'WebGPU is here: all set.',
    });
  } catch (error) {
    const nothing = ['buffer', 'binding', 'storage-buffers', 'invocations', 'timestamps'];
    show({ adapter: 'none', ...Object.fromEntries(nothing.map((id) => [id, '–'])) });
    showNoDevice('no-adapter', error);
    const link = document.createElement('a');
    link.href = '#machine';
    link.textContent = 'What to do';
    element('found').replaceChildren('No WebGPU here: the first two demos run on the CPU. ', link, '.');
  }
}

showIsolation('isolation-note');
void showBrowser();
void showAdapter();
