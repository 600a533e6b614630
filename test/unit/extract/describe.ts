/** Cases of a text, each in one line: `number · decision · mover/seconder · count · votes · further`. */
import { extractCases } from '../../../ingest/extract/rules/index.ts';
import type { ExtractedCase, ExtractedDocument, ReadDocument } from '../../../ingest/extract/types.ts';

export const documentOf = (text: string): ReadDocument => ({
  file: 'made-up.txt',
  sha256: '',
  format: 'text',
  text,
  pageStarts: [0],
  stated: { kind: null, date: null, title: null, url: null },
  unread: null,
});

export const extract = (text: string): ExtractedDocument => extractCases(documentOf(text));

const SHORT: Readonly<Record<string, string>> = { yes: '', no: '-', abstain: '~', absent: '?', recused: '!' };

function describeCase({ caseNumbers, title, decision, motions, conditions, nextHearing }: ExtractedCase): string {
  const motion = motions.at(-1);
  const tally = motion?.tally?.value;
  return [
    caseNumbers.map(({ value }) => value).join(' & ') || title?.value.slice(0, 40),
    decision?.value ?? 'none',
    `${motion?.mover?.value ?? ''}/${motion?.seconder?.value ?? ''}`,
    tally ? [tally.yes, tally.no, ...(tally.abstain ? [tally.abstain] : [])].join('-') : motion?.unanimous ? 'unanimous' : '',
    motion?.votes.map(({ name, vote }) => SHORT[vote] + name).join(' ') ?? '',
    ...(conditions.length ? [`${conditions.length} conditions`] : []),
    ...(nextHearing ? [`again ${nextHearing.value}`] : []),
  ].join(' · ');
}

export const describeCases = (text: string): string[] => extract(text).cases.map(describeCase);
