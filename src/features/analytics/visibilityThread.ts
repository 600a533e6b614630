/** What the thread of `VisibilityPool` runs. */
import { visibilityOf } from './visibility.ts';

export default visibilityOf;
