/** People who asked not to be found: what identifies one, in a form that spellings share, and the keyed hash that is all that is kept of it. Pure. */
import { createHmac } from 'node:crypto';
import { separateWords } from './words.ts';

const SUPPRESSION_KINDS = ['email', 'phone', 'person'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

/** What is known of somebody. */
export interface Identified {
  name?: string | null | undefined;
  company?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}

export interface Identity {
  kind: SuppressionKind;
  /** canonical */
  text: string;
}

const PHONE_DIGITS_MIN = 7;
const US_DIGITS = 11;
const EXTENSION = /ext|[;,x]/i;
/** At the end of a company's name these say nothing about who it is. */
const LEGAL_FORMS = new Set([
  'llc',
  'inc',
  'incorporated',
  'corp',
  'corporation',
  'co',
  'company',
  'ltd',
  'limited',
  'lp',
  'llp',
  'pllc',
  'pc',
  'plc',
]);

/** Without accents and the differences of wide and ligated forms. */
const foldText = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();

/** Case and a `+tag` do not matter. Null for what is no address. */
export function normalizeEmail(text: string): string | null {
  const [, local, domain] = /^(?:mailto:)?([^@\s+]+)(?:\+[^@\s]*)?@([^@\s]+)$/.exec(foldText(text)) ?? [];
  return local && domain ? `${local}@${domain.replace(/\.$/, '')}` : null;
}

/** Digits alone, without the country code of the US and an extension. Null for what is too short to be a number. */
export function normalizePhone(text: string): string | null {
  const digits = (text.normalize('NFKC').split(EXTENSION, 1)[0] ?? '').replaceAll(/\D/g, '').replace(/^0+/, '');
  if (digits.length < PHONE_DIGITS_MIN) return null;
  return digits.length === US_DIGITS && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** Words of the name in any order, and those of the company without its legal form. Null if either has none. */
export function normalizePerson(name: string, company: string): string | null {
  const ofName = separateWords(foldText(name)).split(' ').sort().join(' ');
  const ofCompany = separateWords(foldText(company).replaceAll(/[.'’]/g, '')).split(' ');
  while (ofCompany.length > 1 && LEGAL_FORMS.has(ofCompany.at(-1) ?? '')) ofCompany.pop();
  const employer = ofCompany.join(' ');
  return ofName && employer ? `${ofName} @ ${employer}` : null;
}

/** Every way in which somebody could have been suppressed. */
export function listIdentities({ name, company, email, phone }: Identified): Identity[] {
  const found: [SuppressionKind, string | null][] = [
    ['email', email ? normalizeEmail(email) : null],
    ['phone', phone ? normalizePhone(phone) : null],
    ['person', name && company ? normalizePerson(name, company) : null],
  ];
  return found.flatMap(([kind, text]) => (text === null ? [] : [{ kind, text }]));
}

/** Signed 64 bits as decimal text. @param pepper a secret of the service, without which nobody can try addresses out */
export function hashIdentity(pepper: string, { kind, text }: Identity): string {
  return createHmac('sha256', pepper).update(`suppression\n${kind}\n${text}`).digest().readBigInt64BE(0).toString();
}
