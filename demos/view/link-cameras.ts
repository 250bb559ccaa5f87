/** Two pictures seen from the same place. */
import type { Stage } from './stage.ts';

/** Turns each stage's camera with the other's, until what is returned is called. The second takes the first's place. */
export function linkCameras(first: Stage, second: Stage): () => void {
  let isFollowing = false;
  const follow = (from: Stage, to: Stage) => () => {
    // The follower's own change is no news.
    if (isFollowing) return;
    isFollowing = true;
    to.camera.position.copy(from.camera.position);
    to.controls.target.copy(from.controls.target);
    to.controls.update();
    isFollowing = false;
  };
  const there = follow(first, second);
  const back = follow(second, first);
  first.controls.addEventListener('change', there);
  second.controls.addEventListener('change', back);
  there();
  return () => {
    first.controls.removeEventListener('change', there);
    second.controls.removeEventListener('change', back);
  };
}
