/**
 * A second, independent implementation of the contract: which records of the loaded lines a request selects, and in which order, by brute force
 * over plain objects. It shares no code with `src/core/filter`, `src/core/query` or `ingest`, so that a mistake there shows as a difference.
 */
import type { Json } from './json.ts';

export interface Use {
  type: string;
  subtype: string | null;
  assetClass: string | null;
  role: 'primary' | 'secondary' | 'other';
}

/** A project line of a generation file, with tokens and ids of places; null means not covered. */
export type Line = { id: number; landUses?: Use[] | null } & Record<string, Json>;

/** The last statement of a generation about a record. */
interface Said {
  generation: number;
  line: Line;
}

/** A project after all loads. */
export interface Entry {
  current: Line;
  /** the last statement of every generation, including the current one */
  said: Said[];
  /** the same for the records that were merged into it, by id */
  members: Map<number, Said[]>;
  /** the statements that count, in layers: see `Corpus` */
  layers: [current: Line[], members: Line[], earlier: Line[]];
  /** hearings of merged records */
  absorbed: string[];
  /** values that only the service knows */
  lastUpdated: string;
  dataRichness: number;
}

/** A request: canonical values by the names of the contract. */
export type Asked = Record<string, Json>;

export interface Order {
  field: 'meetingDate' | 'lastUpdated' | 'dataRichness' | 'totalUnitCount' | 'acreage';
  direction: 'asc' | 'desc';
}

const IDENTITY = 'id recordType projectName displayName mergedFrom meetingDate address zipCode landUses'.split(' ');
const PLACE = 'stateId countyId cityId'.split(' ');
const POINT = 'latitude longitude'.split(' ');
const GOVERNMENT = 'govt_decisions';

const stated = (line: object) => Object.fromEntries(Object.entries(line).filter(([, v]) => v !== null && v !== undefined));
const pick = (from: Line, keys: readonly string[]) => stated(Object.fromEntries(keys.map((key) => [key, from[key]])));
const sorted = <T extends number | string>(values: readonly T[]) => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));

const isMerged = (line: Line) => (line.mergedFrom ?? []).some((id: number) => id !== line.id);

const hearingsOf = (line: Line): string[] =>
  sorted([line.meetingDate, ...[...(line.decisions ?? []), ...(line.meetingDocuments ?? [])].map((d) => d.meetingDate)].filter(Boolean));

const family = ({ current, absorbed }: Entry) => (isMerged(current) ? sorted([...hearingsOf(current), ...absorbed]) : null);

/**
 * The loaded projects. If a generation does not cover a record, its identity is kept and other values are not. For each attribute the current
 * statement counts; if it is silent, the statements of merged records in this generation; if these are silent too, all statements of earlier
 * generations. An increment replaces the statement of its generation.
 */
export class Corpus {
  entries = new Map<number, Entry>();
  #generation = 0;

  load(lines: readonly Line[], generation: number, mode: 'full' | 'increment'): void {
    this.#generation = generation;
    const before = this.entries;
    const after = new Map<number, Entry>(mode === 'increment' ? before : []);
    for (const line of lines) after.set(line.id, this.#stated(this.#complete(line, before.get(line.id)?.current), before.get(line.id)));
    for (const known of mode === 'full' ? before.values() : [])
      if (!after.has(known.current.id))
        after.set(known.current.id, this.#stated(pick(known.current, [...IDENTITY, ...PLACE, ...POINT]) as Line, known));
    for (const survivor of [...after.values()]) if (after.has(survivor.current.id)) this.#absorb(after, survivor);
    for (const entry of after.values()) entry.layers = this.#layers(entry);
    this.entries = after;
  }

  #complete(line: Line, known: Line | undefined): Line {
    const kept = known ? pick(known, [...IDENTITY, ...(line.stateId ? [] : PLACE), ...(line.latitude ? [] : POINT)]) : {};
    const alone = line.mergedFrom?.length === 1 && line.mergedFrom[0] === line.id;
    const mergedFrom = sorted([line.id, ...(line.mergedFrom ?? []), ...((!alone && known?.mergedFrom) || [])]);
    return { ...kept, ...stated(line), id: line.id, mergedFrom };
  }

  #stated(current: Line, known: Entry | undefined): Entry {
    const said = [...this.#earlier(known?.said ?? []), { generation: this.#generation, line: current }];
    const members = new Map([...(known?.members ?? [])].filter(([id]) => current.mergedFrom?.includes(id)));
    const absorbed = isMerged(current) ? (known?.absorbed ?? []) : [];
    return { current, said, members, layers: [[], [], []], absorbed, lastUpdated: '', dataRichness: 0 };
  }

  #earlier = (said: readonly Said[]) => said.filter(({ generation }) => generation < this.#generation);
  #now = (said: readonly Said[]) => said.filter(({ generation }) => generation === this.#generation);

  #layers({ current, said, members }: Entry): Entry['layers'] {
    const ofMembers = [...members.values()].flat();
    const lines = (all: readonly Said[]) => all.map(({ line }) => line);
    return [[current], lines(this.#now(ofMembers)), lines(this.#earlier([...said, ...ofMembers]))];
  }

  #absorb(entries: Map<number, Entry>, survivor: Entry): void {
    for (const id of survivor.current.mergedFrom ?? []) {
      const member = entries.get(id);
      if (!member || member === survivor) continue;
      for (const [grandchild, said] of member.members) {
        const known = survivor.members.get(grandchild) ?? [];
        survivor.members.set(grandchild, [...known, ...(this.#now(known).length ? this.#earlier(said) : said)]);
      }
      survivor.members.set(id, [...this.#earlier(survivor.members.get(id) ?? []), ...member.said]);
      survivor.absorbed = sorted([...survivor.absorbed, ...(family(member) ?? hearingsOf(member.current))]);
      survivor.current.mergedFrom = sorted([...survivor.current.mergedFrom, ...(member.current.mergedFrom ?? [])]);
      entries.delete(id);
      this.#absorb(entries, survivor);
      return;
    }
  }
}

/** First and last day, and first and last instant, of a date as clients send it. */
function period(text: string): { firstDay: string; lastDay: string; start: number; end: number } {
  if (text.length > 10) return { firstDay: text.slice(0, 10), lastDay: text.slice(0, 10), start: Date.parse(text), end: Date.parse(text) };
  const [year = 0, month, day] = text.split('-').map(Number);
  const first = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  const next = day ? Date.UTC(year, Number(month) - 1, day + 1) : month ? Date.UTC(year, month, 1) : Date.UTC(year + 1, 0, 1);
  const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { firstDay: toDay(first), lastDay: toDay(next - 1), start: first, end: next - 1 };
}

const fold = (text: string) =>
  ` ${(
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  ).join(' ')} `;
const holds = (passages: readonly (string | null | undefined)[], phrase: string) =>
  passages.some((p) => fold(p ?? '').includes(fold(phrase)));

const NAMES = ['projectName', 'displayName'];
const LISTS = ['caseNumbers', 'parcelNumbers', 'conditionsOfApproval'];
const TEXTS = [...NAMES, ...LISTS, 'parties', 'address', 'summary', 'statusSummary', 'existingZoning', 'proposedZoning', 'rawText'];
const textsOf = (stated: string | (string | { name: string })[]): string[] =>
  [stated].flat().map((text) => (typeof text === 'string' ? text : text.name));

const EARTH_METERS = 6371008.7714;

function metersBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const h = Math.sin(rad(b.lat - a.lat) / 2) ** 2 + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(rad(b.lng - a.lng) / 2) ** 2;
  return 2 * EARTH_METERS * Math.asin(Math.sqrt(h));
}

/** Even-odd rule on the plane of degrees, on which each edge goes the short way around the Earth. */
export function insideRing(ring: readonly [number, number][], x: number, y: number): boolean {
  let turns = 0;
  const flat = ring.map(([longitude, latitude], i): [number, number] => {
    const step = i === 0 ? 0 : longitude - (ring[i - 1] as [number, number])[0];
    if (Math.abs(step) > 180 && Math.abs(step) < 360) turns -= Math.sign(step);
    return [longitude + 360 * turns, latitude];
  });
  const isInside = (at: number) =>
    flat.slice(1).reduce((inside, [x2, y2], i) => {
      const [x1, y1] = flat[i] as [number, number];
      return y1 > y !== y2 > y && at < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1 ? !inside : inside;
    }, false);
  return [x - 360, x, x + 360].some(isInside);
}

type Predicate = (value: never, entry: Entry, asked: Asked, today: string) => boolean;

const ROLES: Record<string, readonly string[]> = {
  primary_only: ['primary'],
  primary_or_secondary: ['primary', 'secondary'],
  any: ['primary', 'secondary', 'other'],
};

/** Whether a use in a role that counts is one of the values. */
const used = ({ current }: Entry, level: 'type' | 'subtype' | 'assetClass', values: readonly string[], asked: Asked, only?: string) =>
  (current.landUses ?? []).some(
    (use) =>
      (ROLES[asked.taxonomyMatchMode ?? 'primary_or_secondary'] as string[]).includes(use.role) &&
      values.includes(use[level] ?? '') &&
      (only === undefined || use.type === only),
  );

type Layers = Entry['layers'];

/** The lines that count for an attribute: those of the first layer in which any line covers it. */
const counting = (layers: Layers, covers: (line: Line) => boolean): Line[] =>
  (layers.find((lines) => lines.some(covers)) ?? []).filter(covers);

const covered = (attribute: string) => (line: Line) => line[attribute] !== undefined && line[attribute] !== null;

const isKnown = (status: unknown) => status !== undefined && status !== null && status !== 'unknown';
const decides = (line: Line): boolean => isKnown(line.status) || (line.decisions ?? []).some((d: Line) => isKnown(d.status));

const isStated =
  (attribute: string) =>
  (values: readonly unknown[], { layers }: Entry) =>
    counting(layers, covered(attribute)).some((line) => values.includes(line[attribute]));

/** `unknown` means that no decision is known at all. */
const hasStatus = (values: readonly unknown[], { layers }: Entry) =>
  layers.flat().some(decides)
    ? counting(layers, (line) => isKnown(line.status)).some((line) => values.includes(line.status))
    : values.includes('unknown');

const flag =
  (attribute: string, falseToo: boolean) =>
  (value: boolean, { layers }: Entry) =>
    (!value && !falseToo) || counting(layers, covered(attribute)).some((line) => line[attribute] === value);

const zone =
  (attribute: string) =>
  (value: string, { layers }: Entry) =>
    counting(layers, covered(attribute)).some((line) => line[attribute] === (value === 'inside'));

const combosOf = (line: Line): string[] =>
  [{ ...line, status: line.status ?? 'unknown' }, ...(line.decisions ?? [])]
    .filter((d) => d.decisionBody && d.status)
    .map((d) => `${d.decisionBody}|${d.status}`);

/** Pairs with `unknown` from statements other than the current one count only if no decision is known at all. */
function combos({ layers }: Entry): string[] {
  const [[current]] = layers as [[Line], Line[], Line[]];
  if (decides(current)) return combosOf(current);
  const deciding = layers.find((lines) => lines.some(decides));
  if (deciding) return deciding.flatMap(combosOf).filter((combo) => !combo.endsWith('|unknown'));
  return layers.map((lines) => lines.flatMap(combosOf)).find((found) => found.length) ?? [];
}

/** Whether one of the attributes contains the phrase. */
const holdsIn = (attributes: readonly string[], { layers }: Entry, phrase: string) =>
  attributes.some((attribute) => counting(layers, covered(attribute)).some((line) => holds(textsOf(line[attribute]), phrase)));

const squeezed = (text: string, without: RegExp) => text.toUpperCase().replaceAll(without, '');
const numbersOf = (numbers: string[]) => numbers.map((text) => squeezed(text, /[\s.-]/g)).filter(Boolean);
/** The whole zoning and its first code, which suffices for the zonings of the test data. */
const zoningOf = (zoning: string) => [zoning, zoning.split(',')[0] ?? ''].map((text) => squeezed(text, /\s/g));

const STAFF: Record<string, string> = {
  Approval: 'approval',
  'Staff recommends approval, subject to conditions': 'approval_with_conditions',
  'Staff does not support the request': 'denial',
  'Defer to the next meeting': 'continuance',
  'See the report': 'none',
};

const resultOf = ({ yes, no }: Line): string | null => {
  if (!(yes >= 0) || !(no >= 0) || yes + no === 0) return null;
  return yes === no ? 'tie' : yes * no === 0 ? 'unanimous' : 'split';
};

/** How a line's values for a filter are read, by the filter's name; null if the line does not cover it. */
const SAID: Record<string, (line: Line, entry: Entry, today: string) => unknown[] | null> = {
  caseNumbers: ({ caseNumbers }) => caseNumbers && numbersOf(caseNumbers),
  parcelNumbers: ({ parcelNumbers }) => parcelNumbers && numbersOf(parcelNumbers),
  existingZonings: ({ existingZoning }) => existingZoning && zoningOf(existingZoning),
  proposedZonings: ({ proposedZoning }) => proposedZoning && zoningOf(proposedZoning),
  staffRecommendations: ({ staffRecommendation }) => staffRecommendation && [STAFF[staffRecommendation]],
  voteResults: ({ voteTotals }) => voteTotals && [resultOf(voteTotals)],
  voteAgainst: ({ voteTotals }) => voteTotals && [voteTotals.no],
  hearingCount: ({ appearanceCount }) => (appearanceCount === null || appearanceCount === undefined ? null : [appearanceCount]),
  firstMeetingDate: ({ firstMeetingDate }) => firstMeetingDate && [firstMeetingDate],
  nextMeetingDate: ({ nextMeetingDate }) => nextMeetingDate && [nextMeetingDate],
  daysInProcess: (line, entry) => {
    const covers = ['firstMeetingDate', 'appearanceCount', 'decisions', 'meetingDocuments'].some((name) => covered(name)(line));
    const days = heard(line, entry);
    const some = days.length >= (line.appearanceCount ?? 0) || (line.firstMeetingDate && days.length > 1);
    return covers && some && days.length ? [(Date.parse(days.at(-1) ?? '') - Date.parse(days[0] ?? '')) / 86_400_000] : null;
  },
  outcomes: (line, entry, today) => {
    const covers = isKnown(line.status) || line.decisions?.length || line.statusHistory?.length || line.nextMeetingDate;
    return covers ? [outcomeOf(line, entry, today)] : null;
  },
};

/** All hearings of a line; those of merged records count with the current line. */
const heard = (line: Line, entry: Entry): string[] =>
  sorted([...hearingsOf(line), ...(line.firstMeetingDate ? [line.firstMeetingDate] : []), ...familyWith(line, entry)]);
const familyWith = (line: Line, entry: Entry) => (line === entry.current ? (family(entry) ?? []) : []);

const FINAL: Record<string, string> = {
  approved: 'approved',
  approved_with_conditions: 'approved',
  denied: 'denied',
  withdrawn: 'withdrawn',
};
const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Decisions of these types are not final, since another vote follows. */
const PASSED_ON = ['recommendation', 'first_reading', 'public_hearing', 'work_session', 'filed'];

/** The outcome after a step; pending after a vote that is not final. */
const leftBy = (status: string, isPassedOn: boolean) => (isPassedOn && FINAL[status] && status !== 'withdrawn' ? 'pending' : status);

/** Where a record states no day of its status, that is the latest known of it. */
const AFTER_ALL = '9999-12-31';

/** The outcome of a case on a day, null if it cannot be told. */
function outcomeOf(line: Line, entry: Entry, today: string): string | null {
  const days = sorted([...hearingsOf(line), ...familyWith(line, entry)]);
  const decisions: Line[] = line.decisions ?? [];
  const history: Line[] = line.statusHistory ?? [];
  const [next, ownDay] = [line.nextMeetingDate ?? null, line.meetingDate ?? days.at(-1)];
  const steps: [string | null, string][] = [];
  for (const { status, date, decisionBody } of history) {
    const onDay = decisions.filter((one) => one.meetingDate === date && (one.decisionBody ?? null) === (decisionBody ?? null));
    const isPassedOn = onDay.some((one) => PASSED_ON.includes(one.decisionType));
    if (isKnown(status)) steps.push([leftBy(status, isPassedOn), date]);
    else if (!isPassedOn) steps.push([null, date]);
  }
  for (const one of decisions)
    if (isKnown(one.status)) steps.push([leftBy(one.status, PASSED_ON.includes(one.decisionType)), one.meetingDate]);
  if (isKnown(line.status)) steps.push([leftBy(line.status, PASSED_ON.includes(line.decisionType)), ownDay ?? AFTER_ALL]);
  const latestOf = (some: typeof steps) => some.findLast(([, day]) => some.every(([, other]) => other <= day));
  const [known] = latestOf(steps.filter(([status]) => status !== null)) ?? [];
  if (known && FINAL[known]) return FINAL[known];
  const [status, day = ''] = latestOf(steps) ?? [];
  if (!status) return next && today <= next ? 'pending' : null;
  const activity = sorted([...days, ...history.map(({ date }) => date), ...(next ? [next] : [])]).at(-1);
  if (!activity) return null;
  if (today < dayAfter(activity, 180)) return 'pending';
  const putOff = new Set(steps.filter(([one]) => one === 'continued' || one === 'tabled').map(([, of]) => of)).size;
  return putOff >= 3 || (status === 'tabled' && !(next && (day === AFTER_ALL || next > day))) ? 'soft_denial' : 'stalled';
}

/** The values that count for a filter, from the first layer in which any line covers it. */
function saidOf(name: string, entry: Entry, today = ''): unknown[] {
  const said = entry.layers.map((lines) =>
    lines.flatMap((line) => [SAID[name]?.(line, entry, today)].filter((one) => one !== null && one !== undefined)),
  );
  return (said.find((layer) => layer.length) ?? []).flat();
}

const isSaid =
  (name: string) =>
  (values: readonly string[], entry: Entry, _: Asked, today: string): boolean =>
    saidOf(name, entry, today).some((value) => asCompared(name, values).includes(value as string));

/** Sent values in the form in which they are compared. */
const asCompared = (name: string, values: readonly string[]) =>
  name.endsWith('Numbers') ? numbersOf([...values]) : name.endsWith('Zonings') ? values.map((text) => squeezed(text, /\s/g)) : values;

/** Whether one value satisfies both bounds. */
function withinDays(asked: Asked, entry: Entry): boolean {
  return ['firstMeetingDate', 'nextMeetingDate'].every((name) => {
    const [from, to] = [asked[`${name}From`], asked[`${name}To`]];
    if (!from && !to) return true;
    return saidOf(name, entry).some((day) => (!from || String(day) >= period(from).firstDay) && (!to || String(day) <= period(to).lastDay));
  });
}

const PREDICATES: Record<string, Predicate> = {
  states: (ids: number[], { current }) => ids.includes(current.stateId),
  counties: (ids: number[], { current }) => ids.includes(current.countyId),
  cities: (ids: number[], { current }) => ids.includes(current.cityId),
  bbox: ({ north, south, east, west }: Record<string, number>, { current: { latitude, longitude } }) =>
    latitude >= (south as number) &&
    latitude <= (north as number) &&
    ((west as number) <= (east as number)
      ? longitude >= (west as number) && longitude <= (east as number)
      : longitude >= (west as number) || longitude <= (east as number)),
  circle: (centre: { lat: number; lng: number; radiusMeters: number }, { current: { latitude, longitude } }) =>
    latitude !== undefined && metersBetween(centre, { lat: latitude, lng: longitude }) <= centre.radiusMeters,
  polygon: (ring: [number, number][], { current: { latitude, longitude } }) =>
    latitude !== undefined && insideRing(ring, longitude, latitude),
  propertyTypes: (values: string[], entry, asked) => used(entry, 'type', values, asked),
  propertySubtypes: (values: string[], entry, asked) => used(entry, 'subtype', values, asked),
  assetClasses: (values: string[], entry, asked) => used(entry, 'assetClass', values, asked),
  excludePropertySubtypes: (values: string[], entry, asked) => !used(entry, 'subtype', values, asked),
  excludeAssetClasses: (values: string[], entry, asked) => !used(entry, 'assetClass', values, asked),
  governmentDecisionSubtypes: (values: string[], entry, asked) => used(entry, 'subtype', values, asked, GOVERNMENT),
  governmentDecisionAssetClasses: (values: string[], entry, asked) => used(entry, 'assetClass', values, asked, GOVERNMENT),
  status: hasStatus,
  decisionBodies: isStated('decisionBody'),
  requestTypes: isStated('requestType'),
  decisionTypes: isStated('decisionType'),
  constructionTypes: isStated('constructionType'),
  projectSizes: isStated('projectSize'),
  statusCombos: (values: string[], entry) => combos(entry).some((combo) => values.includes(combo)),
  constructionLeadsOnly: flag('isConstructionLead', false),
  hasConstructionDetails: flag('hasConstructionDetails', true),
  requiresZoningChange: flag('isRezone', false),
  inOpportunityZone: zone('inOpportunityZone'),
  inFemaFloodZone: zone('inFemaFloodZone'),
  ...Object.fromEntries(
    'caseNumbers parcelNumbers existingZonings proposedZonings staffRecommendations voteResults outcomes'
      .split(' ')
      .map((name) => [name, isSaid(name)]),
  ),
  lastUpdatedFrom: (text: string, entry) => Date.parse(entry.lastUpdated) >= period(text).start,
  lastUpdatedTo: (text: string, entry) => Date.parse(entry.lastUpdated) <= period(text).end,
  q: (text: string, entry) => text.split('|').some((phrase) => fold(phrase) !== '  ' && holdsIn(TEXTS, entry, phrase)),
  projectName: (text: string, entry) => holdsIn(NAMES, entry, text),
  developerName: (text: string, entry) => holdsIn(['parties'], entry, text),
  projectIds: (ids: number[], { current }) => ids.some((id) => id === current.id || (current.mergedFrom ?? []).includes(id)),
};

/** Whether one value of each measurement satisfies both of its bounds. */
function withinBounds(asked: Asked, entry: Entry): boolean {
  const { layers } = entry;
  const measurements = Object.keys(asked).flatMap((name) => /^(.*)(Min|Max)$/.exec(name)?.[1] ?? []);
  return measurements.every((measurement) => {
    const [min, max] = [asked[`${measurement}Min`] ?? Number.NEGATIVE_INFINITY, asked[`${measurement}Max`] ?? Number.POSITIVE_INFINITY];
    if (SAID[measurement]) return saidOf(measurement, entry).some((value) => (value as number) >= min && (value as number) <= max);
    return counting(layers, covered(measurement)).some((line) => line[measurement] >= min && line[measurement] <= max);
  });
}

function windowStart(range: string, today: string): string {
  const months = { last_3_months: 3, last_6_months: 6, last_1_year: 12 }[range];
  if (months === undefined) return '2025-01-01';
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastOfMonth))).toISOString().slice(0, 10);
}

/** Whether one hearing satisfies both bounds and the named range; by default, without ids, the last year. */
function inWindow(asked: Asked, entry: Entry, today: string): boolean {
  const { meetingDateFrom: from, meetingDateTo: to, projectIds, nextMeetingDateFrom, nextMeetingDateTo } = asked;
  const range = asked.dateRange ?? (from || to || projectIds || nextMeetingDateFrom || nextMeetingDateTo ? 'all' : 'last_1_year');
  if (!from && !to && range === 'all') return true;
  const days: string[] = family(entry) ?? [entry.current.meetingDate].filter(Boolean);
  return days.some(
    (day) =>
      (!from || day >= period(from).firstDay) &&
      (!to || day <= period(to).lastDay) &&
      (range === 'all' || (day >= windowStart(range, today) && day <= today)),
  );
}

/** Removes superseded filters: states by a narrower place, a level of the tree by a parent of one of its values. */
function superseded(asked: Asked, parents: ReadonlyMap<string, readonly string[]>): Asked {
  const kept = { ...asked };
  if (kept.states && (kept.counties || kept.cities)) delete kept.states;
  const sent = new Set([...(asked.propertyTypes ?? []), ...(asked.propertySubtypes ?? [])]);
  for (const level of ['propertySubtypes', 'assetClasses'])
    if (asked[level]?.some((token: string) => parents.get(token)?.some((parent) => sent.has(parent)))) delete kept[level];
  return kept;
}

const isGovernment = ({ current }: Entry) => current.landUses?.find((use) => use.role === 'primary')?.type === GOVERNMENT;

/** @param parents the tokens above each token of the Building Type tree */
export function matches(entry: Entry, asked: Asked, today: string, parents: ReadonlyMap<string, readonly string[]>): boolean {
  const kept = superseded(asked, parents);
  if (kept.includeGovernmentDecisions !== true && isGovernment(entry)) return false;
  return (
    Object.entries(kept).every(([name, value]) => PREDICATES[name]?.(value as never, entry, kept, today) ?? true) &&
    withinBounds(kept, entry) &&
    withinDays(kept, entry) &&
    inWindow(kept, entry, today)
  );
}

/** Names of the filters that the record matches only by statements other than its current one. */
export function unconfirmed(entry: Entry, asked: Asked, parents: ReadonlyMap<string, readonly string[]>, today: string): string[] {
  const kept = superseded(asked, parents);
  const [[current]] = entry.layers as [[Line], Line[], Line[]];
  const alone: Entry = { ...entry, layers: [[current], [], []] };
  const decidedElsewhere = !decides(current) && entry.layers.flat().some(decides);
  return Object.entries(kept).flatMap(([name, value]) => {
    const measurement = /^(.*)(Min|Max)$/.exec(name)?.[1];
    const said = measurement ?? /^((?:first|next)MeetingDate)(From|To)$/.exec(name)?.[1] ?? name;
    if (SAID[said]) return SAID[said](current, entry, today) ? [] : [name];
    if (measurement) return covered(measurement)(current) ? [] : [name];
    if (['status', 'statusCombos'].includes(name) && decidedElsewhere) return [name];
    return (PREDICATES[name]?.(value as never, alone, kept, today) ?? true) ? [] : [name];
  });
}

/** The date that a record shows: with merged records, the newest hearing neither after today nor after the request's last day. */
export function shownDate(entry: Entry, asked: Asked, today: string): string | null {
  const to = asked.meetingDateTo ? period(asked.meetingDateTo).lastDay : today;
  const hearings = family(entry);
  return hearings ? (hearings.findLast((day) => day <= today && day <= to) ?? null) : (entry.current.meetingDate ?? null);
}

/** Ids in the order of the answer: nulls last whatever the direction, equals by newest change and then by highest id. */
export function ordered(entries: readonly Entry[], { field, direction }: Order, asked: Asked, today: string): number[] {
  const value = (entry: Entry): string | number | null =>
    field === 'meetingDate'
      ? shownDate(entry, asked, today)
      : field === 'lastUpdated' || field === 'dataRichness'
        ? entry[field]
        : (entry.current[field] ?? null);
  const compare = (a: string | number | null, b: string | number | null, way: 1 | -1) =>
    a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -way : way;
  return [...entries]
    .sort(
      (a, b) =>
        compare(value(a), value(b), direction === 'asc' ? 1 : -1) ||
        compare(a.lastUpdated, b.lastUpdated, -1) ||
        compare(a.current.id, b.current.id, -1),
    )
    .map((entry) => entry.current.id);
}
