/**
 * Moratorium Nation (Bommarito, CC BY 4.0): an inventory of moratoria on data centers, batteries, solar, wind and crypto mining,
 * `moratorium_inventory.csv.gz`, a row an instrument. Each row becomes a restriction, and a document of the inventory's prose, which is not the
 * instrument's own: quotes are marked so.
 *
 * What the inventory marks `[VERIFY` nobody has confirmed: such a text is neither a date nor a quote. Its rows about many places are rejected. A text
 * that says rejected or not enacted goes before `enacted_status`.
 */
import type { RestrictedUse, RestrictionLine } from '../../../src/core/domain/restriction/schemas.ts';
import { documentId } from '../ids.ts';
import { rejectOf } from '../items.ts';
import { type CsvRow, readCsvRows } from '../readers.ts';
import type { SourceAdapter, SourceItem } from '../types.ts';

const NAME = 'moratoria';
const FILE = 'moratorium_inventory.csv.gz';

/** The day as of which the release of the inventory describes its rows. */
const AS_OF = '2026-04-30';

/** Marks of what nobody has confirmed. */
const UNCONFIRMED = /\[(?:VERIFY|CITE|Evidence ceiling)/i;

/** Uses by sector; those of the Building Type tree that mine cryptocurrency are data centers, among others. */
const SECTOR_USES: Readonly<Record<string, RestrictedUse>> = {
  data_center: { type: 'industrial', subtype: 'data_center', assetClass: null },
  battery_storage: { type: 'infrastructure', subtype: 'energy_storage', assetClass: 'battery_energy_storage' },
  solar: { type: 'infrastructure', subtype: 'solar_energy', assetClass: null },
  wind: { type: 'infrastructure', subtype: 'wind_energy', assetClass: null },
};
const MINING = 'cryptocurrency_mining';
const SECTOR_WORDS: Readonly<Record<string, string>> = {
  data_center: 'data centers',
  battery_storage: 'battery storage',
  solar: 'solar energy',
  wind: 'wind energy',
  cryptocurrency_mining: 'cryptocurrency mining',
  general: 'uses that the inventory does not tell apart',
};

const JURISDICTIONS: Readonly<Record<string, RestrictionLine['jurisdictionType']>> = {
  City: 'city',
  County: 'county',
  Parish: 'county',
  Town: 'town',
  Township: 'township',
  Village: 'village',
  Tribal: 'tribal',
  'Utility authority': 'utility',
};

const STATUSES: Readonly<Record<string, RestrictionLine['status']>> = {
  active: 'in_force',
  extended: 'extended',
  replaced: 'replaced',
  expired: 'expired',
  pending: 'proposed',
  rescinded: 'rescinded',
};

/** Prose of a row that a document holds, with the word that precedes it there. */
const PROSE = [
  ['date_enacted', 'Enacted'],
  ['duration', 'Duration'],
  ['legal_basis', 'Legal basis'],
  ['current_status', 'Status'],
  ['affected_projects', 'Affected projects'],
  ['outcome', 'Outcome'],
  ['trigger', 'Trigger'],
] as const;
type ProseColumn = (typeof PROSE)[number][0];

const textOf = (row: CsvRow, column: ProseColumn) => (row[column] ?? '').trim();

/** The text of a column, empty if nobody has confirmed it. */
function confirmedText(row: CsvRow, column: ProseColumn): string {
  const text = textOf(row, column);
  return UNCONFIRMED.test(text) ? '' : text;
}

/** Not behind an abbreviation such as `N.C.G.S. 160D`. */
const SENTENCE_END = /(?<=;)\s+|(?<=\.)\s+(?=[A-Z"(])/;

/** The first sentence of these columns that matches, verbatim; null where none does, or nobody has confirmed it. */
function findSentence(row: CsvRow, columns: readonly ProseColumn[], pattern: RegExp): string | null {
  for (const column of columns)
    for (const sentence of confirmedText(row, column).split(SENTENCE_END)) if (pattern.test(sentence)) return sentence;
  return null;
}

/** The own name of the jurisdiction, and the county that the inventory writes behind it. */
function readJurisdiction({ jurisdiction = '' }: CsvRow): { name: string; county: string | null } {
  const county = /\(([A-Z][\w. ]+ (?:County|Parish))\)/.exec(jurisdiction)?.[1] ?? null;
  const [name = ''] = jurisdiction.split(/ \(| - /, 1);
  return { name, county };
}

/** Where the restriction lies, by names of the catalogue. */
function readPlace(row: CsvRow): Pick<RestrictionLine, 'state' | 'county' | 'city' | 'jurisdiction' | 'jurisdictionType'> | null {
  const jurisdictionType = JURISDICTIONS[row.jurisdiction_type ?? ''];
  if (!jurisdictionType) return null;
  const { name, county } = readJurisdiction(row);
  const place = { state: row.state_abbrev ?? '', jurisdiction: name, jurisdictionType };
  if (jurisdictionType === 'county') return { ...place, county: name, city: null };
  const isPlaceOfCatalogue = jurisdictionType !== 'tribal' && jurisdictionType !== 'utility';
  return {
    ...place,
    county,
    city: isPlaceOfCatalogue ? name.replace(/^(?:City|Town|Village) of | City$/g, '') : null,
  };
}

/** A day from a text that nobody doubts, with how exactly it is known; else the year in which the inventory files what was enacted. */
function readAdoption(row: CsvRow): Pick<RestrictionLine, 'adoptedOn' | 'adoptedOnPrecision'> {
  const day = row.date_enacted_iso ?? '';
  const year = NEVER_IN_FORCE.has(readStatus(row)) ? '' : (/-(\d{4})$/.exec(row.moratorium_id ?? '')?.[1] ?? '');
  const isConfirmed = /^\d{4}(?:-\d\d){0,2}$/.test(day) && !UNCONFIRMED.test(textOf(row, 'date_enacted'));
  const iso = isConfirmed ? day : year;
  if (!iso) return {};
  const precision = ({ 4: 'year', 7: 'month', 10: 'day' } as const)[iso.length as 4 | 7 | 10];
  return { adoptedOn: iso.padEnd(10, '-01-01'.slice(iso.length - 4)), adoptedOnPrecision: precision };
}

const NEVER_IN_FORCE: ReadonlySet<RestrictionLine['status']> = new Set(['proposed', 'rejected']);

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const WRITTEN_DAY = new RegExp(`\\b(${MONTHS}) (\\d{1,2})\\[?, (\\d{4})\\]?`, 'g');

/** `July 2[, 2026]` as 2026-07-02. */
const writeDays = (text: string): string =>
  text.replace(WRITTEN_DAY, (_, month: string, day: string, year: string) => {
    const number = MONTHS.split('|').indexOf(month) + 1;
    return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  });

/** Days after the words that say what they are. */
const EFFECTIVE = /\beffective (?:on )?(\d{4}-\d\d-\d\d)|\bfrom (\d{4}-\d\d-\d\d) effective date/i;
const ENDS = /\b(?:to|until|through|expires|expiring|expiration|ends|ending|the earlier of) (\d{4}-\d\d-\d\d)/i;
const END_OF_YEAR = /\b(?:to|until|through) (?:the )?end of (\d{4})\b/i;
const EXTENDED_ON = /\bextended (?:on )?(\d{4}-\d\d-\d\d)|\b(?:voted )?on (\d{4}-\d\d-\d\d)[^.;]{0,60}\b(?:to extend|extended)\b/i;
const EXTENDED_TO = /\b(?:extend(?:ed)?(?: it)? (?:to|through|until)|expires|active through(?: approximately)?) (\d{4}-\d\d-\d\d)/i;

const ACTIVE_THROUGH = /\bactive through (\d{4}-\d\d-\d\d)/i;

const matchDay = (text: string, pattern: RegExp): string | null => {
  const [, one, other] = pattern.exec(text) ?? [];
  return one ?? other ?? null;
};

function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const CALENDAR = new RegExp(
  `^\\W*(?:up to |(?:initial|original)(?:ly)? )?(\\d{1,2}|${COUNTS.join('|')})[ -](month|year)s?\\b(?!(?: and \\d+ days|[ -]aggregate))`,
  'i',
);

/** The last day of a length in months or years of the calendar; null where the words state none. */
function addCalendar(day: string, duration: string): string | null {
  const [, count = '', unit] = CALENDAR.exec(duration) ?? [];
  if (!unit) return null;
  const months = (COUNTS.indexOf(count.toLowerCase()) + 1 || Number(count)) * (unit.toLowerCase() === 'year' ? 12 : 1);
  const date = new Date(`${day}T00:00:00Z`);
  const wanted = date.getUTCMonth() + months;
  date.setUTCMonth(wanted);
  if (date.getUTCMonth() !== wanted % 12) date.setUTCDate(0); // 31 January and a month is the last of February
  return date.toISOString().slice(0, 10);
}

/** What took its place; the day of that is its last one. */
const REPLACED_BY = /\breplaced by ([^.;]*)/i;
const REPLACED_ON = /\b(?:adopted|approved|effective|on) (\d{4}-\d\d-\d\d)/i;
const REPLACEMENT = /\breplacement\b/i;
/** A replacement that goes on to forbid what it forbade. */
const PERMANENT_BAN = /\bpermanent\b[^.;]{0,200}\b(?:bans?|prohibit\w*)\b/i;

/** The day of what took its place, in the first part of a sentence that tells of it. */
const matchDayOf = (text: string, what: RegExp): string | null =>
  text.split(/[.;]/).flatMap((part) => (what.test(part) ? (matchDay(part, REPLACED_ON) ?? []) : []))[0] ?? null;

/** The event that may end it earlier, or is its only end. */
const ENDING_EVENT =
  /\buntil\b(?! \d)|\bor earlier\b|whichever (?:comes|is|occurs)|sooner|unless (?:extended or|earlier|repealed)|\bstops early\b/i;

/** Beginning, end and extensions. A length of days is one only if nobody doubts its words. */
function readCourse(row: CsvRow): Partial<RestrictionLine> {
  const adopted = readAdoption(row);
  const [enacted, duration, status] = (['date_enacted', 'duration', 'current_status'] as const).map((column) =>
    writeDays(confirmedText(row, column)),
  );
  const replacement = REPLACED_BY.exec(`${status}; ${duration}`)?.[1] ?? '';
  const replacedOn =
    row.enacted_status === 'replaced' ? (matchDay(replacement, REPLACED_ON) ?? matchDayOf(`${enacted}`, REPLACEMENT)) : null;
  const effective = matchDay(`${enacted} ${status} ${duration}`.replace(REPLACED_BY, ''), EFFECTIVE);
  // An earlier day is that of another instrument, which the prose tells of too.
  const effectiveFrom = effective && effective >= (adopted.adoptedOn ?? '') ? effective : null;
  const begin = effectiveFrom ?? (adopted.adoptedOnPrecision === 'day' ? adopted.adoptedOn : null);
  const days = Number(row.duration_days);
  const year = END_OF_YEAR.exec(duration ?? '')?.[1];
  const endOfYear = year ? `${year}-12-31` : null;
  const stated = matchDay(`${duration}`, ENDS) ?? endOfYear;
  const computed =
    row.duration_kind === 'fixed_days' && duration && begin && days > 0 ? (addCalendar(begin, duration) ?? addDays(begin, days)) : null;
  const bannedOn =
    row.enacted_status === 'replaced' ? matchDayOf(`${status}; ${duration}; ${confirmedText(row, 'outcome')}`, PERMANENT_BAN) : null;
  const extendedOn = matchDay(`${enacted} ${status} ${duration}`, EXTENDED_ON);
  const activeThrough = matchDay(`${status}`, ACTIVE_THROUGH);
  const extendedTo = matchDay(`${duration} ${status}`, EXTENDED_TO) ?? endOfYear;
  const endEvent = ENDING_EVENT.test(duration ?? '') && !/^until \d/i.test(duration ?? '') ? (duration ?? null) : null;
  const ownEnd = extendedOn && stated === extendedTo ? computed : (stated ?? computed ?? activeThrough);
  const effectiveTo = bannedOn ? ownEnd : (replacedOn ?? ownEnd);
  const endBasis =
    effectiveTo !== null
      ? [stated, replacedOn, activeThrough].includes(effectiveTo)
        ? 'stated'
        : 'computed'
      : endEvent
        ? 'event'
        : row.duration_kind === 'indefinite' && duration
          ? 'none'
          : 'unknown';
  // A row that was filed after its end tells of an instrument of another year.
  const isOfOtherYear = adopted.adoptedOnPrecision === 'year' && effectiveTo !== null && (adopted.adoptedOn ?? '') > effectiveTo;
  return {
    ...(isOfOtherYear ? {} : adopted),
    effectiveFrom,
    effectiveTo,
    endBasis,
    endEvent: endBasis === 'none' ? null : endEvent,
    extensions: [
      ...(extendedOn ? [{ on: extendedOn, to: extendedTo && extendedTo > extendedOn ? extendedTo : null }] : []),
      ...(bannedOn ? [{ on: bannedOn, to: null }] : []),
    ],
  };
}

const REJECTED = /\b(?:reject(?:ed|s)|defeated|voted down|failed to pass|declined to (?:adopt|enact))\b/i;
const NOT_ENACTED = /\bnot (?:yet )?(?:been )?(?:enacted|adopted)\b|\bnot verified as enacted\b|^proposed\b/i;

function readStatus(row: CsvRow): RestrictionLine['status'] {
  const stated = STATUSES[row.enacted_status ?? ''] ?? 'proposed';
  if (REJECTED.test(textOf(row, 'current_status'))) return 'rejected';
  const isEnacted = !NOT_ENACTED.test(textOf(row, 'date_enacted'));
  if (stated === 'replaced' && PERMANENT_BAN.test(textOf(row, 'current_status'))) return 'extended';
  if (stated === 'rescinded' && !isEnacted) return 'rejected';
  return stated === 'in_force' && !isEnacted ? 'proposed' : stated;
}

function readKind(row: CsvRow): RestrictionLine['restrictionKind'] {
  const words = `${textOf(row, 'legal_basis')} ${textOf(row, 'duration')}`;
  if (row.duration_kind === 'indefinite' || /\bcategorical ban\b|\bprohibit the operation\b/i.test(words)) return 'ban';
  return /\binterim\b|\burgency ordinance\b/i.test(words) ? 'interim_ordinance' : 'moratorium';
}

/** The sectors of a row. One that tells none apart may name them in its title. */
function readSectors(row: CsvRow): string[] {
  const sectors = JSON.parse(row.sectors || '[]') as string[];
  const isOfDataCenters = /\bdata cent(?:er|re)s?\b/i.test(confirmedText(row, 'legal_basis'));
  return sectors.map((sector) => (sector === 'general' && isOfDataCenters ? 'data_center' : sector));
}

/** The document of a row: its prose, said to be the inventory's. */
function makeText(row: CsvRow): string {
  const lines = PROSE.flatMap(([column, word]) => (textOf(row, column) ? [`${word}: ${textOf(row, column)}`] : []));
  return [
    'From the inventory Moratorium Nation (M. J. Bommarito, CC BY 4.0); these are its words, not those of the instrument.',
    ...lines,
  ].join('\n\n');
}

const FIELDS: Partial<Record<ProseColumn, string>> = {
  date_enacted: 'adoptedOn',
  duration: 'effectiveTo',
  legal_basis: 'authority',
  current_status: 'status',
};

function* toItems(row: CsvRow): Generator<SourceItem> {
  const ownId = row.moratorium_id ?? '';
  const place = readPlace(row);
  if (!place) {
    yield rejectOf(ownId, [row], 'many_places');
    return;
  }
  const sectors = readSectors(row);
  const isMiningAlone = sectors.includes(MINING) && !sectors.some((sector) => sector === 'general' || sector === 'data_center');
  const usesText = sectors.map((sector) => SECTOR_WORDS[sector] ?? sector).join(', ');
  const title = `${{ ban: 'Ban on', moratorium: 'Moratorium on', interim_ordinance: 'Interim ordinance on' }[readKind(row)]} ${usesText}, ${place.jurisdiction}, ${place.state}`;
  const id = documentId(NAME, ownId);
  const { state, county = null } = place;
  const document = { state, county, city: null, decisionBody: null, meetingDate: null, url: null };
  yield {
    kind: 'document',
    ownId,
    rows: [],
    document: { ...document, title: `${title}: words of the inventory Moratorium Nation`, text: makeText(row) },
  };
  const [latitude, longitude] = [Number.parseFloat(row.latitude ?? ''), Number.parseFloat(row.longitude ?? '')];
  const evidence = PROSE.flatMap(([column]) => {
    const [field, quote] = [FIELDS[column], confirmedText(row, column)];
    return field && quote ? [{ field, quote, documentId: id }] : [];
  });
  const restriction: Omit<RestrictionLine, 'id' | 'kind'> = {
    source: NAME,
    restrictionKind: readKind(row),
    title,
    ...place,
    ...(Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : {}),
    uses: (isMiningAlone ? ['data_center', ...sectors] : sectors).flatMap((sector) => SECTOR_USES[sector] ?? []),
    usesText,
    status: readStatus(row),
    statedOn: AS_OF,
    ...readCourse(row),
    exempts:
      [
        isMiningAlone ? 'Data centers that mine no cryptocurrency' : null,
        findSentence(
          row,
          ['affected_projects', 'legal_basis', 'duration', 'current_status'],
          /\bexempt|\bnot be (?:stopped|affected)\b|\balready (?:permitted|filed|approved)\b|\bvested\b|\bnot a full ban\b/i,
        ),
      ]
        .filter(Boolean)
        .join('; ') || null,
    threshold: findSentence(
      row,
      ['affected_projects', 'legal_basis'],
      /\b(?:above|over|exceeding|at least|larger than|or more)\b[^.;]{0,200}\b(?:MW|megawatts?|acres|square feet|sq\.? ?ft)\b|\b(?:MW|megawatts?|acres|square feet|sq\.? ?ft) or (?:larger|more|greater)\b/i,
    ),
    authority: confirmedText(row, 'legal_basis') || null,
    documentId: id,
    evidence,
    evidenceFrom: 'inventory',
  };
  yield { kind: 'restriction', ownId, rows: [row], restriction };
}

export const moratoria: SourceAdapter = {
  name: NAME,
  title: 'Moratorium Nation: U.S. Infrastructure Moratorium Data',
  files: [FILE],
  restricts: true,
  async *read({ folder }) {
    for await (const row of readCsvRows(folder, FILE)) yield* toItems(row);
  },
};
