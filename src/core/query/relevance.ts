/** Clauses that find and rank records by what their texts and documents say; by stems, so that `townhomes` finds `townhome`. */
import { stems } from '../domain/stems.ts';
import { anyOf, type Clause, terms } from './clauses.ts';

/** Fields with stemmed words: of a record's own texts, and of a document. */
export const PROSE = { project: 'derived.prose', document: 'prose' } as const;

/** Words of a phrase may stand so far apart to count as the phrase. */
const SLOP = 3;
/** A phrase weighs more than its words anywhere. */
const PHRASE_BOOST = 3;
/** A document that says it, however often, counts as little as a rare word: it may speak of another case. */
const DOCUMENT_BOOST = 1;
/** What the phrases beyond the rarest one add. */
const TIE_BREAKER = 0.3;

/** Texts that hold the words of any of the phrases. */
export function says(field: string, phrases: readonly string[]): Clause {
  const queries = phrases
    .map(stems)
    .flatMap((query) => [
      { match: { [field]: { query, operator: 'and' } } },
      { match_phrase: { [field]: { query, slop: SLOP, boost: PHRASE_BOOST } } },
    ]);
  return { dis_max: { queries, tie_breaker: TIE_BREAKER } };
}

/** What has to be said. */
export interface Saying {
  /** alternatives; where there are none, nothing has to be said, and `instead` only ranks */
  phrases: readonly string[];
  /** what a record may satisfy instead of saying it */
  instead?: Clause;
}

/**
 * Records within the filters that say everything, or of which a document does; the score is the sum over what is said.
 * @param documentIds a list for each saying: documents that say it
 */
export function relevant(filters: readonly Clause[], sayings: readonly Saying[], documentIds: readonly (readonly number[])[]): Clause {
  const must: Clause[] = [];
  const should: Clause[] = [];
  for (const [i, { phrases, instead }] of sayings.entries()) {
    const documents = documentIds[i] ?? [];
    const inDocuments = { constant_score: { filter: terms('derived.documentIds', documents), boost: DOCUMENT_BOOST } };
    const otherwise = instead ? [instead] : [];
    if (phrases.length) must.push(anyOf([says(PROSE.project, phrases), ...(documents.length ? [inDocuments] : []), ...otherwise]));
    else should.push(...otherwise);
  }
  return { bool: { filter: [...filters], must, should, minimum_should_match: 0 } };
}
