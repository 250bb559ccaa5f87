/**
 * Runs command lines of the built scree one after another in one process, as starting one takes longer than most
 * commands. Each has a fresh `cli.js`, and shares what that loads. Requests are lines of JSON on descriptor 3. After a
 * command, standard output and standard error get a mark each.
 */
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const entry = process.argv[2];
const url = pathToFileURL(entry);
const SIGNALS = ['SIGINT', 'SIGTERM', 'uncaughtException'];
// Commands end their process in case that something keeps it. Another command may be running by then.
process.exit = () => {};
process.setMaxListeners(0);
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

const requests = new Socket({ fd: 3 });
let count = 0;
for await (const line of createInterface({ input: requests })) {
  const { args, cwd } = JSON.parse(line);
  process.chdir(cwd);
  process.argv = [process.execPath, entry, ...args];
  process.exitCode = undefined;
  const stopped = new Promise((settle) =>
    process.prependListener('uncaughtException', () => setImmediate(settle)),
  );
  url.search = `?${++count}`;
  const { ended } = await import(url.href);
  await Promise.race([ended, stopped]);
  for (const name of SIGNALS) process.removeAllListeners(name);
  process.stdout.write(`\0${process.exitCode ?? 0}\0`);
  process.stderr.write('\0\0');
}
