/** The worker thread of `VisibilityPool`. */
import { decideVisibility } from './visibility.ts';

export default decideVisibility;
