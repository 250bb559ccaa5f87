/** Inside viewer: which points lie inside a mesh, asked by the reader. */
import { adapterText } from '../../src/bench/text.ts';
import { DeviceError } from '../../src/index.ts';
import { openOrExplain } from '../page/adapter.ts';
import { putIntoAddress } from '../page/address.ts';
import { saveBytes } from '../page/download.ts';
import { drawn, element, messageOf, showAlarm } from '../page/elements.ts';
import { showIsolation } from '../page/isolation.ts';
import type { Answer, Watch } from './answer.ts';
import type { Flagged } from './drawing.ts';
import { listenForFiles } from './file-input.ts';
import { ChoiceForms } from './form.ts';
import { Latest } from './latest.ts';
import type { InsidePage, InsideState } from './page-api.ts';
import { type Choice, pointsOf, readChoice } from './question.ts';
import { showAnswer, showSubject } from './readout.ts';
import { fileOf, type SavedKind } from './save.ts';
import { Session } from './session.ts';
import { isMapWanted, LOOKS, percent, Showing } from './showing.ts';
import { generatedMesh, type Subject, subjectOf, subjectOfFile } from './subject.ts';

/** Meshes of more triangles take a while to make: the page says so first. */
const LARGE_MESH = 50_000;
const FLAGGED = ['inside', 'outside', 'boundary'] as const satisfies readonly Flagged[];
const SAVED = ['npy', 'vtp', 'svg'] as const satisfies readonly SavedKind[];

const address = readChoice(location.search);
let choice: Choice = address.choice;
let session: Session | undefined;
let subject: Subject | undefined;
/** What the subject was made of. */
let subjectKey = '';
let points:
  | { readonly key: string; readonly of: Subject; readonly all: Float32Array<ArrayBuffer> }
  | undefined;
let answer: Answer | undefined;
/** What the answer is an answer to. */
let answered: Choice = choice;
let isAnswering = false;
/** A file that is yet to be read, also where a later question ends the one that came with it. */
let given: File | undefined;

const questions = new Latest(fail);
const showing = new Showing();
const forms = new ChoiceForms(['form', 'slice'], choice, (changes) => void choose(changes));

async function choose(changes: Partial<Choice>): Promise<void> {
  if ('mesh' in changes) given = undefined;
  take(changes);
  if (Object.keys(changes).every((name) => LOOKS.includes(name))) showing.look(choice);
  else await ask();
}

/** Puts a choice into form and address. */
function take(changes: Partial<Choice>): void {
  choice = { ...choice, ...changes };
  forms.show(choice);
  element('map').hidden = !isMapWanted(choice);
  putIntoAddress(choice);
}

/** Answers what is chosen, of a mesh from a file where one is given. */
function ask(file = given): Promise<void> {
  given = file;
  return questions.run(async (signal) => {
    isAnswering = true;
    showing.hold(true);
    clearProblem();
    let end = '';
    try {
      await answerIt(signal);
      end = 'Done';
    } catch (error) {
      if (signal.aborted) end = 'Cancelled';
      throw error;
    } finally {
      isAnswering = false;
      showing.hold(false);
      say(end);
    }
  });
}

async function answerIt(signal: AbortSignal): Promise<void> {
  await prepareSession();
  const found = await subjectAsked(signal);
  if (found !== subject) {
    forget();
    subject = found;
    showSubject(found);
  }
  // Only now: what is chosen as its mesh is the one that is there, also for the question that ends this one.
  signal.throwIfAborted();
  const watch: Watch = { signal, onProgress };
  try {
    say('Getting ready …');
    const body = await session!.bodyOf(found);
    const all = pointsAsked(found);
    showing.setSubject(found, all);
    const asked = choice;
    answer = await body.ask(all, asked, watch);
    answered = asked;
    showing.setAnswer(answer);
    showAnswer(answer);
    setSaving(true);
    if (answer.refusal !== undefined) fail(answer.refusal);
  } catch (error) {
    if (!signal.aborted) forgetAnswer();
    throw error;
  } finally {
    if (session?.body) showing.look(choice);
  }
}

/** Opens the adapter that is chosen, unless it is open, and as many pictures as there are methods. */
async function prepareSession(): Promise<void> {
  if (!session?.isFor(choice)) {
    say('Opening …');
    await close();
    const { adapter, limits } = choice;
    const { device } = await openOrExplain('no-adapter', { adapter, limits, label: 'inside viewer' });
    element('machine').textContent = device
      ? `${adapterText(device.adapter)}.`
      : 'There is no WebGPU here: the CPU tests the points.';
    const opened = await Session.open(fresh('first'), device, choice);
    session = opened;
    showing.setSession(opened);
    const { view } = opened;
    void device?.lost.then(({ message }) => lost(opened, message));
    if (!device) void view.stage.lost.then((message) => lost(opened, `WebGL was lost: ${message}`));
    element('machine').append(` ${view.stage.kind} draws.`);
  }
  const isTwo = choice.second !== 'none';
  element('second').hidden = !isTwo;
  if (isTwo !== session.view.hasSecond) await session.view.setSecond(isTwo ? fresh('second') : undefined);
}

/** A canvas in place of one that may have been drawn on. */
function fresh(id: string): HTMLCanvasElement {
  const old = element<HTMLCanvasElement>(id);
  const canvas = old.cloneNode() as HTMLCanvasElement;
  old.replaceWith(canvas);
  return canvas;
}

async function close(): Promise<void> {
  const closing = session;
  session = undefined;
  showing.setSession(undefined);
  await closing?.destroy();
}

/** Shows that the device is gone. Closing a session on purpose is no loss. */
function lost(of: Session, message: string): void {
  if (of !== session) return;
  of.isLost = true;
  questions.cancel();
  showing.cancelMap();
  showAlarm('problem', message);
  element('restart').hidden = false;
}

async function subjectAsked(signal: AbortSignal): Promise<Subject> {
  if (given) return subjectGiven(given, signal);
  const { mesh, triangles } = choice;
  if (mesh === 'file' && subject) return subject;
  const key = `${mesh} ${triangles}`;
  if (subject && key === subjectKey) return subject;
  say('Making the mesh …');
  if (triangles > LARGE_MESH) await drawn();
  try {
    const found = subjectOf(generatedMesh({ mesh, triangles }));
    subjectKey = key;
    return found;
  } catch (error) {
    forget();
    subjectKey = '';
    showSubject(undefined);
    throw error;
  }
}

async function subjectGiven(file: File, signal: AbortSignal): Promise<Subject> {
  say(`Reading ${file.name} …`);
  try {
    const found = await subjectOfFile(file);
    // Another mesh may have been asked for while it was read.
    if (given !== file) signal.throwIfAborted();
    subjectKey = '';
    take({ mesh: 'file' });
    given = undefined;
    return found;
  } catch (error) {
    // A question that ended this one shows its own error.
    if (signal.aborted) throw error;
    given = undefined;
    // Its health and picture stand beside that line.
    if (subject) {
      element('mesh-origin').textContent = `${file.name} cannot be read: this is the mesh from before.`;
    }
    throw error;
  }
}

function pointsAsked(of: Subject): Float32Array<ArrayBuffer> {
  const { points: set, count, seed } = choice;
  const key = `${set} ${count} ${seed}`;
  if (points?.key !== key || points.of !== of) points = { key, of, all: pointsOf(choice, of.mesh) };
  return points.all;
}

function cancel(): void {
  given = undefined;
  questions.cancel();
}

/** Forgets what belongs to another mesh. */
function forget(): void {
  showing.forget();
  forgetAnswer();
  subject = undefined;
}

function forgetAnswer(): void {
  answer = undefined;
  showing.forgetAnswer();
  setSaving(false);
  showAnswer(undefined);
}

function say(text: string): void {
  element('status').textContent = text;
  element<HTMLProgressElement>('progress').value = text === 'Done' ? 1 : 0;
  element<HTMLButtonElement>('cancel').disabled = !isAnswering;
}

function onProgress(what: string, done: number, total: number): void {
  element('status').textContent = `${what}: ${percent(done, total)}`;
  element<HTMLProgressElement>('progress').value = done / Math.max(1, total);
}

function fail(error: unknown): void {
  // Its own handler has said it.
  if (session?.device?.closed) return;
  showAlarm('problem', messageOf(error));
  const isSmall = error instanceof DeviceError && error.reason === 'limits';
  element('take-limits').hidden = !(isSmall && choice.limits === 'portable');
  const { closed = true, oriented = true } = subject?.report ?? {};
  const isRefused = choice.rule === 'nonzero' ? !oriented : choice.rule === 'odd' && !closed;
  element('take-winding').hidden = !isRefused;
}

function clearProblem(): void {
  showAlarm('problem', '');
  for (const id of ['restart', 'take-limits', 'take-winding']) element(id).hidden = true;
}

function setSaving(on: boolean): void {
  for (const kind of [...SAVED, 'png']) element<HTMLButtonElement>(`save-${kind}`).disabled = !on;
}

async function save(kind: SavedKind): Promise<Uint8Array<ArrayBuffer> | string> {
  const body = session?.body;
  if (!answer || !subject || !body) throw new Error('nothing was answered yet');
  const watch: Watch = { signal: new AbortController().signal, onProgress };
  return fileOf(kind, { subject, answer, choice: answered, slice: showing.slice, body, watch });
}

function savePicture(): void {
  // What is drawn on a canvas is there until this task ends.
  session?.view.stage.render();
  element<HTMLCanvasElement>('first').toBlob(async (blob) => {
    if (blob) saveBytes(new Uint8Array(await blob.arrayBuffer()), `${nameOfFiles()}.png`, 'image/png');
  });
}

const nameOfFiles = () => (subject?.mesh.name ?? 'mesh').replace(/\.\w+$/, '').replaceAll(/[^\w.-]+/g, '-');

async function ready(): Promise<void> {
  await questions.settled;
  await showing.settled;
  showing.show();
  await session?.view.drawn();
}

function state(): InsideState | undefined {
  if (!session || !subject || !answer) return undefined;
  const { stage } = session.view;
  const { first, second, differing } = answer;
  const { counts, method, backend, reason, adapter, seconds, resolvedExactly } = first;
  return {
    ...{ counts, method, backend, reason, adapter, seconds, resolvedExactly, choice },
    ...{ mesh: subject.mesh.name, triangles: subject.mesh.triangleCount, points: counts.points },
    differing: second && differing.length,
    winding: showing.winding,
    ...{ drawing: stage.kind, drawSeconds: stage.drawSeconds },
    problem: element('problem').textContent ?? '',
  };
}

const page: InsidePage = {
  ready,
  classify: () => ask(),
  state,
  choose: (changes) => choose(changes).then(ready),
  take: (file) => ask(file).then(ready),
  cancel,
  save,
  get answer() {
    return answer;
  },
  get subject() {
    return subject;
  },
  get device() {
    return session?.device;
  },
};
Object.assign(globalThis, { screeInside: page });

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void ask();
});
element('slice').addEventListener('submit', (event) => event.preventDefault());
element('cancel').addEventListener('click', cancel);
element('restart').addEventListener('click', () => void ask());
element('take-limits').addEventListener('click', () => void choose({ limits: 'adapter' }));
element('take-winding').addEventListener('click', () => void choose({ rule: 'winding' }));
for (const name of FLAGGED) {
  element(`show-${name}`).addEventListener('change', ({ target }) => {
    showing.setShown(name, (target as HTMLInputElement).checked);
  });
}
for (const kind of SAVED) {
  element(`save-${kind}`).addEventListener('click', async () => {
    try {
      saveBytes(await save(kind), `${nameOfFiles()}.${kind}`);
      if (!isAnswering) say('Done');
    } catch (error) {
      if (!isAnswering) say('');
      fail(error);
    }
  });
}
element('save-png').addEventListener('click', savePicture);
listenForFiles(element<HTMLInputElement>('file'), (file, count) => {
  showAlarm('remarks', count > 1 ? `${count} files were dropped: taken is the first, ${file.name}` : '');
  void ask(file);
});

showIsolation('isolation-note');
showAlarm('remarks', address.remarks.join('\n'));
showSubject(undefined);
showAnswer(undefined);
element('map').hidden = !isMapWanted(choice);
void ask();
