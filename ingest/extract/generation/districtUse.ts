/** The Building Type of a case whose words name no use: by its dwellings, else by the district that it asks for, else by the one that it lies in. Pure. */
import type { DocumentQuote } from '../../../src/core/domain/record/quotes.ts';
import type { LandUse } from '../../../src/core/domain/record/statement.ts';
import type { ProjectDraft } from '../../sources/types.ts';

/** Words of a district's name, and the letters with which its code begins; the first that fits counts. */
const DISTRICTS: readonly [type: string, words: RegExp, code: RegExp][] = [
  ['mixed_use', /\bmixed.?use/i, /^(?:MU|MX|CMU|PMU|TOD)\b/],
  [
    'residential',
    /residen|dwelling|famil(?:y|ies)\b|town ?ho(?:me|use)|apartment|mobile home/i,
    /^(?:R|RA|RE|RL|RM|RMF|RR|RS|RSF|SF|SFR|MF|MFR|MH|MHP|[LMH]DR)\b/,
  ],
  ['agricultural', /agricultur|\bfarm/i, /^(?:A|AG|AR|EA)\b/],
  ['industrial', /industr|manufactur|warehous/i, /^(?:I|IG|IL|IH|IP|LI|HI|GI|M|ML|MG|MP)\b/],
  [
    'commercial',
    /commerc|business|retail|\boffice|shopping|downtown/i,
    /^(?:B|C|BC|CB|CC|CG|CH|CN|CO|CR|CS|CU|GB|GC|HB|HC|LB|LC|NB|NC|O|OC|OI|OP|PO|SC)\b/,
  ],
  ['institutional_public', /institution|\bpublic|\bcivic/i, /^(?:P|PF|PI|PL|PS)\b/],
];

/** `R-1-8 Single-Family` → residential; null for a district that says nothing of its use, such as PUD. */
export function findDistrictType(district: string): string | null {
  const code = district.trim().replace(/[\d-].*$/s, '');
  return (DISTRICTS.find(([, words]) => words.test(district)) ?? DISTRICTS.find(([, , letters]) => letters.test(code)))?.[0] ?? null;
}

/** A use that follows from another value, and the field of that. */
export interface DerivedUse {
  use: LandUse;
  from: DocumentQuote['field'];
}

/** null if nothing tells the use */
export function deriveUse({ totalUnitCount, proposedZoning, existingZoning }: ProjectDraft): DerivedUse | null {
  const make = (type: string, from: DerivedUse['from']): DerivedUse => ({ use: { type, role: 'primary' }, from });
  if (totalUnitCount) return make('residential', 'totalUnitCount');
  for (const [from, district] of Object.entries({ proposedZoning, existingZoning })) {
    const type = district ? findDistrictType(district) : null;
    if (type) return make(type, from as DerivedUse['from']);
  }
  return null;
}
