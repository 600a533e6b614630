/**
 * Operations in the order in which a newcomer needs them, which also orders the sections of the reference. A test checks that the list is
 * complete; an operation that is missing comes last in its section.
 */
import sections from './readingOrder.json' with { type: 'json' };

export const READING_ORDER: readonly string[] = sections.flat();
