/** The camera by the keyboard: arrows turn it, with Shift they move it, + and - zoom. */
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';

/** What a press of a key turns, in radians, moves, in CSS pixels, and zooms. */
const STEP = { turn: Math.PI / 36, move: 24, zoom: 0.9 };

/** Right and up. */
const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Does what a key asks for. Whether it asks for anything. */
export function moveCamera(controls: OrbitControls, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const arrow = ARROWS[event.key];
  if (arrow) {
    const [x, y] = arrow;
    if (event.shiftKey) controls.pan(-STEP.move * x, STEP.move * y);
    else {
      controls.rotateLeft(-STEP.turn * x);
      controls.rotateUp(STEP.turn * y);
    }
  } else if (event.key === '+' || event.key === '=') controls.dollyIn(STEP.zoom);
  else if (event.key === '-') controls.dollyOut(STEP.zoom);
  else return false;
  return true;
}
