/** What an answer may show of people: who is suppressed, and what the pool has unlocked. */
import { ApiError } from '../domain/errors.ts';
import type { PeopleView, Unlock } from '../domain/record/people.ts';
import type { FetchedProject } from '../domain/record/represent.ts';
import type { Representation } from '../domain/record/schemas.ts';
import type { Identified } from '../domain/suppression.ts';
import type { Warning } from '../domain/warnings.ts';
import type { SuppressedPeople, Suppressions } from '../people/suppressions.ts';
import { mergedUnlocks } from '../people/unlocks.ts';

export interface PeopleServices {
  suppressions: { current(): Promise<SuppressedPeople> };
  unlocks: { pageUnlocks(teamId: number, ids: readonly number[]): Promise<ReadonlyMap<number, Unlock>> };
}

/** Hits of a page, and how their people may be shown. */
interface ShownTo {
  teamId: number;
  projects: readonly FetchedProject[];
  representation: Representation;
  /** `include=contacts`: the answer fails when unlocks cannot be read */
  withContacts?: boolean | undefined;
  /** whether records may be served without people when suppressions cannot be read */
  mayWithhold?: boolean | undefined;
}

/** For records that have no contacts. */
export const NOBODY: PeopleView = { hides: () => true, unlockOf: () => null };
/** For records whose people are withheld because suppressions cannot be read. */
const WITHHELD: PeopleView = { ...NOBODY };

export const makePeopleWarnings = (people: PeopleView): Warning[] => (people === WITHHELD ? [PEOPLE_WITHHELD] : []);

const PEOPLE_WITHHELD: Warning = {
  code: 'people_withheld',
  message:
    'contacts, contactSummary and mainPhone of companies show nobody: it cannot be checked right now who asked not to be found. Repeat the request later.',
  params: {},
};

/**
 * Reads suppressions and unlocks for a page.
 * @throws ApiError `service_unavailable` when suppressions cannot be read and people may not be withheld, `enrichment_ledger_unavailable`
 * when contacts are requested and unlocks cannot be read; without that request every channel then stays locked
 */
export async function readPeopleView({ suppressions, unlocks }: PeopleServices, shown: ShownTo): Promise<PeopleView> {
  if (shown.representation === 'compact') return NOBODY;
  const ids = shown.projects.flatMap(({ id, compact }) => compact.mergedFrom ?? [id]);
  const [suppressed, unlocked] = await Promise.all([readSuppressed(suppressions, shown), readUnlocks(unlocks, shown, ids)]);
  if (!suppressed) return WITHHELD;
  return { hides: (person) => suppressed.covers(person), unlockOf: (wanted) => mergeUnlocks(unlocked, wanted) };
}

/** The suppressed people; null when people are withheld. */
async function readSuppressed(suppressions: PeopleServices['suppressions'], { mayWithhold }: ShownTo): Promise<SuppressedPeople | null> {
  try {
    return await suppressions.current();
  } catch (error) {
    if (mayWithhold && error instanceof ApiError) return null;
    throw error;
  }
}

async function readUnlocks(
  unlocks: PeopleServices['unlocks'],
  { teamId, withContacts }: ShownTo,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Unlock>> {
  try {
    return await unlocks.pageUnlocks(teamId, ids);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (!withContacts) return new Map();
    const message = 'What the pool has unlocked cannot be read right now; nothing was charged. Retry shortly.';
    throw new ApiError('enrichment_ledger_unavailable', message, { headers: cause.headers, cause });
  }
}

/** The results of all look-ups of a record and of those merged into it; the record's own come first. */
function mergeUnlocks(unlocked: ReadonlyMap<number, Unlock>, ids: readonly number[]): Unlock | null {
  const found = ids.flatMap((id) => unlocked.get(id) ?? []);
  return found.length ? found.reduce((before, one) => mergedUnlocks(before, one)) : null;
}

/** Hashes of everybody whom these records show, and of the phone numbers of companies. */
export function hashesOfShown(
  suppressions: Pick<Suppressions, 'hashesOf'>,
  projects: readonly FetchedProject[],
  view: PeopleView,
): ReadonlySet<string> {
  const shown = projects.flatMap((project) => listShownPeople(project, view));
  return new Set(shown.flatMap((person) => [...(person.hashes ?? []), ...suppressions.hashesOf(person)]));
}

/** The people shown by a record and the phone numbers of companies, with everything that identifies them. */
function listShownPeople(
  { id, compact, standard = {} }: FetchedProject,
  { hides, unlockOf }: PeopleView,
): (Identified & { hashes?: readonly string[] })[] {
  const unlock = unlockOf(compact.mergedFrom ?? [id]);
  const companies = [...(standard.companyEnrichment ?? []), ...(unlock?.companies ?? [])];
  const people: ReturnType<typeof listShownPeople> = [
    ...(standard.contacts ?? []),
    ...(unlock?.people ?? []),
    ...companies.map(({ mainPhone }) => ({ phone: mainPhone })),
  ];
  return people.filter((one) => !hides(one));
}
