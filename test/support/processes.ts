import { execFileSync } from 'node:child_process';

export interface ListedProcess {
  readonly pid: number;
  /** Number of its process group, which is its leader's. */
  readonly group: number;
  readonly command: string;
}

/** Processes that run now, those left out that have ended and wait for their parent. */
function listProcesses(): ListedProcess[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,pgid=,stat=,args='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  }).split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null)
    .filter(([, , , state]) => !state!.startsWith('Z'))
    .map(([, pid, group, , command]) => ({ pid: Number(pid), group: Number(group), command: command! }));
}

export function processesWith(text: string): ListedProcess[] {
  return listProcesses().filter(({ command }) => command.includes(text));
}

/** Chrome's own children do not name its profile, but they are of its group. */
export function processesOfGroup(group: number): ListedProcess[] {
  return listProcesses().filter((listed) => listed.group === group);
}
