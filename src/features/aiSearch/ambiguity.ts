/** What a question leaves open: names of several places, and an order that its answers do not have. */
import type { Places } from '../../core/domain/places.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { listCandidates } from '../../core/filter/place.ts';
import type { Understanding } from './question/index.ts';
import type { QuestionWords } from './question/questionWords.ts';

type AmbiguousName = QuestionWords['ambiguous'][number];

const LISTED_MAX = 5;

/** `A, B and C`; of more than five, the first and `elsewhere`. */
function listNames(names: readonly string[]): string {
  const shown = names.length > LISTED_MAX ? [...names.slice(0, LISTED_MAX), 'elsewhere'] : names;
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter(Boolean).join(' and ');
}

/** How a name was read, in one short sentence that names places and no ids. */
function describeReading({ name, found, meant }: AmbiguousName, places: Places): string {
  const ids = new Set(meant.map(Number));
  const others = found.filter(({ id }) => !ids.has(id));
  const read = found.filter(({ id }) => ids.has(id));
  const listed = (some: AmbiguousName['found']) =>
    listNames([...new Set(some.map(({ stateId }) => places.state(stateId)?.abbreviation ?? String(stateId)))]);
  const beginning = `'${name}' names ${found.length} places`;
  if (!others.length) return `${beginning}, in ${listed(found)}, and was read as all of them: name the state with it`;
  const largest = `the ${read.length === 1 ? '' : `${read.length} `}largest, ${listNames(read.map((place) => places.labelOf(place)))}`;
  return `${beginning} and was read as ${largest}; others are in ${listed(others)}: name the state with it`;
}

/** A warning for each name that means several places: no choice is silent. */
export const ambiguityWarnings = ({ ambiguous }: Pick<QuestionWords, 'ambiguous'>, places: Places): Warning[] =>
  ambiguous.map((one) => {
    const { name, found, meant } = one;
    const { candidates } = listCandidates(found, places);
    return { code: 'ambiguous_place', message: describeReading(one, places), params: { sent: name, ids: meant.map(Number), candidates } };
  });

/** No order is dropped in silence: answers that texts prove are ranked by their proof. */
export const orderWarnings = ({ orders }: Pick<QuestionWords, 'orders'>, { order }: Pick<Understanding, 'order'>): string[] =>
  orders.map(({ text, sort }) => {
    if (text === order?.text) return `'${text}' was read as sort=${order.sort}${order.count ? `, the first ${order.count}` : ''}`;
    const instead = sort ? `takes sort=${sort}` : 'sorts by meeting date, last update, units or acres';
    return `'${text}' sorts no answers, which are ranked by how well they are confirmed; a search ${instead}`;
  });
