/** What the thread of `VisibilityPool` runs. */
import { visibilityOf } from '../../domain/analytics/visibility.ts';

export default visibilityOf;
