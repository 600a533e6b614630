/**
 * From a stored project to the public record in one of its three representations. Pure and total: every declared field is there, null
 * where the current generation does not cover it, and no other field is (src/docs/completeness.md).
 */
import type { Field, Tier } from './field.ts';
import { type ComputedName, FIELD_NAMES, type FieldName, fieldOf } from './fields.ts';
import { listShownCompanies, listShownPeople, type PeopleView } from './people.ts';
import type { RecordView } from './publicParts.ts';
import { derivedOf } from './readings.ts';
import { computeRichness } from './richness.ts';
import { FIELDS_OF, INCLUDED, listFieldsOfParts, listParts, type Representation } from './schemas.ts';
import type { StoredProject } from './storedProject.ts';

export type { TaxonomyLevel } from './publicParts.ts';

export type PublicRecord = Record<string, unknown>;

/** What the pool held of a record before this answer, and whether the answer billed it (src/docs/credits.md). */
export interface Delivery {
  alreadyExported: boolean;
  updatedSinceExport: boolean | null;
  lastExportedAt: string | null;
  billed: boolean;
}

export interface ViewOptions extends RecordView {
  representation: Representation;
  /** `include=derived`, beside the full representation */
  withDerived?: boolean | undefined;
  /** true on a paid plan: company details beyond name and website are shown */
  companyDetails: boolean;
  /** the people whom the answer may show */
  people: PeopleView;
}

/** The record on the map of this service. */
export const makeServiceLink = (id: number, publicUrl: string) => `${publicUrl}/map?project=${id}`;

/** The parts of a stored project that the representation was fetched with. */
export interface FetchedProject
  extends Pick<StoredProject, 'id' | 'lastUpdated' | 'contentRevision' | 'compact'>,
    Partial<
      Pick<
        StoredProject,
        'hearings' | 'locationDoubtful' | 'standard' | 'full' | 'uncovered' | 'earlierRevisions' | 'servedRevisions' | 'quotes'
      >
    > {
  /** from the index, if not all parts were fetched from which it is computed */
  dataRichness?: number;
  /** revisions that were served before this one; of rendered records, else they follow from `listServedRevisions` */
  supersedes?: readonly string[];
  /** attributes with evidence and without a current value; only known for rendered records */
  evidenceOnly?: readonly string[];
}

/** The served meeting date: of a merged development, the newest hearing of its family up to the cap. */
export function servedMeetingDate(stored: FetchedProject, cap: string): string | null {
  if (!stored.hearings) return stored.compact.meetingDate ?? null;
  return stored.hearings.findLast((day) => day <= cap) ?? null;
}

let lastPeople: { of: FetchedProject; view: ViewOptions; shown: ReturnType<typeof listShownPeople> } | undefined;

/** Two fields of a record follow from its people; the last result is kept for the second one. */
function representPeople(stored: FetchedProject, view: ViewOptions) {
  if (lastPeople?.of !== stored || lastPeople.view !== view) {
    const { id, compact, standard } = stored;
    lastPeople = { of: stored, view, shown: listShownPeople(standard?.contacts, compact.mergedFrom ?? [id], view.people) };
  }
  return lastPeople.shown;
}

/** Fields computed from the whole project or from the request; `delivery` is null until it is known. */
const COMPUTED: Readonly<
  Record<ComputedName | 'meetingDate' | 'contacts' | 'companyEnrichment', (stored: FetchedProject, view: ViewOptions) => unknown>
> = {
  serviceLink: ({ id }, { publicUrl }) => makeServiceLink(id, publicUrl),
  lastUpdated: ({ lastUpdated }) => lastUpdated,
  meetingDate: (stored, { meetingCap }) => servedMeetingDate(stored, meetingCap),
  delivery: () => null,
  contentRevision: ({ contentRevision }) => contentRevision,
  contacts: (stored, view) => representPeople(stored, view).contacts,
  companyEnrichment: ({ id, compact, standard }, view) => listShownCompanies(standard?.companyEnrichment, compact.mergedFrom ?? [id], view),
  contactSummary: (stored, view) => representPeople(stored, view).summary,
  derived: ({ compact, standard, full, hearings, locationDoubtful = false }, { today }) => ({
    ...derivedOf({ statement: { ...compact, ...standard, ...full }, hearings }, today),
    locationDoubtful,
  }),
  dataRichness: ({ compact, standard = {}, full = {}, dataRichness: indexed }) => indexed ?? computeRichness(compact, standard, full),
};

/** The value that answers show of a field, before `serve` converts it; undefined if nothing is stated. */
export const readShownValue = (statement: object, name: FieldName, { fallback, absent }: Field): unknown => {
  const stated = statement as Readonly<Record<string, unknown>>;
  return stated[name] ?? (fallback === undefined ? undefined : stated[fallback]) ?? absent;
};

/** Sets a field of the record, in which stated values and all fields before it are already set. */
type Put = (record: PublicRecord, stored: FetchedProject, view: ViewOptions) => void;

/** The function that sets a field; undefined if the stated value is served as it is. */
function putOf(name: FieldName): Put | undefined {
  const field = fieldOf(name);
  const { labels, serve, fallback, absent } = field;
  if (name in COMPUTED) {
    const compute = COMPUTED[name as keyof typeof COMPUTED];
    return (record, stored, view) => {
      record[name] = compute(stored, view);
    };
  }
  if (labels !== undefined) {
    const terms = fieldOf(labels as FieldName).vocabulary;
    return (record) => {
      record[name] = terms?.label(record[labels] as string | null) ?? null;
    };
  }
  if (serve === undefined && fallback === undefined && absent === undefined) return undefined;
  return (record, _, view) => {
    const shown = readShownValue(record, name, field) ?? null;
    if (shown === null || !serve) record[name] = shown;
    else record[name] = Array.isArray(shown) ? shown.map((one) => serve(one, view)) : serve(shown, view);
  };
}

const PUTS: ReadonlyMap<FieldName, Put | undefined> = new Map(FIELD_NAMES.map((name) => [name, putOf(name)]));

/** One field as `representRecord` shows it. @param name of a field that depends on no other field of the record */
export function representField(name: FieldName, stored: FetchedProject, view: ViewOptions): unknown {
  if (name in COMPUTED) return COMPUTED[name as keyof typeof COMPUTED](stored, view);
  const part = stored[fieldOf(name).tier] as PublicRecord | undefined;
  const record: PublicRecord = { [name]: part?.[name] ?? null };
  PUTS.get(name)?.(record, stored, view);
  return record[name];
}

/** All fields as null, in order. Copying such an object and serialising the copy is much faster than building one field by field. */
const makeBlank = (fields: readonly FieldName[]) => JSON.parse(`{${fields.map((field) => `"${field}":null`).join()}}`) as PublicRecord;

/** @param without fields that are not computed: the record keeps their stated values */
const makeForm = (representation: Representation, without: readonly FieldName[] = []) =>
  makeFormWith(FIELDS_OF[representation], listParts(representation), without);

const makeFormWith = (fields: readonly FieldName[], parts: readonly Tier[], without: readonly FieldName[] = []) => {
  const puts = fields.flatMap((name) => (without.includes(name) ? [] : (PUTS.get(name) ?? [])));
  return { blank: makeBlank(fields), parts, puts };
};
type Form = ReturnType<typeof makeFormWith>;

const FORMS = { compact: makeForm('compact'), standard: makeForm('standard'), full: makeForm('full') };
const WITH_INCLUDED = makeFormWith([...FIELDS_OF.full, ...INCLUDED], listParts('full'));

function fillFields(record: PublicRecord, stated: object): void {
  for (const name in stated) if (Object.hasOwn(record, name)) record[name] = (stated as PublicRecord)[name] ?? null;
}

/** @returns exactly the 21, 67 or 85 fields of the representation, in their order, and those included; `delivery` is null until it is known */
export const representRecord = (stored: FetchedProject, options: ViewOptions): PublicRecord =>
  representInForm(options.withDerived ? WITH_INCLUDED : FORMS[options.representation], stored, options);

/** The fields of one part only, in order. @param tier a part whose fields depend on no other part */
export function representPart(tier: Tier): (stored: FetchedProject, options: ViewOptions) => PublicRecord {
  const form = makeFormWith(listFieldsOfParts([tier]), [tier]);
  return (stored, options) => representInForm(form, stored, options);
}

/** `representRecord` without some fields, which the caller has to overwrite: they hold stated values. */
export function representWithout(without: readonly FieldName[], options: ViewOptions): (stored: FetchedProject) => PublicRecord {
  const form = makeForm(options.representation, without);
  return (stored) => representInForm(form, stored, options);
}

function representInForm({ blank, parts, puts }: Form, stored: FetchedProject, options: ViewOptions): PublicRecord {
  const record = { ...blank };
  for (const part of parts) fillFields(record, stored[part] ?? {});
  for (const put of puts) put(record, stored, options);
  return record;
}
