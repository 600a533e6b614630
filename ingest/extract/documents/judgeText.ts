/** Whether a text can be one of a meeting: pages of errors, other languages and garbled letters are not. Pure. */
import { findPageKind } from '../../findings/minutes.ts';
import type { UnreadReason } from './unread.ts';

const SAMPLE_CHARACTERS = 200_000;
const WORDS_MIN = 60;
/** Of the words of an English text a third are among these; of tables of names some are. */
const ENGLISH = new Set(
  'the of and to is was by that for with this be at from were will has have not are motion approve approved planning commission zoning case staff hearing city county meeting item vote agenda'.split(
    ' ',
  ),
);
const ENGLISH_SHARE = 0.05;
/** Of the letters of any language in our alphabet. */
const VOWELS_SHARE = [0.27, 0.65] as const;
/** Characters that a font without a meaning of its letters leaves. */
const UNKNOWN_CHARACTERS = /[\p{Co}\p{Cn}\ufffd]/gu;
const UNKNOWN_SHARE = 0.2;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Why a text is not read; undefined if it may be of a meeting. */
export function findUnreadReason(text: string): UnreadReason | undefined {
  const sample = text.slice(0, SAMPLE_CHARACTERS).toLowerCase();
  if (count(sample, UNKNOWN_CHARACTERS) > UNKNOWN_SHARE * count(sample, /\S/g)) return 'text_damaged';
  const page = findPageKind(text);
  if (page !== undefined) return page === 'it is empty' ? 'empty' : 'error_page';
  const words = sample.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  if (words.length < WORDS_MIN || words.filter((word) => ENGLISH.has(word)).length >= ENGLISH_SHARE * words.length) return undefined;
  const letters = count(sample, /\p{L}/gu);
  if (count(sample, /\p{Script=Latin}/gu) < letters / 2) return 'another_language';
  const vowels = count(sample.normalize('NFD'), /[aeiouy]/g) / letters;
  return vowels >= VOWELS_SHARE[0] && vowels <= VOWELS_SHARE[1] ? 'another_language' : 'text_damaged';
}
