/** Meetings and resolutions of New York City's Council: written as documents, and looked up by the cases they are about. */
import type { MeetingDocumentReference } from '../../src/core/domain/record/statement.ts';
import { documentId } from './ids.ts';
import { readJsonLines } from './readers.ts';
import type { SourceDocument } from './types.ts';
import { distinctValues, parseDay, parseText, parseWebAddress } from './values.ts';

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

export class Documents {
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
      for (const matter of distinctValues(meeting.Items.map((item) => item.MatterFile))) add(this.#meetings, matter, reference);
      const agenda = meeting.Items.flatMap((item) => [[item.MatterFile, item.MatterName].filter(Boolean).join(' '), item.Title ?? '']);
      yield line(ownId, reference, agenda.filter(Boolean).join('\n'));
    }
  }

  async *resolutions(folder: string, file: string): AsyncGenerator<SourceDocument> {
    for await (const resolution of readJsonLines<Resolution>(folder, file)) {
      const ownId = `resolution/${resolution.id}`;
      const title = `${resolution.file}: ${parseText(resolution.title) ?? ''}`.slice(0, 2000);
      const reference = this.#reference(ownId, title, resolution.body, parseDay(resolution.passed) ?? resolution.intro, null);
      const session = sessionOf(Number(resolution.intro.slice(0, 4)));
      for (const number of distinctValues(resolution.lu_no))
        add(this.#resolutions, `${Number(number)}/${session}`, { reference, text: resolution.text });
      yield line(ownId, reference, resolution.text);
    }
  }

  #reference(ownId: string, title: string, body: string, date: string, url: string | null): StatedDocument {
    const meetingDocumentId = documentId('ny_council', ownId);
    return { meetingDocumentId, title, decisionBody: this.#bodyToken(body), meetingDate: parseDay(date), url: parseWebAddress(url) };
  }
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function line(ownId: string, { meetingDocumentId: _, ...reference }: StatedDocument, content: string): SourceDocument {
  return { kind: 'document', ownId, rows: 1, document: { state: 'NY', county: null, city: null, ...reference, text: content } };
}
