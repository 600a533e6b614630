/** Clauses that match and rank records by their texts and documents. Words are compared by stem, so that `townhomes` finds `townhome`. */
import { stemText } from '../domain/stems.ts';
import { anyOf, type Clause, terms } from './clauses.ts';

/** Fields with stemmed words, in the project index and in the document index. */
export const PROSE = { project: 'derived.prose', document: 'prose' } as const;

/** How far apart the words of a phrase may be to count as the phrase. */
const SLOP = 3;
/** A phrase scores higher than the same words apart. */
const PHRASE_BOOST = 3;
/** A match in a document scores as low as one rare word, however often it occurs: the document may be about another case. */
const DOCUMENT_BOOST = 1;
/** The share of their score that phrases other than the best one add. */
const TIE_BREAKER = 0.3;
/** The same if a text need not contain a whole phrase. */
const MENTION_TIE_BREAKER = 0.1;

/** Matches texts that contain the words of any of the phrases. @param operator whether all words of a phrase, or one of them */
export function sayingClause(field: string, phrases: readonly string[], operator: 'and' | 'or' = 'and'): Clause {
  const queries = phrases
    .map(stemText)
    .flatMap((query) => [
      { match: { [field]: { query, operator } } },
      { match_phrase: { [field]: { query, slop: SLOP, boost: PHRASE_BOOST } } },
    ]);
  return { dis_max: { queries, tie_breaker: TIE_BREAKER } };
}

/** Ranks texts by the words of the phrase that fits best; a text need not contain all of them. */
export const mentionClause = (field: string, phrases: readonly string[]): Clause => ({
  dis_max: { queries: phrases.map((phrase) => ({ match: { [field]: stemText(phrase) } })), tie_breaker: MENTION_TIE_BREAKER },
});

/** A subject by which records are looked for. */
export interface Topic {
  /** ways to put it */
  phrases: readonly string[];
  /** a clause that a record may match in their place */
  instead?: Clause;
}

/** Records within the filters that mention a topic, or that documents with these ids belong to, best first by `also` and what they mention. */
export function topicClause(
  { phrases, instead }: Topic,
  filters: readonly Clause[],
  also: readonly Clause[],
  documentIds?: readonly number[],
): Clause {
  const inText = phrases.length ? [mentionClause(PROSE.project, phrases)] : [];
  const must = documentIds
    ? [{ constant_score: { filter: terms('derived.documentIds', documentIds) } }]
    : [anyOf([...inText, ...(instead ? [instead] : [])])];
  return { bool: { filter: [...filters], must, should: [...also, ...(documentIds ? inText : [])], minimum_should_match: 0 } };
}

/** One thing that a record, or one of its documents, has to say. */
export interface Saying {
  /** alternatives; when empty, nothing has to be said and `instead` only ranks */
  phrases: readonly string[];
  /** a clause that a record may match in place of the phrases */
  instead?: Clause;
}

/** Words by which a record resembles texts: those that are frequent in them and rare elsewhere. */
const RESEMBLANCE_WORDS = 50;
/** The share of these words that it has to have. */
const RESEMBLANCE_SHARE = '20%';

/**
 * Records within the filters that say some of what is asked, or resemble texts that answer it (Rocchio's relevance feedback: the words of all texts
 * together are weighed by frequency and rarity). The score is the sum.
 * @param texts of records that are known to be right, if any are
 */
export function resemblanceClause(filters: readonly Clause[], sayings: readonly Saying[], texts: readonly string[]): Clause {
  const said = sayings.flatMap(({ phrases, instead }): Clause[] => [
    ...(phrases.length ? [sayingClause(PROSE.project, phrases, 'or')] : []),
    ...(instead ? [instead] : []),
  ]);
  const alike: Clause = {
    more_like_this: {
      fields: [PROSE.project],
      like: texts.map(stemText).join(' '),
      min_term_freq: 1,
      min_doc_freq: 1,
      max_query_terms: RESEMBLANCE_WORDS,
      minimum_should_match: RESEMBLANCE_SHARE,
      boost_terms: 1,
    },
  };
  return { bool: { filter: [...filters], should: [...said, ...(texts.length ? [alike] : [])], minimum_should_match: 1 } };
}

/**
 * Records within the filters for which every saying is matched by the record or by one of its documents. The score is the sum over the
 * sayings.
 * @param documentIds for each saying, the ids of matching documents
 */
export function relevanceClause(
  filters: readonly Clause[],
  sayings: readonly Saying[],
  documentIds: readonly (readonly number[])[],
): Clause {
  const must: Clause[] = [];
  const should: Clause[] = [];
  for (const [i, { phrases, instead }] of sayings.entries()) {
    const documents = documentIds[i] ?? [];
    const inDocuments = { constant_score: { filter: terms('derived.documentIds', documents), boost: DOCUMENT_BOOST } };
    const otherwise = instead ? [instead] : [];
    if (phrases.length) must.push(anyOf([sayingClause(PROSE.project, phrases), ...(documents.length ? [inDocuments] : []), ...otherwise]));
    else should.push(...otherwise);
  }
  return { bool: { filter: [...filters], must, should, minimum_should_match: 0 } };
}
