/** Schemas that are part of several routes' answers. */
import { Type } from 'typebox';
import { flag, nullable, object } from '../core/domain/record/field.ts';
import { WARNINGS, type WarningCode } from '../core/domain/warnings.ts';

export const whole = Type.Integer({ minimum: 0 });
export const credits = Type.Integer({ description: 'Whole credits' });
export const moment = Type.String({ format: 'date-time' });
/** Until when a deleted entry can be restored. */
export const restorableUntil = Type.Optional(
  Type.String({ format: 'date-time', description: 'Of a deleted one: until when it can be restored' }),
);
/** The form of a name: not blank, and without line breaks and control characters, which mails, feeds and tables would break on. */
export const ONE_LINE = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';
/** What a customer calls something. */
export const givenName = (description: string) => Type.String({ minLength: 1, maxLength: 200, pattern: ONE_LINE, description });
export const label = nullable(Type.String());
export const anyText = Type.String();
/** A place as a filter takes it: its name or number. */
export const asInFilter = (description: string) =>
  Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: 200, description });
/** Always null; generators make a class of the type of that name. */
export const nothing = Type.Unsafe<null>({ const: null });
/** An object whose keys are data, such as the echo of filters. */
export const anyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' });

/** Schema of warnings, limited to these codes; an empty list without codes. */
export function warnings(...codes: WarningCode[]) {
  const listed = codes.length ? { enum: codes, description: codes.map(warningInWords).join('\n\n') } : {};
  const code = Type.Unsafe<WarningCode>({ type: 'string', ...listed });
  return Type.Array(object({ code, message: Type.String(), params: anyObject }), codes.length ? {} : { maxItems: 0 });
}

function warningInWords(code: WarningCode): string {
  const { meaning, changesResult } = WARNINGS[code];
  return `\`${code}\`: ${meaning} ${changesResult ? 'Changes which records the answer holds.' : 'The records are those asked for.'}`;
}

export const deliverySummary = object({
  mode: Type.Optional(Type.String()),
  notPreviouslyExported: whole,
  previouslyExported: whole,
  updatedSinceExport: whole,
  billed: whole,
  notRebilled: whole,
  ledgerApplied: flag,
  excludedPreviouslyDelivered: Type.Optional(whole),
  changedSince: Type.Optional(
    Type.Array(whole, {
      description: 'Of a repeated request: records that changed since and are left out, since your pool has not paid for their new version',
    }),
  ),
});

export const trialTruncation = object({
  policy: Type.Literal('trial_truncate'),
  requested: whole,
  delivered: whole,
  creditsRemaining: whole,
});

export const term = object({
  token: Type.String(),
  label: Type.String(),
  aliases: Type.Optional(Type.Array(Type.String())),
  type: Type.Optional(Type.String()),
  subtype: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
});

export const listMeta = object({ pageCount: whole });
