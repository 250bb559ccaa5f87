import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  readonly pid: number;
  /** Number of its process group, which is its leader's. */
  readonly group: number;
  readonly command: string;
}

/** Processes that run now, without zombies. */
function listProcesses(): ListedProcess[] {
  // A bare Linux has no `ps`, and other systems have no /proc.
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): ListedProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // `pid (name) state parent group ...`: the name may hold blanks and brackets.
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || state === 'X') return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd();
      return [{ pid: Number(pid), group: Number(group), command }];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The process has ended since the folder was read.
      if (code === 'ENOENT' || code === 'ESRCH') return [];
      throw error;
    }
  });
}

function fromPs(): ListedProcess[] {
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

/** The processes of a group. Chrome's children do not name its profile, but they are of its group. */
export function processesOfGroup(group: number): ListedProcess[] {
  return listProcesses().filter((listed) => listed.group === group);
}
