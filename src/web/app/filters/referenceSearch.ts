/** Projects that a typed address, ZIP code, case or parcel number names. */
import type { DataOf } from '../shared/answers.ts';
import { callCached } from '../shared/api.ts';
import { useAnswer } from '../shared/hooks.ts';
import { countInWords } from '../shared/words.ts';
import { type FilterOffer, OFFER_RANKS } from './offers.ts';

/** A house number with a street. */
const ADDRESS = /^\d{1,8}[\w-]{0,8}\s{1,3}(?:[nsew]\b\.?\s{0,3})?\p{L}{2}/iu;
/** At least four letters, digits and marks. */
const NUMBER = /^[\p{L}\d][\p{L}\d./-]{3,}$/u;
const DIGITS_MIN = 3;
const ZIP = /^\d{5}(?:-\d{4})?$/;
const PERIOD = /^\d{4}(?:-\d\d){0,2}$/;
/** `case PZ-24-1`, `APN 524-375-029`. */
const SAYS_NUMBER = /^(?:case|parcel|apn|permit|docket|file)(?:\s+(?:number|no\.?|#))?\s*[:#]?\s*/i;
/** An address without its city is never quite sure. */
const SCORE_MIN = 0.5;
/** From this score on, a number is the same in all but its punctuation. */
const SCORE_SAME = 0.95;
const FOUND_MAX = 5;
const EVERY_DATE = { dateRange: 'all' };

type Sought = { number: string; address?: undefined } | { address: string; number?: undefined };

/** What a text names, by its form alone; null if it names no record. */
function soughtIn(text: string): Sought | null {
  const number = text.replace(SAYS_NUMBER, '');
  if (ADDRESS.test(text)) return { address: text };
  const digits = number.replace(/\D/g, '').length;
  return NUMBER.test(number) && digits >= DIGITS_MIN && /[\d-]{2}/.test(number) && !PERIOD.test(number) && !ZIP.test(number)
    ? { number }
    : null;
}

const zipOffer = (zip: string): FilterOffer => ({
  key: `zip ${zip}`,
  label: 'ZIP code',
  text: zip,
  change: { q: zip, ...EVERY_DATE },
  isPlace: true,
  rank: OFFER_RANKS.whole,
});

const NUMBERS = { caseNumbers: 'Case number', parcelNumbers: 'Parcel number' } as const;
type NumberKind = keyof typeof NUMBERS;

type MatchedRow = DataOf<'matchProjects'>[number];

const listIds = ({ candidates }: MatchedRow) => candidates.map(({ id }) => id);

/** A number as its filter; one with a slip of the keyboard as the projects that it probably means. */
function offerOfNumber(kind: NumberKind, number: string, row: MatchedRow): FilterOffer {
  const isSame = row.candidates.every(({ score }) => score >= SCORE_SAME);
  return {
    key: `${kind} ${number}`,
    label: NUMBERS[kind],
    text: number,
    note: `${countInWords(row.candidateCount, 'project')}${isSame ? '' : ' with a number like it'}`,
    change: isSame ? { [kind]: number, ...EVERY_DATE } : { projectIds: listIds(row).join(',') },
    isPlace: true,
    rank: OFFER_RANKS.whole,
  };
}

function offerOfAddress(address: string, row: MatchedRow): FilterOffer {
  const shown = { key: `address ${address}`, label: 'Address', text: address, rank: OFFER_RANKS.whole, isPlace: true };
  const note = countInWords(row.candidateCount, 'project');
  const [id, ...others] = listIds(row);
  if (id === undefined) return { ...shown, note: `${note} that your team has not read`, change: { q: address, ...EVERY_DATE } };
  if (others.length) return { ...shown, note, change: { projectIds: [id, ...others].join(',') } };
  return { ...shown, note: 'opens its project', to: { tab: 'map', project: id } };
}

/**
 * Offers of the records that a text names.
 * @param typed a text that the service does not read as filters; empty for none
 */
export function useReferenceOffers(typed: string): { offers: readonly FilterOffer[]; isWaiting: boolean } {
  const sought = soughtIn(typed);
  const { answer, problem, loading } = useAnswer(
    async (signal): Promise<{ asked: string; offers: FilterOffer[] }> => {
      if (!sought) return { asked: typed, offers: [] };
      const { number, address } = sought;
      const rows = number ? [{ caseNumber: number }, { parcelNumber: number }] : [{ address }];
      const { data } = await callCached('matchProjects', { body: { rows, limit: FOUND_MAX, minScore: SCORE_MIN } }, { signal });
      const offers = data.flatMap((row): FilterOffer[] => {
        if (!row.candidateCount) return [];
        return [number ? offerOfNumber(row.index ? 'parcelNumbers' : 'caseNumbers', number, row) : offerOfAddress(typed, row)];
      });
      return { asked: typed, offers };
    },
    [typed],
  );
  const isWaiting = sought !== null && answer?.asked !== typed && (loading || !problem);
  const found = answer?.asked === typed ? answer.offers : [];
  return { offers: ZIP.test(typed) ? [zipOffer(typed), ...found] : found, isWaiting };
}
