/**
 * Land-use cases of New York City's Council, 2015–26: cases (`land_use.ndjson.gz`), resolutions with full text
 * (`resolutions_landuse.ndjson.gz`) and meetings (`meetings_landuse.ndjson.gz`). No licence to redistribute, so no row of them is committed.
 *
 * Cases: File own id, `LU 0251-2015` · Name, Title (application) · StatusName · BodyName · PassedDate · History of steps with
 * Date, Action, BodyName, MinutesNote · Attachments with links. 'Filed' is a withdrawal where notes or resolution say so. `0001-01-01` means no date.
 * Resolutions: id · file, title, body, passed, text · lu_no numbers of the cases they decide. The numbers start again with every session of
 * the Council, so a resolution belongs to the case of that number in its own session.
 * Meetings: ID · BodyName, Date, InSiteURL · Items with the MatterFile of the case they were about.
 *
 * Each case is one record; resolutions and meetings are documents and are named by the records they are about. The borough is the county;
 * 'Manhattan' at the end of a name is New York County.
 */
import type { Decision, MeetingDocumentReference, Party, StatusHistoryEntry } from '../../../src/core/domain/record/statement.ts';
import { statuses } from '../../../src/core/domain/vocabulary.ts';
import { documentId } from '../ids.ts';
import { recordOf } from '../items.ts';
import { Locator } from '../location.ts';
import { findAcres, findStories, findUnits, startsWithAddress, withoutSurroundings } from '../phrases.ts';
import { readJsonLines } from '../readers.ts';
import {
  actionFields,
  compileClassifiers,
  compileTokenClassifier,
  type Fields,
  type RulesFile,
  type TokenRule,
  useFields,
} from '../rules.ts';
import type { DraftWithNotes, ProjectDraft, ReadContext, SourceAdapter, SourceDocument, SourceItem } from '../types.ts';
import { agreedValue, distinctValues, joinUpTo, parseDay, parseText, parseWebAddress } from '../values.ts';
import file from './rules/ny_council.json' with { type: 'json' };

interface Step {
  Date: string;
  Action: string;
  BodyName: string;
  /** what the minutes add, such as 'Filed pursuant to a Letter of Withdrawal.' */
  MinutesNote?: string;
}

interface Matter {
  File: string;
  Name: string;
  Title: string;
  StatusName: string;
  BodyName: string;
  PassedDate: string;
  History: Step[];
  Attachments?: { Name: string; Link: string }[];
}

/** A reference with every key. */
type StatedDocument = Required<MeetingDocumentReference>;

interface Meeting {
  ID: number;
  BodyName: string;
  Date: string;
  InSiteURL: string;
  Items: { Title?: string; MatterFile?: string; MatterName?: string }[];
}

interface Resolution {
  id: number;
  file: string;
  title: string;
  body: string;
  intro: string;
  passed: string;
  lu_no: string[];
  text: string;
}

/** Years in which a session of the Council began, and with it a new count of case numbers. */
const SESSION_STARTS = [1998, 2002, 2004, 2006, 2010, 2014, 2018, 2022, 2024, 2026];

function sessionOf(year: number): number {
  return SESSION_STARTS.findLast((start) => start <= year) ?? 0;
}

/** `LU 0251-2015` → number and session; null for anything else */
function caseKey(file: string): string | null {
  const found = /^LU 0*([1-9]\d*)-(\d{4})$/.exec(file);
  return found ? `${found[1]}/${sessionOf(Number(found[2]))}` : null;
}

interface DecidingResolution {
  reference: StatedDocument;
  text: string;
}

/** Meetings and resolutions: written as documents, and looked up by the cases they are about. */
class Documents {
  readonly #bodyToken: (body: string) => string | null;
  readonly #resolutions = new Map<string, DecidingResolution[]>();
  readonly #meetings = new Map<string, StatedDocument[]>();

  constructor(bodyToken: (body: string) => string | null) {
    this.#bodyToken = bodyToken;
  }

  resolutionsOf(file: string): readonly DecidingResolution[] {
    return this.#resolutions.get(caseKey(file) ?? '') ?? [];
  }

  /** Meetings that had the case on their agenda, the earliest first. */
  meetingsOf(file: string): readonly StatedDocument[] {
    const found = this.#meetings.get(file) ?? [];
    return [...found].sort((a, b) => (a.meetingDate ?? '').localeCompare(b.meetingDate ?? ''));
  }

  async *meetings(folder: string, file: string): AsyncGenerator<SourceDocument> {
    for await (const meeting of readJsonLines<Meeting>(folder, file)) {
      const ownId = `meeting/${meeting.ID}`;
      const reference = this.#reference(
        ownId,
        `${meeting.BodyName}, meeting of ${parseDay(meeting.Date)}`,
        meeting.BodyName,
        meeting.Date,
        meeting.InSiteURL,
      );
      for (const matter of distinctValues(meeting.Items.map((item) => item.MatterFile))) addTo(this.#meetings, matter, reference);
      const agenda = meeting.Items.flatMap((item) => [[item.MatterFile, item.MatterName].filter(Boolean).join(' '), item.Title ?? '']);
      yield documentOf(ownId, meeting, reference, agenda.filter(Boolean).join('\n'));
    }
  }

  async *resolutions(folder: string, file: string): AsyncGenerator<SourceDocument> {
    for await (const resolution of readJsonLines<Resolution>(folder, file)) {
      const ownId = `resolution/${resolution.id}`;
      const title = `${resolution.file}: ${parseText(resolution.title) ?? ''}`.slice(0, 2000);
      const reference = this.#reference(ownId, title, resolution.body, parseDay(resolution.passed) ?? resolution.intro, null);
      const session = sessionOf(Number(resolution.intro.slice(0, 4)));
      for (const number of distinctValues(resolution.lu_no))
        addTo(this.#resolutions, `${Number(number)}/${session}`, { reference, text: resolution.text });
      yield documentOf(ownId, resolution, reference, resolution.text);
    }
  }

  #reference(ownId: string, title: string, body: string, date: string, url: string | null): StatedDocument {
    const meetingDocumentId = documentId('ny_council', ownId);
    return { meetingDocumentId, title, decisionBody: this.#bodyToken(body), meetingDate: parseDay(date), url: parseWebAddress(url) };
  }
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function documentOf(ownId: string, row: object, { meetingDocumentId: _, ...reference }: StatedDocument, content: string): SourceDocument {
  return { kind: 'document', ownId, rows: [row], document: { state: 'NY', county: null, city: null, ...reference, text: content } };
}

const rules = compileClassifiers(file as RulesFile);
const stepStatus = compileTokenClassifier(file.stepStatus as TokenRule[], statuses);
const CASES = 'land_use.ndjson.gz';
const RESOLUTIONS = 'resolutions_landuse.ndjson.gz';
const MEETINGS = 'meetings_landuse.ndjson.gz';
const TEXT_CHARACTERS_MAX = 1_000_000;

const BOROUGHS: Record<string, { county: string; city: string }> = {
  manhattan: { county: 'New York County', city: 'Manhattan' },
  bronx: { county: 'Bronx County', city: 'The Bronx' },
  brooklyn: { county: 'Kings County', city: 'Brooklyn' },
  queens: { county: 'Queens County', city: 'Queens' },
  'staten island': { county: 'Richmond County', city: 'Staten Island' },
};

/** What stands behind the last comma, or behind the first word, without words in brackets at the end. */
const lastPart = (name: string) => /(?:[,;]|^[^,;\s]*\s)([^,;]*)$/.exec(name.replace(/\([^()]*\)*\.?$/, ''))?.[1] ?? '';

/** The one borough that name and title mention; null for citywide cases and cases in several boroughs. */
function boroughOf(name: string, title: string): string | null {
  const find = (words: string) =>
    distinctValues([...words.matchAll(/\b(manhattan|bronx|brooklyn|queens|staten island)\b/gi)].map((m) => m[1]?.toLowerCase()));
  const formal = find([...title.matchAll(/Boroughs? of (?:the )?(\w+(?: Island)?)/g)].map((m) => m[1]).join(' '));
  const named = formal.length ? formal : find(lastPart(name));
  const all = named.length ? named : find(`${name} ${title}`);
  return all.length === 1 ? (all[0] ?? null) : null;
}

/** `C 150248 ZSM` → `ZSM`: the kind of application and, last, the borough; numbers that are written with and without blanks are one. */
function applicationsOf(words: string): { numbers: string[]; code: string } {
  const found = [...words.matchAll(/\b((?:[CNMGD] ?)?(\d{6,11}) ?(?:\([A-Z]\) ?)?([A-Z]{2,3}))\b/g)];
  const single = new Map(found.map(([number]) => [number.replace(/\s/g, ''), number]));
  // `210293 PSX` is `C 210293 PSX`, written without its letter.
  const isWhole = (key: string) => ![...single.keys()].some((other) => other !== key && other.endsWith(key));
  return { numbers: [...single].flatMap(([key, number]) => (isWhole(key) ? [number] : [])), code: found[0]?.[3] ?? '' };
}

/** `Block 15705, Lots 59 and 69` → `Block 15705, Lot 59` and `Block 15705, Lot 69` */
function parcelsOf(title: string): string[] {
  const blocks = title.matchAll(/\bBlock (\d+),? (?:p\/o )?Lots? ((?:(?:,? and|,| &)?\s*(?:p\/o )?\d+(?!\w))+)/g);
  return [...blocks].flatMap(([, block, lots = '']) => (lots.match(/\d+/g) ?? []).map((lot) => `Block ${block}, Lot ${lot}`));
}

/** `located at 20 Kingsland Avenue (Block 2885, Lot 10)`; null where there are several. */
function addressOf(title: string): string | null {
  return agreedValue(
    [...title.matchAll(/(?:\b(?:located at|known as)|(?<!\d),(?: and)?) (\d[\w/ .'-]*?)(?=[,;(]| \(|$)/g)]
      .map(([, address]) => address)
      .filter(startsWithAddress),
  );
}

/** What ends the name of an applicant, and the longest name before it. */
const APPLICANT_ENDS = [
  [/,? (?:pursuant|for (?:the )?approval)\b/gi, 200],
  [/,? (?:for|requesting|under|in accordance|seeking)\b/gi, 160],
] as const;
const APPLICANT_CHARACTERS_MIN = 3;

/** The name after `submitted by`. */
function applicantOf(title: string): string | null {
  const names = [...title.matchAll(/\bsubmitted (?!pursuant)(?:by )?(?:the )?/gi)].map(
    (found) => title.slice(found.index + found[0].length).split(';', 1)[0] ?? '',
  );
  for (const [end, most] of APPLICANT_ENDS)
    for (const name of names) {
      const ended = [...name.slice(0, most + 20).matchAll(end)].find(({ index }) => index >= APPLICANT_CHARACTERS_MIN);
      if (ended && ended.index <= most) return parseText(name.slice(0, ended.index), 500);
    }
  return null;
}

/** `changing from an M1-1 District to an R7D District` → M1-1, R7D */
function zoningOf(words: string) {
  const changes = [
    ...words.matchAll(
      /(?:changing|rezoning)(?: property)? from (?:an? |existing )*([A-Z][\w./-]*) Districts? to (?:an? )?([A-Z][\w./-]*) District/g,
    ),
  ];
  const list = (group: 1 | 2) => joinUpTo(distinctValues(changes.map((change) => change[group])), ', ', 500);
  return { existingZoning: list(1), proposedZoning: list(2) };
}

interface DatedStep {
  date: string;
  action: string;
  body: string;
  decisionBody: string | null;
  decisionType: string | null;
  status: string | null;
}

function stepsOf(matter: Matter, notes: string): DatedStep[] {
  const steps = matter.History.flatMap(({ Date: when, Action: action, BodyName: body }) => {
    const date = parseDay(when);
    const fields = { action, body, notes };
    const decided = { decisionBody: rules.decisionBody(fields), decisionType: rules.decisionType(fields), status: stepStatus(fields) };
    return date ? [{ date, action, body, ...decided }] : [];
  });
  const single = new Map(steps.map((step) => [`${step.date} ${step.body} ${step.action}`, step]));
  return [...single.values()].sort((a, b) => a.date.localeCompare(b.date));
}

const DECIDING = new Set(['final_action', 'recommendation']);

function decisionsOf(steps: readonly DatedStep[]): Decision[] {
  const deciding = steps.filter((step) => DECIDING.has(step.decisionType ?? ''));
  return deciding.map(({ decisionBody, decisionType, status, date, action }) => ({
    decisionBody,
    decisionType,
    status,
    meetingDate: date,
    motion: action.trim(),
  }));
}

function historyOf(steps: readonly DatedStep[]): StatusHistoryEntry[] {
  const entries = steps.flatMap((s) => (s.status ? [{ status: s.status, date: s.date, decisionBody: s.decisionBody }] : []));
  const single = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  return [...single.values()];
}

/** What tells how a case ended where neither its status nor its last step does: notes of the minutes, texts of the resolutions. */
const notesOf = (matter: Matter, texts: readonly string[]): string =>
  [...matter.History.map((step) => step.MinutesNote ?? ''), ...texts].filter(Boolean).join('\n');

/** The resolution among the attachments, or the first attachment. */
function chooseAttachment(matter: Matter): string | null {
  const list = matter.Attachments ?? [];
  return parseWebAddress((list.find((a) => /^Res\.? No/.test(a.Name)) ?? list[0])?.Link);
}

function toDraft(matter: Matter, documents: Documents, locator: Locator): DraftWithNotes {
  const borough = BOROUGHS[boroughOf(matter.Name, matter.Title) ?? ''];
  const { notes: unresolved, ...place } = locator.find(borough ?? {});
  const resolutions = documents.resolutionsOf(matter.File);
  const texts = resolutions.map((r) => r.text);
  const notes = notesOf(matter, texts);
  const applicant = applicantOf(matter.Title.replace(/\s+/g, ' '));
  const steps = stepsOf(matter, notes);
  const words = `${matter.Name}. ${matter.Title}`.replace(/\s+/g, ' ');
  const applications = applicationsOf(words);
  const last = steps.findLast((s) => s.decisionType === 'final_action') ?? steps.findLast((s) => DECIDING.has(s.decisionType ?? ''));
  const fields: Fields = {
    // An applicant's name tells no use: the Department of Housing Preservation submits parks, too.
    text: withoutSurroundings([words, ...resolutions.map((r) => r.reference.title)].join(' ').replaceAll(applicant ?? /(?!)/g, ' ')),
    code: applications.code,
    status: matter.StatusName,
    steps: steps.map((s) => s.action).join('; '),
    body: matter.BodyName,
    notes,
  };
  const status = rules.status(fields);
  const passed = parseDay(matter.PassedDate);
  const meetingDate = passed ?? steps.at(-1)?.date ?? null;
  const references: MeetingDocumentReference[] = [...documents.meetingsOf(matter.File), ...resolutions.map((r) => r.reference)];
  const dates = distinctValues(steps.map((s) => s.date));
  const text = [matter.Title, ...texts].join('\n\n');
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: parseText(matter.Name, 2000),
    displayName: parseText(matter.Name, 2000),
    meetingDate,
    firstMeetingDate: dates[0] ?? null,
    appearanceCount: dates.length,
    address: addressOf(matter.Title),
    ...place,
    ...useFields(rules.landUses(fields)),
    status,
    summary: parseText(matter.Title),
    statusSummary: last
      ? `${last.action.trim().replace(/\.$/, '')} (${last.body}) on ${last.date}.`.slice(0, 5000)
      : `${matter.StatusName}.`,
    sourceDocumentUrl: chooseAttachment(matter),
    meetingDocumentId: references.at(-1)?.meetingDocumentId ?? null,
    meetingDocuments: references,
    parcelNumbers: distinctValues(parcelsOf(matter.Title)),
    ...actionFields(rules, fields),
    constructionType: rules.constructionType(fields),
    decisionBody: last?.decisionBody ?? rules.decisionBody({ body: matter.BodyName }),
    decisionType: last?.decisionType ?? null,
    ...zoningOf(words),
    totalUnitCount: findUnits(matter.Title),
    acreage: findAcres(matter.Title),
    buildingStories: findStories(matter.Title),
    parties: applicant ? [{ role: 'applicant', name: applicant } satisfies Party] : [],
    decisions: decisionsOf(steps),
    statusHistory: historyOf(steps),
    rawText: parseText(text, TEXT_CHARACTERS_MAX),
    originalRawText: text.slice(0, TEXT_CHARACTERS_MAX),
    originalRawTextTruncated: text.length > TEXT_CHARACTERS_MAX,
    caseNumbers: distinctValues([matter.File, ...applications.numbers]),
  };
  return [project, borough ? unresolved : ['no_single_borough']];
}

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'NY');
  const documents = new Documents((body) => rules.decisionBody({ body }));
  yield* documents.meetings(folder, MEETINGS);
  yield* documents.resolutions(folder, RESOLUTIONS);
  for await (const matter of readJsonLines<Matter>(folder, CASES)) {
    yield recordOf(matter.File, [matter], toDraft(matter, documents, locator));
  }
}

export const nyCouncil: SourceAdapter = {
  name: 'ny_council',
  title: 'New York City Council',
  files: [CASES, RESOLUTIONS, MEETINGS],
  read,
};
