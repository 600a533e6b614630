/** The Building Type of a case whose words name no use: by its dwellings, else by the district that it asks for, else by the one that it lies in. Pure. */
import type { DocumentQuote } from '../../../src/core/domain/record/quotes.ts';
import type { LandUse } from '../../../src/core/domain/record/statement.ts';
import type { ProjectDraft } from '../../sources/types.ts';
import districts from './districts.json' with { type: 'json' };

/** Words of a district's name, and the letters with which its code begins; the first that fits counts. */
const DISTRICTS = districts.map(({ type, words, code }) => ({ type, words: new RegExp(words, 'i'), code: new RegExp(code) }));

/** `R-1-8 Single-Family` → residential; null for a district that says nothing of its use, such as PUD. */
export function findDistrictType(district: string): string | null {
  const code = district.trim().replace(/[\d-].*$/s, '');
  return (DISTRICTS.find(({ words }) => words.test(district)) ?? DISTRICTS.find((one) => one.code.test(code)))?.type ?? null;
}

/** A use that follows from another value, and the field of that. */
export interface DerivedUse {
  use: LandUse;
  from: DocumentQuote['field'];
}

/** `relative to uses`, `to permit use exceptions`; not `conditional use`, `land use` or `use permit`. */
const ABOUT_USES = /(?<!\b(?:conditional|special|land|mixed|multiple) )\buses?\b(?! (?:permit|planned|approval|of\b))/i;

/** null if nothing tells the use */
export function deriveUse({ totalUnitCount, proposedZoning, existingZoning, summary }: ProjectDraft): DerivedUse | null {
  const make = (type: string, from: DerivedUse['from']): DerivedUse => ({ use: { type, role: 'primary' }, from });
  if (totalUnitCount) return make('residential', 'totalUnitCount');
  for (const [from, district] of Object.entries({ proposedZoning, existingZoning })) {
    const type = district ? findDistrictType(district) : null;
    // A district that stays tells nothing of a request about uses, and agricultural land is kept for any.
    const isSilent = from === 'existingZoning' && (type === 'agricultural' || ABOUT_USES.test(summary ?? ''));
    if (type && !isSilent) return make(type, from as DerivedUse['from']);
  }
  return null;
}
