/** Inside viewer: which points lie inside a mesh, asked by the reader. */
import { adapterText } from '../../src/bench/text.ts';
import { DeviceError } from '../../src/index.ts';
import { showNoDevice } from '../page/adapter.ts';
import { putIntoAddress } from '../page/address.ts';
import { saveBytes } from '../page/download.ts';
import { drawn, element, messageOf, showAlarm } from '../page/elements.ts';
import { showIsolation } from '../page/isolation.ts';
import type { Answer, Watch } from './answer.ts';
import type { Flagged } from './drawing.ts';
import { ChoiceForms } from './form.ts';
import { Latest } from './latest.ts';
import type { InsidePage, InsideState } from './page-api.ts';
import { AXES, boxWith, type Choice, pointsOf, readChoice } from './question.ts';
import { drawnText, showAnswer, showSubject } from './readout.ts';
import { fileOf, type SavedKind } from './save.ts';
import { Session } from './session.ts';
import { generatedMesh, type Subject, subjectOf, subjectOfFile } from './subject.ts';
import { cloudOf, type Scene } from './view.ts';
import { rangeOf, type Slice, showLegend, sliceGrid } from './winding-map.ts';

/** Meshes of more triangles take a while to make: the page says so first. */
const LARGE_MESH = 50_000;
/** Points of the map of winding numbers. */
const MAP_POINTS = { hardware: 20_000, software: 8000 };
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
/** The answer that the pictures show. */
let pictured: Answer | undefined;
let isAnswering = false;
let scene: Scene = {
  ...{ mesh: undefined, report: undefined, box: undefined, clouds: [], slice: undefined, winding: undefined },
  ...{ style: choice.style, shown: { inside: true, outside: true, boundary: true } },
};
let frame: number | undefined;

const questions = new Latest(fail);
const maps = new Latest((error) => {
  element('winding-line').textContent = messageOf(error);
});
const forms = new ChoiceForms(['form', 'slice'], choice, (changes) => void choose(changes));

/** Parts of a choice that decide how an answer is drawn, and not what it is. */
const LOOKS: readonly string[] = ['axis', 'place', 'winding', 'style'] satisfies (keyof Choice)[];

async function choose(changes: Partial<Choice>): Promise<void> {
  take(changes);
  if (Object.keys(changes).every((name) => LOOKS.includes(name))) look();
  else await ask();
}

/** Puts a choice into form and address. */
function take(changes: Partial<Choice>): void {
  choice = { ...choice, ...changes };
  forms.show(choice);
  element('map').hidden = !isMapWanted();
  putIntoAddress(choice);
}

/** Answers what is chosen, of a mesh from a file where one is given. */
function ask(file?: File): Promise<void> {
  return questions.run(async (signal) => {
    isAnswering = true;
    clearProblem();
    try {
      await answerIt(signal, file);
      say('Done');
    } catch (error) {
      if (signal.aborted) say('Cancelled');
      throw error;
    } finally {
      isAnswering = false;
      requestPicture();
    }
  });
}

async function answerIt(signal: AbortSignal, file: File | undefined): Promise<void> {
  await prepareSession();
  const found = await subjectAsked(file);
  signal.throwIfAborted();
  if (found !== subject) {
    const key = subjectKey;
    forget();
    [subject, subjectKey] = [found, key];
    showSubject(found);
  }
  const watch: Watch = { signal, onProgress };
  try {
    say('Getting ready …');
    const body = await session!.bodyOf(found);
    const all = pointsAsked(found);
    if (scene.mesh !== found.mesh) frameMesh(found, all);
    const asked = choice;
    answer = await body.ask(all, asked, watch);
    answered = asked;
    showAnswer(answer);
    setSaving(true);
    // Points may lie elsewhere than those before.
    if (pictured?.points !== all) frameMesh(found, all);
    if (answer.refusal !== undefined) fail(answer.refusal);
  } catch (error) {
    if (!signal.aborted) forgetAnswer();
    throw error;
  } finally {
    if (session?.body) look();
  }
}

/** Opens the adapter that is chosen, unless it is open, and as many pictures as there are methods. */
async function prepareSession(): Promise<void> {
  if (!session?.isFor(choice)) {
    say('Opening …');
    await close();
    const opened = await Session.open(fresh('first'), choice);
    session = opened;
    const { device, view, missing } = opened;
    showNoDevice('no-adapter', missing);
    void device?.lost.then(({ message }) => lost(opened, message));
    if (!device) void view.stage.lost.then((message) => lost(opened, `WebGL was lost: ${message}`));
    element('machine').textContent = device
      ? `${adapterText(device.adapter)}. ${view.stage.kind} draws.`
      : 'There is no WebGPU here: the CPU tests the points, and WebGL draws.';
  }
  const isTwo = choice.second !== 'none';
  if (isTwo === session.view.hasSecond) return;
  element('pictures').classList.toggle('two', isTwo);
  element('second').hidden = !isTwo;
  await session.view.setSecond(isTwo ? fresh('second') : undefined);
}

/** A canvas in place of one that may have been drawn on. */
function fresh(id: string): HTMLCanvasElement {
  const old = element<HTMLCanvasElement>(id);
  const canvas = old.cloneNode() as HTMLCanvasElement;
  old.replaceWith(canvas);
  return canvas;
}

async function close(): Promise<void> {
  maps.cancel();
  const closing = session;
  session = undefined;
  scene = { ...scene, mesh: undefined, box: undefined, clouds: [], winding: undefined };
  pictured = undefined;
  await closing?.destroy();
}

/** Shows that the device is gone. Closing a session on purpose is no loss. */
function lost(of: Session, message: string): void {
  if (of !== session) return;
  questions.cancel();
  maps.cancel();
  showAlarm('problem', message);
  element('restart').hidden = false;
}

async function subjectAsked(file: File | undefined): Promise<Subject> {
  if (file) {
    say(`Reading ${file.name} …`);
    const found = await subjectOfFile(file);
    subjectKey = '';
    take({ mesh: 'file' });
    return found;
  }
  if (choice.mesh === 'file' && subject) return subject;
  const { mesh, triangles } = choice;
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
    showSubject(undefined);
    throw error;
  }
}

function pointsAsked(of: Subject): Float32Array<ArrayBuffer> {
  const { points: set, count, seed } = choice;
  const key = `${set} ${count} ${seed}`;
  if (points?.key !== key || points.of !== of) points = { key, of, all: pointsOf(choice, of.mesh) };
  return points.all;
}

/** Forgets what belongs to another mesh. */
function forget(): void {
  maps.cancel();
  forgetAnswer();
  subject = undefined;
  subjectKey = '';
  scene = { ...scene, mesh: undefined, winding: undefined };
}

function forgetAnswer(): void {
  answer = undefined;
  pictured = undefined;
  scene = { ...scene, clouds: [] };
  setSaving(false);
  showAnswer(undefined);
}

function frameMesh({ mesh, report }: Subject, all: Float32Array): void {
  const box = boxWith(mesh.box, all);
  const isSame = JSON.stringify(box) === JSON.stringify(scene.box) && mesh === scene.mesh;
  if (!isSame) scene = { ...scene, mesh, report, box };
}

/** Takes slice and style from the choice, and asks for winding numbers where they are wanted. */
function look(): void {
  const { style } = choice;
  const slice = sliceChosen();
  const isSame = slice?.axis === scene.slice?.axis && slice?.at === scene.slice?.at;
  scene = { ...scene, style, slice: isSame ? scene.slice : slice };
  element('slice-at').textContent = slice ? String(Number(slice.at.toPrecision(4))) : '';
  const grid = scene.winding?.grid;
  const isMapped = grid !== undefined && grid.slice.axis === slice?.axis && grid.slice.at === slice.at;
  if (!slice || !isMapWanted()) {
    maps.cancel();
    scene = { ...scene, winding: undefined };
    element('legend').replaceChildren();
    element('winding-line').textContent = '';
  } else if (!isMapped) void mapWinding(slice);
  requestPicture();
}

const isMapWanted = () => choice.winding === 'yes' && choice.axis !== 'none';

function sliceChosen(): Slice | undefined {
  const axis = AXES.indexOf(choice.axis) - 1;
  const { box } = scene;
  if (axis < 0 || !box) return undefined;
  const [low, high] = [box.min[axis]!, box.max[axis]!];
  return { axis: axis as Slice['axis'], at: low + choice.place * (high - low) };
}

function mapWinding(slice: Slice): Promise<void> {
  const of = session!;
  const body = of.body!;
  return maps.run(async (signal) => {
    const kind = of.view.stage.isSoftware ? 'software' : 'hardware';
    const grid = sliceGrid(subject!.mesh.box, slice, MAP_POINTS[kind]);
    const line = element('winding-line');
    const report: Watch['onProgress'] = (_, done, total) => {
      line.textContent = `Winding numbers: ${percent(done, total)}`;
    };
    const { values, reason } = await body.windingNumber(grid.points, { signal, onProgress: report });
    signal.throwIfAborted();
    const range = rangeOf(values);
    scene = { ...scene, winding: { grid, values, range } };
    showLegend(element('legend'), range);
    line.textContent = `Winding numbers of ${values.length} points: ${reason}`;
    requestPicture();
  });
}

function requestPicture(): void {
  frame ??= requestAnimationFrame(showPicture);
}

/** Answers that come one after the other faster than pictures are drawn are not all pictured. */
function showPicture(): void {
  if (frame !== undefined) cancelAnimationFrame(frame);
  frame = undefined;
  if (!session || session.device?.closed) return;
  if (answer && answer !== pictured && !isAnswering) {
    const { first, second, differing, points: all } = answer;
    const { mostPoints } = session.view;
    const clouds = [first, ...(second ? [second] : [])].map(({ flags }) =>
      cloudOf(all, flags, differing, mostPoints),
    );
    scene = { ...scene, clouds };
    pictured = answer;
    element('drawn').textContent = drawnText(clouds[0]!.flags.length, first.flags.length);
    element('by-first').textContent = second ? first.method : '';
    element('by-second').textContent = second?.method ?? '';
  }
  session.view.show(scene);
}

function say(text: string): void {
  element('status').textContent = text;
  element<HTMLProgressElement>('progress').value = text === 'Done' ? 1 : 0;
  element<HTMLButtonElement>('cancel').disabled = !isAnswering || text === 'Done';
}

const percent = (done: number, total: number) => `${Math.floor((100 * done) / Math.max(1, total))} %`;

function onProgress(what: string, done: number, total: number): void {
  element('status').textContent = `${what}: ${percent(done, total)}`;
  element<HTMLProgressElement>('progress').value = done / Math.max(1, total);
}

function fail(error: unknown): void {
  say('');
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
  return fileOf(kind, { subject, answer, choice: answered, slice: scene.slice, body, watch });
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
  await maps.settled;
  showPicture();
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
    winding: scene.winding && [Math.min(...scene.winding.values), Math.max(...scene.winding.values)],
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
  cancel: () => questions.cancel(),
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
element('cancel').addEventListener('click', () => questions.cancel());
element('restart').addEventListener('click', () => void ask());
element('take-limits').addEventListener('click', () => void choose({ limits: 'adapter' }));
element('take-winding').addEventListener('click', () => void choose({ rule: 'winding' }));
for (const name of FLAGGED) {
  element(`show-${name}`).addEventListener('change', ({ target }) => {
    scene = { ...scene, shown: { ...scene.shown, [name]: (target as HTMLInputElement).checked } };
    requestPicture();
  });
}
for (const kind of SAVED) {
  element(`save-${kind}`).addEventListener('click', async () => {
    try {
      saveBytes(await save(kind), `${nameOfFiles()}.${kind}`);
    } catch (error) {
      fail(error);
    }
  });
}
element('save-png').addEventListener('click', savePicture);
element('file').addEventListener('change', ({ target }) => {
  const input = target as HTMLInputElement;
  const file = input.files?.[0];
  if (file) void ask(file);
  // So that the same file can be chosen again.
  input.value = '';
});
addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) document.body.classList.remove('dropping');
});
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const file = event.dataTransfer?.files[0];
  if (file) void ask(file);
});

showIsolation('isolation-note');
showAlarm('remarks', address.remarks.join('\n'));
showSubject(undefined);
showAnswer(undefined);
element('map').hidden = !isMapWanted();
void ask();
