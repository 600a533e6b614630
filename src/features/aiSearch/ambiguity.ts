/** Names in sentences and questions that mean several places. */
import type { Places } from '../../core/domain/places.ts';
import type { Warning } from '../../core/domain/warnings.ts';
import { listCandidates } from '../../core/filter/place.ts';
import type { QuestionWords } from './question/questionWords.ts';

/** A warning for each name that means several places: no choice is silent. */
export const ambiguityWarnings = ({ ambiguous }: Pick<QuestionWords, 'ambiguous'>, places: Places): Warning[] =>
  ambiguous.map(({ name, found, meant }) => {
    const { candidates, listed } = listCandidates(found, places);
    const read = meant.length < found.length ? `${meant.length === 1 ? 'the largest' : `the ${meant.length} largest`}` : 'all of them';
    const message = `'${name}' names ${found.length} places: ${listed}. It was read as ${read}: name the state with it`;
    return { code: 'ambiguous_place', message, params: { sent: name, ids: meant.map(Number), candidates } };
  });
