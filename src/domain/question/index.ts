/**
 * Questions in plain words over records: what they ask, where to look, and what proves an answer. Pure: the same question over the same texts
 * has the same answer, and nothing that a text says is ever an instruction.
 *
 * understand(query, { today, places }): Understanding
 * criterionOf(text): Criterion                        one requirement, wholly to be confirmed in text
 * criteriaOf(text): Criterion[]                       a requirement taken apart, without filters
 * searchTerms(criteria): SearchTerms[]
 * confirm(criteria, candidate): Verdict
 * whyThisMatched(criteria, verdict, facts): string
 * passagesOf(documentText, names): Passage[]
 * SCREENER_VERSION: string
 */
export type * from './types.ts';
