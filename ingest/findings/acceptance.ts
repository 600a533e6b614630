/** What an operator accepts: `CODE` or `CODE:PLACE` of `--accept`. Pure. */
import { type FindingCode, type LoadFinding, SEVERITY_OF } from './finding.ts';

export interface Acceptance {
  code: FindingCode;
  /** name of one place, as the finding has it; null accepts all findings with the code */
  place: string | null;
}

/** The codes that refuse. */
export const REFUSING_CODES = (Object.keys(SEVERITY_OF) as FindingCode[]).filter((code) => SEVERITY_OF[code] === 'refuse');

const isRefusingCode = (text: string): text is FindingCode => REFUSING_CODES.some((code) => code === text);

/** Accepts everything, for programs whose generations lose records on purpose. */
export const ACCEPT_ALL: readonly Acceptance[] = REFUSING_CODES.map((code) => ({ code, place: null }));
/** The same as options of the command line. */
export const ACCEPT_OPTIONS: readonly string[] = REFUSING_CODES.flatMap((code) => ['--accept', code]);

/** @returns undefined if no finding with the code refuses, or if nothing follows on the colon */
export function parseAcceptance(text: string): Acceptance | undefined {
  const [code = '', ...rest] = text.split(':');
  const place = rest.length ? rest.join(':').trim() : null;
  return isRefusingCode(code) && place !== '' ? { code, place } : undefined;
}

const isSamePlace = (a: string | null, b: string) => a?.toLowerCase() === b.toLowerCase();

const isAccepted = ({ code, place }: LoadFinding, accept: readonly Acceptance[]): boolean =>
  accept.some((one) => one.code === code && (one.place === null || isSamePlace(place, one.place)));

/** The findings that refuse, apart from those that are accepted. */
export const listRefusals = (findings: readonly LoadFinding[], accept: readonly Acceptance[]): LoadFinding[] =>
  findings.filter((finding) => finding.severity === 'refuse' && !isAccepted(finding, accept));

/** The codes of the refusing findings, once each; call it when all are accepted. */
export const listAcceptedCodes = (findings: readonly LoadFinding[]): FindingCode[] => [
  ...new Set(findings.filter(({ severity }) => severity === 'refuse').map(({ code }) => code)),
];

/** The option that accepts findings, for a shell; a code with many places is named without them. */
export function writeAcceptOptions(findings: readonly LoadFinding[]): string {
  const byCode = Map.groupBy(findings, ({ code }) => code);
  const options = [...byCode].flatMap(([code, found]) => {
    const places = [...new Set(found.map(({ place }) => place))];
    if (places.includes(null) || places.length > PLACES_NAMED) return [code];
    return places.map((place) => `'${code}:${place?.replaceAll("'", `'\\''`)}'`);
  });
  return options.map((option) => `--accept ${option}`).join(' ');
}

const PLACES_NAMED = 3;
