/** Bulk goods: scenes in motion, with what moves them chosen by the reader. */
import { adapterText } from '../../src/bench/text.ts';
import { openOrExplain } from '../page/adapter.ts';
import { addressOf, putIntoAddress } from '../page/address.ts';
import { saveBytes } from '../page/download.ts';
import { element, messageOf, showAlarm } from '../page/elements.ts';
import { showIsolation } from '../page/isolation.ts';
import { adapterChoice, type Choice, defaultChoice, machineKindOf, readChoice } from './choice.ts';
import type { Colouring } from './colours.ts';
import { canRecord, type Recording, record } from './film.ts';
import { fittingCount, isTooLarge } from './fitting.ts';
import { ChoiceForm } from './form.ts';
import { Frames } from './frames.ts';
import { fewerBodies, paceOf } from './pace.ts';
import type { BulkPage, BulkState } from './page-api.ts';
import { Picked } from './picked.ts';
import { Readout } from './readout.ts';
import { type Run, readSaved, type SavedRun } from './run.ts';
import { Session } from './session.ts';

const play = element<HTMLButtonElement>('play');
const reset = element<HTMLButtonElement>('reset');
const buttons = [reset, ...['play', 'single', 'save'].map((id) => element<HTMLButtonElement>(id))];
const forces = element<HTMLInputElement>('forces');
const colouring = element<HTMLSelectElement>('colouring');
const film = element<HTMLButtonElement>('film');
const readout = new Readout();

/** When nothing has moved after so long, the page says why. */
const FIRST_STEPS_MILLISECONDS = 3000;

/** Whether the number of bodies stays: somebody has chosen something but a scene, or fewer were taken once. */
let isCountFixed = new URLSearchParams(location.search).has('count');

let session: Session | undefined;
let frames: Frames | undefined;
let choice: Choice = defaultChoice('none');
/** Whether it is to move, also when there is nothing to move yet. */
let isPlaying = !matchMedia('(prefers-reduced-motion: reduce)').matches;
/** What is done to the run, one after the other. */
let tail: Promise<void> = Promise.resolve();

const form = new ChoiceForm(element<HTMLFormElement>('form'), choice, (wanted, name) => {
  isCountFixed = name !== 'scene';
  if (name === 'speed') {
    choice = wanted;
    putIntoAddress(choice);
    return;
  }
  // Another scene begins with what suits it.
  const fresh =
    name === 'scene' ? { ...defaultChoice(machine(), wanted.scene), speed: wanted.speed } : wanted;
  const own = { ...fresh, shape: wanted.shape, backend: wanted.backend, adapter: wanted.adapter };
  void inTurn(() => (name === 'adapter' ? open(own) : renew(own)));
});

const picked = new Picked({ session: () => session, inTurn, redraw: () => frames?.redraw() });

const machine = () => machineKindOf(session?.device?.adapter);

/** Does something to the run when all before it is done. What goes wrong is shown. */
function inTurn(work: () => Promise<void>): Promise<void> {
  tail = tail.then(work).catch((error: unknown) => {
    waiting('');
    showAlarm('problem', messageOf(error));
  });
  return tail;
}

function waiting(text: string): void {
  element('waiting').textContent = text;
}

/** Whether the address is that of an earlier place already. */
let isGoingBack = false;

/** Whether the session's device is gone. */
let isLost = false;

/**
 * Opens the adapter anew, and draws on a canvas that nothing has drawn on.
 *
 * @param wanted undefined: what the address says
 */
async function open(wanted?: Choice): Promise<void> {
  await close();
  waiting('Opening …');
  const address = wanted ? addressOf(wanted) : location.search;
  const old = element<HTMLCanvasElement>('picture');
  const canvas = old.cloneNode() as HTMLCanvasElement;
  old.replaceWith(canvas);
  picked.listenTo(canvas);
  const { device, missing } = await openOrExplain('no-device', {
    ...{ adapter: adapterChoice(address), limits: 'adapter', label: 'bulk goods' },
  });
  element('machine').textContent = device ? adapterText(device.adapter) : 'There is no WebGPU here.';
  const opened = await Session.open(canvas, device);
  session = opened;
  opened.showsForces = forces.checked;
  opened.colouring = colouring.value as Colouring;
  isLost = false;
  const { choice: read, remarks } = readChoice(address, machine());
  const notes = [...remarks];
  const isWithout = read.backend === 'gpu' && !device;
  if (isWithout) notes.push('address: backend is "gpu", and there is no WebGPU: taken is auto');
  if (missing)
    notes.push(`${missing.problem}: the CPU makes the steps and WebGL the picture, with fewer bodies`);
  showAlarm('remarks-text', notes.join('\n'));
  element('remarks').hidden = notes.length === 0;
  void device?.lost.then(({ message }) => lost(opened, message));
  if (!device) void opened.stage.lost.then((message) => lost(opened, `WebGL was lost: ${message}`));
  await begin(isWithout ? { ...read, backend: 'auto' } : read);
}

async function close(): Promise<void> {
  await endFilm();
  await frames?.end();
  frames = undefined;
  const closing = session;
  session = undefined;
  await closing?.destroy();
}

/** Shows that the device is gone. Closing a session on purpose is no loss. */
function lost(of: Session, message: string): void {
  if (of !== session) return;
  isLost = true;
  setButtons(false);
  showAlarm('problem', message);
  element('restart').hidden = false;
  void inTurn(async () => {
    if (of === session) await frames?.end();
  });
}

/** Begins anew, on a new device where the last one was lost. */
function renew(wanted: Choice): Promise<void> {
  return session && !isLost ? begin(wanted) : open(wanted);
}

function take(wanted: Choice): void {
  // A scene is a place of its own. The first one is that of the address.
  const isNew = session?.run !== undefined && wanted.scene !== choice.scene && !isGoingBack;
  choice = wanted;
  form.show(wanted);
  putIntoAddress(wanted, isNew);
}

/** Begins a run of a choice, or one that goes on from what was saved. */
async function begin(wanted: Choice, saved?: SavedRun): Promise<void> {
  const own = session!;
  const before = choice;
  await frames?.end();
  frames = undefined;
  take(wanted);
  clearProblem();
  readout.clear();
  picked.pick(undefined);
  setButtons(false);
  waiting('Making bodies …');
  try {
    const run = await own.begin(wanted, saved, (done, total) => {
      waiting(`Making bodies: ${Math.round((100 * done) / Math.max(1, total))} %`);
    });
    start(own, run);
  } catch (error) {
    waiting('');
    reset.disabled = false;
    if (saved) take(before);
    // What was saved cannot be used: the run from before is still there.
    if (own.run) start(own, own.run);
    if (saved || !isTooLarge(error)) throw error;
    showAlarm('problem', error.message);
    await offer(await fittingCount(own.device, wanted));
  }
}

function start(own: Session, run: Run): void {
  const { device, stage } = own;
  const { simulation } = run;
  element('machine').textContent =
    `Steps: the ${simulation.backend.toUpperCase()} (${simulation.reason}). ` +
    `Picture: ${stage.kind}${device ? ` on ${adapterText(device.adapter)}` : ''}.`;
  frames = new Frames({ advance, draw: () => draw(own), fail });
  frames.isPlaying = isPlaying;
  setButtons(true);
  readout.show(run.counters);
  element('pace').textContent = '';
  waiting('');
  setTimeout(() => {
    if (own.run !== run || run.counters.steps > 0 || !isPlaying) return;
    waiting(`The first steps of ${choice.count} bodies take this machine long …`);
    offerFaster(fewerBodies(choice, choice.count / 4));
  }, FIRST_STEPS_MILLISECONDS);
}

/** Says how fast it goes where that is not what was chosen, and takes or offers as many bodies as would go faster. */
function showPace(run: Run): void {
  const { counters, measuredSeconds } = run;
  if (counters.steps > 0) waiting('');
  const { simulatedPerSecond } = counters;
  const { text, fewer, isTaken } = paceOf(
    { simulatedPerSecond, measuredSeconds },
    ...([choice, machine(), isCountFixed] as const),
  );
  element('pace').textContent = isPlaying ? text : '';
  if (!isPlaying) return;
  if (isTaken) takeFewer(run, fewer!);
  else offerFaster(fewer);
}

/** Begins anew with fewer bodies, and says so. */
function takeFewer(run: Run, count: number): void {
  const { scene, count: before } = choice;
  void inTurn(async () => {
    // Somebody has chosen meanwhile.
    if (session?.run !== run || isCountFixed || !isPlaying || choice.scene !== scene) return;
    isCountFixed = true;
    await renew({ ...choice, count });
    showAlarm('remarks-text', `${before} bodies are too many for this machine: taken are ${count}.`);
    element('remarks').hidden = false;
  });
}

/** Offers fewer bodies, which move faster. */
function offerFaster(count: number | undefined): void {
  const fit = element<HTMLButtonElement>('fit');
  fit.hidden = count === undefined;
  if (count === undefined) return;
  fit.textContent = `Take ${count} bodies, which move faster`;
  fit.onclick = () => takeOffer(count);
}

function takeOffer(count: number): void {
  isCountFixed = true;
  void inTurn(() => renew({ ...choice, count }));
}

/** Offers fewer bodies. */
async function offer(count: number | undefined): Promise<void> {
  if (count === undefined) return;
  const fit = element<HTMLButtonElement>('fit');
  fit.textContent = `Take ${count} bodies, which fit`;
  fit.hidden = false;
  fit.onclick = () => takeOffer(count);
}

function clearProblem(): void {
  showAlarm('problem', '');
  for (const id of ['restart', 'fit']) element(id).hidden = true;
}

async function advance(budget: number, passed: number): Promise<void> {
  const { run } = session!;
  if (!run) return;
  await run.advance(budget, passed, choice.speed);
  if (run.stop) stopped();
}

/** Shows the line of the monitors and the body that it names. */
function stopped(): void {
  const { stop } = session!.run!;
  if (!stop) return;
  setPlaying(false);
  showAlarm('problem', stop.message);
  if (stop.body !== undefined) picked.pick(stop.body);
}

async function draw(of: Session): Promise<void> {
  const { run } = of;
  if (of !== session || !run) return;
  if (readout.isDue) await picked.show();
  await of.draw(isPlaying);
  element('force-scale').textContent = of.forceScale;
  element('colour-scale').textContent = of.colourScale;
  if (readout.isDue) {
    readout.show(run.counters);
    showPace(run);
  }
}

/** What neither steps nor drawing caught. A device that is gone says so itself. */
function fail(error: unknown): void {
  setButtons(false);
  if (session?.device?.closed) return;
  showAlarm('problem', messageOf(error));
  reset.disabled = false;
  if (isTooLarge(error)) void inTurn(async () => offer(await fittingCount(session?.device, choice)));
}

function setButtons(on: boolean): void {
  for (const button of buttons) button.disabled = !on;
  film.disabled = !on;
  if (!canRecord()) film.title = 'This browser records no canvas: a film is pictures in an archive.';
}

function setPlaying(on: boolean): void {
  isPlaying = on;
  play.textContent = on ? 'Pause' : 'Go on';
  if (!frames) return;
  frames.isPlaying = on;
  // The last picture may lack forces.
  if (!on) frames.redraw();
}

async function runSteps(count: number): Promise<void> {
  const run = session?.run;
  if (!run || !frames) return;
  await run.makeSteps(count);
  if (run.stop) stopped();
  readout.show(run.counters);
  await picked.show();
  frames.redraw();
}

async function save(): Promise<Uint8Array<ArrayBuffer>> {
  const run = session?.run;
  if (!run) throw new Error('no run is there');
  return run.save();
}

function load(file: Uint8Array, name: string): Promise<void> {
  return inTurn(async () => {
    const saved = readSaved(file, name, machine());
    isCountFixed = true;
    setPlaying(false);
    if (!session || isLost) await open(choice);
    await begin({ ...saved.choice, adapter: choice.adapter }, saved);
  });
}

play.addEventListener('click', () => setPlaying(!isPlaying));
element('single').addEventListener('click', () => {
  setPlaying(false);
  void inTurn(() => runSteps(1));
});
element('understood').addEventListener('click', () => {
  element('remarks').hidden = true;
});
addEventListener('popstate', () => {
  void inTurn(async () => {
    isGoingBack = true;
    try {
      await renew(readChoice(location.search, machine()).choice);
    } finally {
      isGoingBack = false;
    }
  });
});
reset.addEventListener('click', () => void inTurn(() => renew(choice)));
element('restart').addEventListener('click', () => void inTurn(() => open(choice)));
forces.addEventListener('change', () => {
  if (session) session.showsForces = forces.checked;
  element('force-scale').textContent = '';
  frames?.redraw();
});
colouring.addEventListener('change', () => {
  if (session) session.colouring = colouring.value as Colouring;
  element('colour-scale').textContent = '';
  frames?.redraw();
});

let recording: Recording | undefined;

/** Saves what was recorded, if anything is. */
async function endFilm(): Promise<void> {
  const ending = recording;
  recording = undefined;
  film.textContent = 'Film';
  film.setAttribute('aria-pressed', 'false');
  if (!ending) return;
  const { bytes, extension, type } = await ending.end();
  saveBytes(bytes, `${choice.scene}-${choice.count}.${extension}`, type);
}

film.addEventListener('click', () => {
  void inTurn(async () => {
    if (recording) return endFilm();
    if (!session) return;
    recording = record(session.stage, element<HTMLCanvasElement>('picture'));
    film.textContent = 'End film';
    film.setAttribute('aria-pressed', 'true');
    // A film has its first picture, also of what stands.
    frames?.redraw();
  });
});
element('save').addEventListener('click', () => {
  void inTurn(async () => saveBytes(await save(), `${choice.scene}-${choice.count}.scree`));
});
element('load').addEventListener('change', async ({ target }) => {
  const input = target as HTMLInputElement;
  const file = input.files?.[0];
  if (file) await load(new Uint8Array(await file.arrayBuffer()), file.name);
  // So that the same file can be chosen again.
  input.value = '';
});

async function state(): Promise<BulkState | undefined> {
  const { run, stage } = session ?? {};
  if (!run || !stage) return undefined;
  const { simulation, stop } = run;
  const { backend, adapter, timeStep } = simulation;
  return {
    ...run.counters,
    ...{ choice, backend, adapter, timeStep, drawing: stage.kind, isPlaying, stop },
    ...{ problem: element('problem').textContent ?? '', stateHash: await run.stateHash() },
  };
}

const page: BulkPage = {
  ready: () => tail,
  state,
  get framesSeconds() {
    return frames?.seconds ?? [];
  },
  get drawSeconds() {
    return frames?.drawSeconds ?? [];
  },
  get stepSeconds() {
    return frames?.stepSeconds ?? [];
  },
  play: () => setPlaying(true),
  pause: () => setPlaying(false),
  runSteps: (count) => inTurn(() => runSteps(count)),
  reset: (changes) => inTurn(() => renew({ ...choice, ...changes })),
  save,
  load,
  pick: async (body) => {
    picked.pick(body);
    await tail;
  },
  get simulation() {
    return session?.run?.simulation;
  },
  get device() {
    return session?.device;
  },
};
Object.assign(globalThis, { screeBulk: page });

showIsolation('isolation');
setPlaying(isPlaying);
// All its parts have their places now.
element('page').classList.remove('unfinished');
void inTurn(() => open());
