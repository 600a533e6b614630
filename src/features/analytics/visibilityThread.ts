/** The worker thread of `VisibilityPool`. */
import { visibilityOf } from './visibility.ts';

export default visibilityOf;
