/** Quotes: the words of a document from which an extraction read a value, as generation files state them and as answers show them. Pure. */
import { type Static, Type } from 'typebox';
import { normalizePhone } from '../suppression.ts';
import { id, named, nullable, object, oneOf, optional, text } from './field.ts';
import { STATED_NAMES, type StatedName } from './fields.ts';
import type { FilingContact } from './statement.ts';

/** Not read from a document, or about people, of whom answers show less than is stated. */
const UNQUOTED: readonly StatedName[] = ['id', 'recordType', 'mergedFrom', 'contacts', 'companyEnrichment'];
export const QUOTED_NAMES = STATED_NAMES.filter((name) => !UNQUOTED.includes(name));

const QUOTES_MAX = 500;

export const quote = object({
  field: Type.Unsafe<StatedName>({ type: 'string', enum: [...QUOTED_NAMES], title: 'QuotedField' }),
  quote: text(2000),
  documentId: id,
  page: optional(nullable(Type.Integer({ minimum: 1 }))),
});
export const quotes = Type.Array(quote, { maxItems: QUOTES_MAX });

/** Whether minutes are a draft or were adopted by their body, if their source says so. */
export const documentVersion = nullable(named('DocumentVersion', oneOf('draft', 'adopted')));
export type DocumentVersion = NonNullable<Static<typeof documentVersion>>;

/** Words of a document that prove a value of a record, verbatim. */
export type DocumentQuote = Static<typeof quote>;

export interface ProvenValue extends DocumentQuote {
  value: unknown;
}

/** Whether the text contains a channel of one of these people, which answers show only once it is unlocked. */
function holdsChannel(words: string, contacts: readonly FilingContact[]): boolean {
  const lower = words.toLowerCase();
  const digits = words.replaceAll(/\D/g, '');
  return contacts.some(({ email, phone, linkedin }) => {
    const number = phone ? normalizePhone(phone) : null;
    return [email, linkedin].some((one) => one && lower.includes(one.toLowerCase())) || (number !== null && digits.includes(number));
  });
}

/**
 * The quotes of values that a record shows. One that holds a channel of a contact is left out.
 * @param record its full representation
 */
export function selectProvenValues(
  stated: readonly DocumentQuote[],
  record: Readonly<Record<string, unknown>>,
  contacts: readonly FilingContact[],
): ProvenValue[] {
  return stated.flatMap((one) => {
    const value = record[one.field] ?? null;
    return value === null || holdsChannel(one.quote, contacts) ? [] : [{ ...one, value }];
  });
}
