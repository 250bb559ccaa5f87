/** Opens a picture in the desktop's viewer. */
import { spawn } from 'node:child_process';

const VIEWERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
};

/** Where a person sits at a desktop. Elsewhere, and where there is no viewer, it does nothing. */
export function showPicture(path: string): void {
  const viewer = VIEWERS[process.platform];
  const { DISPLAY, WAYLAND_DISPLAY, CI } = process.env;
  const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
  if (viewer === undefined || !hasDisplay || CI || !process.stdout.isTTY) return;
  const [command, ...args] = viewer;
  const child = spawn(command, [...args, path], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
