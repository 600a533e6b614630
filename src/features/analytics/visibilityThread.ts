/** The worker thread of `VisibilityPool`. */
import { findPairsToHide } from './exposedPairs.ts';
import { decideVisibility } from './visibility.ts';
import type { VisibilityTask } from './visibilityPool.ts';

export default (task: VisibilityTask) => ('pairs' in task ? findPairsToHide(task) : decideVisibility(task));
