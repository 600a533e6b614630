/**
 * Turns a folder of documents into a generation file and its report. Documents are read one by one, and their lines written at once; what they say
 * of cases waits in a file until all are read, since a case of one meeting may be that of another. The same documents give the same bytes.
 */
import { createHash } from 'node:crypto';
import { access, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Places } from '../../../src/core/domain/places.ts';
import type { DocumentQuote } from '../../../src/core/domain/record/quotes.ts';
import { GOVERNMENT_DECISIONS } from '../../../src/core/domain/vocabulary.ts';
import { normalizeWords } from '../../../src/core/domain/words.ts';
import type { Geocoder } from '../../../src/core/providers/geocoder.ts';
import type { LanguageModel } from '../../../src/core/providers/languageModel.ts';
import { UserError } from '../../../src/terminal/program.ts';
import { dropAbsent, LineFile } from '../../sources/generation.ts';
import { documentId, NumberRegister, projectId } from '../../sources/ids.ts';
import { useFields } from '../../sources/rules.ts';
import type { ProjectDraft } from '../../sources/types.ts';
import type { Doubt } from '../types.ts';
import { type BodyFile, type DocumentBody, findBodyToken, listBodyFiles, namesBody, readBodies } from './bodies.ts';
import { nameCase, toCaseHearing } from './caseHearing.ts';
import { deriveUse } from './districtUse.ts';
import { type Extractor, isLeftover, KeptValues, readMeetings } from './extractedFiles.ts';
import { HearingFile, type StoredHearing } from './hearingFile.ts';
import { type CaseKey, type JoinedCase, type JoinReason, joinCases, makeOwnId, makePlaceKey, readCaseKey } from './joinCases.ts';
import { keepLoadable } from './loadable.ts';
import { mergeHearings } from './mergeHearings.ts';
import { ModelFields } from './modelFields.ts';
import { PointFinder } from './points.ts';
import { PreviousGeneration } from './previousGeneration.ts';
import type { CaseHearing, ExtractedMeeting, ExtractReport, PointCounts } from './types.ts';

export const SOURCE = 'extract';

export interface ExtractionOptions {
  folder: string;
  bodies: string;
  out: string;
  generation: number;
  mode: 'full' | 'increment';
  /** files of the generation whose ids are kept: the full one, and its increments in their order */
  previous?: readonly string[];
  /** ISO instant of the header; by default that of the newest file of the folder */
  extractedAt?: string;
  places: Places;
  extractor: Extractor;
  /** makes points of addresses; absent means none */
  geocoder?: { url: string; geocoder: Geocoder };
  /** fills fields that the rules leave open; absent means none */
  model?: { url: string; model: LanguageModel };
  onProgress?: (files: number, total: number) => void;
  /** ends the run, which leaves no generation; its reason is thrown */
  signal?: AbortSignal;
}

export interface Extraction {
  file: string;
  report: string;
  generation: number;
  mode: 'full' | 'increment';
  extractedAt: string;
  /** files of the folder */
  files: number;
  /** files that were not read again, since nothing about them has changed */
  kept: number;
  unread: number;
  records: number;
  documents: number;
  doubts: number;
  /** how often each reason joined cases of several meetings */
  joined: Partial<Record<JoinReason, number>>;
  /** null without a geocoder */
  points: PointCounts | null;
}

const REPORT = 'extract-report.json';
const KEPT = 'extract-kept';

/** Of a file that is gone, may not be read, or whose name is not UTF-8. */
const CANNOT_OPEN: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENOENT', 'EIO']);

const KIND_ORDER = ['notice', 'agenda', 'packet', 'other', 'minutes'];

interface WaitingHearing extends CaseKey {
  stored: StoredHearing;
  body: string;
  owner: DocumentBody;
  file: string;
  name: string | null;
  order: number;
}

class ExtractionRun {
  readonly #options: ExtractionOptions;
  readonly #previous: PreviousGeneration | null;
  readonly #lines: LineFile;
  readonly #hearings: HearingFile;
  readonly #points: PointFinder | null;
  readonly #model: ModelFields | null;
  readonly #signal: AbortSignal;
  readonly #register = new NumberRegister();
  readonly #waiting: WaitingHearing[] = [];
  readonly #report: ExtractReport = { documents: [], fields: {}, doubts: [] };
  readonly #summary: Extraction;

  constructor(
    options: ExtractionOptions,
    { extractedAt, files, previous }: { extractedAt: string; files: number; previous: PreviousGeneration | null },
  ) {
    const { out, generation, mode } = options;
    this.#options = options;
    this.#previous = previous;
    this.#lines = new LineFile(out, `${out}.${process.pid}.part`);
    this.#hearings = new HearingFile(`${out}.${process.pid}.hearings`);
    const { model, signal = new AbortController().signal } = options;
    this.#signal = signal;
    this.#model = model
      ? new ModelFields(model.model, this.#openKept('model', ModelFields.version({ url: model.url, name: model.model.name })), signal)
      : null;
    this.#points = options.geocoder
      ? new PointFinder(options.geocoder.geocoder, this.#openKept('points', options.geocoder.url), options.places, signal)
      : null;
    const report = path.join(path.dirname(out), REPORT);
    const counts = { files, kept: 0, unread: 0, records: 0, documents: 0, doubts: 0, joined: {}, points: null };
    this.#summary = { file: out, report, generation, mode, extractedAt, ...counts };
  }

  /** What was read or asked before, beside the generation. @param version what makes it outdated */
  #openKept(name: string, version: string): KeptValues {
    const digest = createHash('sha256').update(version).digest('hex').slice(0, 16);
    return new KeptValues(path.join(path.dirname(this.#options.out), KEPT, name), digest);
  }

  async write(files: readonly BodyFile[]): Promise<Extraction> {
    const { generation, mode, onProgress, extractor } = this.#options;
    const { extractedAt, report } = this.#summary;
    const part = `${report}.${process.pid}.part`;
    try {
      await this.#lines.write({ kind: 'generation', generation, mode, extractedAt });
      const kept = this.#openKept('readings', extractor.digest);
      for (const [i, file] of files.entries()) {
        this.#signal.throwIfAborted();
        await this.#readFile(file, kept);
        onProgress?.(i + 1, files.length);
      }
      kept.removeOutdated();
      await this.#writeProjects();
      this.#summary.doubts = this.#report.doubts.length;
      if (this.#model) this.#report.model = this.#model.counts;
      if (this.#points) {
        this.#report.points = this.#points.counts;
        this.#summary.points = this.#points.counts;
      }
      await writeFile(part, `${JSON.stringify(this.#report, null, 1)}\n`);
      await rename(part, report);
      await this.#lines.finish();
    } catch (error) {
      await Promise.all([this.#lines.abandon(), rm(part, { force: true })]);
      throw error;
    } finally {
      this.#hearings.close();
    }
    return this.#summary;
  }

  async #readFile({ file, body, isLink }: BodyFile, kept: KeptValues): Promise<void> {
    if (!body) {
      this.#noteUnread({ file, body: null }, isLink ? 'link' : 'named_by_no_body');
      return;
    }
    const { folder, extractor } = this.#options;
    const read = await readMeetings(extractor, kept, { file: path.join(folder, file), name: file, entry: body.entry }).catch((error) => {
      if (!CANNOT_OPEN.has(error.code) || error.path !== path.join(folder, file)) throw error;
      return null;
    });
    if (!read) {
      this.#noteUnread({ file, body: body.entry.body }, 'cannot_be_opened');
      return;
    }
    if (read.isKept) this.#summary.kept += 1;
    for (const [i, meeting] of read.meetings.entries()) await this.#addMeeting((await this.#model?.complete(meeting)) ?? meeting, body, i);
  }

  #noteUnread(
    {
      file,
      body,
      date = null,
      kind = 'other',
    }: { file: string; body: string | null; date?: string | null; kind?: ExtractedMeeting['extracted']['kind'] },
    reason: string,
  ): void {
    this.#summary.unread += 1;
    this.#report.documents.push({ file, kind, body, date, cases: 0, unread: reason });
  }

  /** @param part which meeting of its file it is */
  async #addMeeting(meeting: ExtractedMeeting, body: DocumentBody, part: number): Promise<void> {
    const { document, extracted } = meeting;
    const { kind, cases, doubts } = extracted;
    const { file, stated, text } = document;
    const date = extracted.meetingDate?.value ?? stated.date;
    const unread = document.unread ?? findWrongBody(meeting, body);
    if (unread !== null) {
      this.#noteUnread({ file, body: body.entry.body, date, kind }, unread);
      return;
    }
    this.#report.documents.push({ file, kind, body: body.entry.body, date, cases: cases.length, unread: null });
    for (const { field, reasons } of [...doubts, ...doubtPlace(meeting, body)])
      this.#report.doubts.push({ file, case: null, field, reasons });
    // What is no document of a meeting is not loaded as one.
    if (kind === 'other' && !cases.length) return;
    const ownId = `${makePlaceKey(body.place)}|${body.decisionBody}|${file}${part ? `#${part + 1}` : ''}`;
    const id = this.#register.take(documentId(SOURCE, ownId), SOURCE, ownId);
    const title = stated.title ?? `${body.entry.body}${date ? `, ${date}` : ''}`;
    const { state, county, city } = body.place;
    const line = { state, county, city, decisionBody: body.decisionBody, meetingDate: date, title, url: stated.url, text };
    const note = (field: string, reasons: string[]) => this.#report.doubts.push({ file, case: null, field, reasons });
    await this.#lines.write(keepLoadable({ kind: 'document', id, ...dropAbsent(line) }, note));
    this.#summary.documents += 1;
    for (const one of cases) {
      const name = nameCase(one);
      for (const { field, reasons } of one.doubts) this.#report.doubts.push({ file, case: name, field, reasons });
      const hearing = toCaseHearing(meeting, one, body, id);
      const key = readCaseKey(hearing.statement, body.place, this.#waiting.length);
      const order = KIND_ORDER.indexOf(kind);
      this.#waiting.push({ ...key, stored: this.#hearings.add(hearing), owner: body, file, name, order });
    }
  }

  async #writeProjects(): Promise<void> {
    const previous = this.#previous;
    const inOrder = [...this.#waiting]
      .sort((a, b) => compare(a.date ?? '', b.date ?? '') || a.order - b.order || a.at - b.at)
      .map((one, at) => ({ ...one, at }));
    const joined = joinCases(inOrder);
    const known = joined.map((one) => previous?.find(one) ?? []);
    const taken = new Set<number>();
    const numbered = joined.map((one, i) => ({ one, ...this.#number(one, known[i] as number[], taken) }));
    // An increment replaces a record as a whole, so that it states again what was stated before.
    const isIncrement = this.#options.mode === 'increment';
    const before = isIncrement ? await previous?.readHearings(new Set(numbered.map(({ id }) => id))) : undefined;
    for (const { one, id, others } of numbered) await this.#writeProject(one, { id, others, before: before?.get(id), all: inOrder });
  }

  /** The id of a project: that of the generation before, else one that follows from its own id. */
  #number(one: JoinedCase, known: readonly number[], taken: Set<number>): { id: number; others: number[] } {
    const [first, ...others] = known.filter((id) => !taken.has(id));
    const ownId = makeOwnId(one);
    let id = first ?? projectId(SOURCE, ownId);
    for (let copy = 2; taken.has(id); copy++) id = projectId(SOURCE, `${ownId}|${copy}`);
    for (const each of [id, ...others]) taken.add(each);
    return { id, others };
  }

  /** Gives a case whose words name no use that of its dwellings or its district; a change of the code alone is a decision of government. */
  #completeUse(statement: ProjectDraft, quotes: DocumentQuote[], { file, name }: WaitingHearing): void {
    if (statement.requestType === 'zoning_text_amendment') {
      statement.propertyType = GOVERNMENT_DECISIONS;
      return;
    }
    const derived = deriveUse(statement);
    if (!derived) return;
    Object.assign(statement, useFields([derived.use]));
    quotes.push(...quotes.filter(({ field }) => field === derived.from).map((one) => ({ ...one, field: 'landUses' as const })));
    this.#report.doubts.push({ file, case: name, field: 'landUses', reasons: [`read from ${derived.from}`] });
  }

  async #writeProject(
    { members, joins }: JoinedCase<WaitingHearing>,
    { id, others, before, all }: { id: number; others: number[]; before: CaseHearing | undefined; all: readonly WaitingHearing[] },
  ): Promise<void> {
    this.#signal.throwIfAborted();
    const hearings = members.map(({ stored }) => this.#hearings.read(stored));
    const { statement, quotes } = mergeHearings(before ? [before, ...hearings] : hearings);
    const last = members.at(-1) as WaitingHearing;
    for (const { reason, at, with: earlier } of joins) {
      this.#summary.joined[reason] = (this.#summary.joined[reason] ?? 0) + 1;
      const [one, other] = [all[at], all[earlier]] as [WaitingHearing, WaitingHearing];
      if (reason !== 'same_case_number')
        this.#report.doubts.push({
          file: one.file,
          case: one.name,
          field: 'caseNumbers',
          reasons: [`joined with ${other.file}: ${reason}`],
        });
    }
    if (!statement.landUses?.length) this.#completeUse(statement, quotes, last);
    if (!statement.landUses?.length && !statement.propertyType) {
      // Every served record has a Building Type, so that the loader refuses a new one without.
      for (const { file, name } of members)
        this.#report.doubts.push({ file, case: name, field: 'landUses', reasons: ['unread: no document states a use'] });
      return;
    }
    const isPlaced = typeof statement.latitude === 'number';
    const point = statement.address && !isPlaced ? await this.#points?.find(statement.address, last.owner.place) : null;
    const stated = { ...statement, ...last.owner.place, ...point, mergedFrom: others.length ? [id, ...others] : null };
    const kept = keepLoadable({ kind: 'project', id, ...dropAbsent(stated) }, (field, reasons) =>
      this.#report.doubts.push({ file: last.file, case: last.name, field, reasons }),
    );
    const { kind, id: _, ...line } = dropAbsent({ ...kept, evidence: quotes.filter(({ field }) => field in kept) });
    for (const field of Object.keys(line)) this.#report.fields[field] = (this.#report.fields[field] ?? 0) + 1;
    await this.#lines.write({ kind, id, ...line });
    this.#summary.records += 1;
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Characters in which a document names its body. */
const HEAD_CHARACTERS = 3000;

/** Why a document is not of its body: it names another one, and its own nowhere in its head. */
function findWrongBody({ document, extracted }: ExtractedMeeting, { entry, decisionBody }: DocumentBody): string | null {
  const named = extracted.body?.value;
  const token = named ? findBodyToken(named) : 'other_body';
  if (token === 'other_body' || decisionBody === 'other_body' || token === decisionBody) return null;
  const head = document.text.slice(0, HEAD_CHARACTERS).replaceAll(/\s+/g, ' ').toLowerCase();
  return head.includes(entry.body.toLowerCase()) || namesBody(head, decisionBody) ? null : `of_another_body: ${named}`;
}

/** Whether a document with cases names its place nowhere: it may be of another one. Answers of an API seldom name theirs. */
function doubtPlace({ document, extracted }: ExtractedMeeting, { place: { city, county } }: DocumentBody): Doubt[] {
  const name = city ?? county?.replace(/ (?:County|Parish)$/, '');
  const isOfApi = ['legistar', 'primegov', 'civicclerk'].includes(document.format);
  if (!name || isOfApi || !extracted.cases.length || normalizeWords(document.text).includes(normalizeWords(name))) return [];
  return [{ field: city ? 'city' : 'county', reasons: [`names ${name} nowhere`] }];
}

/** The time of the newest file: of the same documents the same, whenever they are read. */
async function findNewestTime(folder: string, files: readonly BodyFile[]): Promise<string> {
  let newest = 0;
  for (const { file, body } of files) {
    const found = body && (await stat(path.join(folder, file)).catch(() => null));
    if (found) newest = Math.max(newest, found.mtimeMs);
  }
  return new Date(Math.floor(newest / 1000) * 1000).toISOString();
}

/** Removes what killed runs left of the generation and its report. */
async function removeLeftovers(out: string): Promise<void> {
  const folder = path.dirname(path.resolve(out));
  for (const name of await readdir(folder))
    if ([path.basename(out), REPORT].some((own) => name.startsWith(`${own}.`)) && isLeftover(name))
      await rm(path.join(folder, name), { force: true });
}

/** @throws UserError for what the caller can mend: folder, bodies, places, `previous`, and a generation file that is there already */
export async function writeExtraction(options: ExtractionOptions): Promise<Extraction> {
  const { folder, bodies, out, places, mode, generation, previous: before = [] } = options;
  const isThere = await access(out).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UserError(`The file '${out}' exists already; name another one, or move it away.`);
  await access(path.dirname(path.resolve(out))).catch(() => {
    throw new UserError(`The folder of '${out}' does not exist.`);
  });
  await removeLeftovers(out);
  if (mode === 'increment' && !before.length)
    throw new UserError(
      `An increment replaces records as a whole: name the full file of generation ${generation} with --previous, and each increment of it since with another --previous.`,
    );
  const own = [out, bodies, ...before, path.join(path.dirname(out), REPORT), path.join(path.dirname(out), KEPT)];
  const owners = await readBodies(bodies, places);
  const files = await listBodyFiles(folder, owners, own);
  const changed = mode === 'increment' ? { generation, folder: path.dirname(out) } : undefined;
  const previous = before.length
    ? await PreviousGeneration.read(before, new Set(owners.map(({ place }) => makePlaceKey(place))), changed)
    : null;
  const extractedAt = options.extractedAt ?? (await findNewestTime(folder, files));
  return new ExtractionRun(options, { extractedAt, files: files.length, previous }).write(files);
}
