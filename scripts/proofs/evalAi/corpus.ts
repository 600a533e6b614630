/** The corpora of the evaluation: the made-up sample with planted records, and the public data sets where they are at hand. */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { writeGeneration } from '../../../ingest/sources/generation.ts';
import type { Places } from '../../../src/core/domain/places.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
import {
  assetClasses,
  constructionTypes,
  decisionBodies,
  propertySubtypes,
  propertyTypes,
  requestTypes,
  statuses,
} from '../../../src/core/domain/vocabulary.ts';
import type { RecordTexts, SourceText } from '../../../src/features/aiSearch/question/index.ts';
import { root } from '../../lib/sandbox.ts';
import { sampleLines } from '../../sample/generate.ts';
import planted from './planted.json' with { type: 'json' };

export type CorpusName = 'sample' | 'real';

/** The sample of the labels: another seed, size or day has other records. */
const SAMPLE = { seed: 2026, projects: 1000, today: '2026-11-20' };
export const TODAY = SAMPLE.today;
/** Building permits are left out: most are small trades. */
const REAL_SETS = ['ny_council', 'fl_agendas', 'nc_mecklenburg', 'va_counties', 'ma_massbuilds', 'ca_bayarea'];
export const REAL_FOLDER = path.resolve(process.env.REAL_DATA ?? path.join(root, '../shared/data'));

export interface EvaluatedRecord {
  statement: ProjectStatement;
  candidate: RecordTexts;
}

interface DocumentLine {
  id: number;
  text?: string | null;
}
type Line = { kind: string };

function recordsOf(lines: Iterable<Line>): EvaluatedRecord[] {
  const documents = new Map<number, DocumentLine>();
  const projects: ProjectStatement[] = [];
  for (const line of lines) {
    if (line.kind === 'document') documents.set((line as unknown as DocumentLine).id, line as unknown as DocumentLine);
    if (line.kind === 'project') projects.push(line as unknown as ProjectStatement);
  }
  return projects.map((statement) => ({ statement, candidate: candidateOf(statement, documents) }));
}

/** The made-up sample with planted records, as lines of a generation file. @param projects other than for the labels: another sample, to measure time */
export function* corpusLines(places: Places, projects?: number): Generator<Line> {
  yield* sampleLines({ ...SAMPLE, ...(projects ? { projects } : {}), texts: projects ? 'short' : 'long', places, generation: 1 });
  if (!projects) yield* planted;
}

/** Writes the public data sets as a generation file. @returns its path */
export async function writeReal(folder: string): Promise<string> {
  const { file } = await writeGeneration({ from: REAL_FOLDER, to: folder, generation: 1, only: REAL_SETS, onProgress: () => {} });
  return file;
}

async function realRecords(): Promise<EvaluatedRecord[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'eval-ai-'));
  try {
    const file = await writeReal(folder);
    const lines: Line[] = [];
    for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) }))
      if (line) lines.push(JSON.parse(line));
    return recordsOf(lines);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The records of a corpus. */
export const loadCorpus = async (name: CorpusName, places: Places): Promise<EvaluatedRecord[]> =>
  name === 'sample' ? recordsOf(corpusLines(places)) : realRecords();

const LABELS = {
  status: statuses,
  propertyType: propertyTypes,
  propertySubtype: propertySubtypes,
  assetClass: assetClasses,
  requestType: requestTypes,
  constructionType: constructionTypes,
  decisionBody: decisionBodies,
} as const;

/** What the service takes of a record: its own texts, its fields and its documents. */
function candidateOf(statement: ProjectStatement, documents: ReadonlyMap<number, DocumentLine>): RecordTexts {
  const texts: SourceText[] = [];
  const add = (source: SourceText['source'], text: unknown, field?: string, documentId: string | null = null) => {
    if (typeof text === 'string' && text) texts.push({ source, text, documentId, ...(field ? { field } : {}) });
  };
  const { summary, statusSummary, rawText, originalRawText } = statement;
  add('summary', summary);
  add('summary', statusSummary);
  if (rawText !== summary) add('rawText', rawText);
  if (originalRawText !== rawText) add('rawText', originalRawText);
  for (const field of ['projectName', 'displayName', 'address', 'existingZoning', 'proposedZoning', 'staffRecommendation'] as const)
    if (field !== 'displayName' || statement.displayName !== statement.projectName) add('field', statement[field], field);
  for (const [field, vocabulary] of Object.entries(LABELS))
    add('field', vocabulary.label(statement[field as keyof typeof LABELS]), `${field}Label`);
  for (const condition of statement.conditionsOfApproval ?? []) add('field', condition, 'conditionsOfApproval');
  for (const { name } of statement.parties ?? []) add('field', name, 'parties');
  const names = [...(statement.caseNumbers ?? []), statement.projectName, statement.displayName, statement.address].filter(
    (name) => typeof name === 'string',
  );
  for (const { meetingDocumentId } of statement.meetingDocuments ?? []) {
    const text = documents.get(meetingDocumentId)?.text;
    add('document', text, undefined, String(meetingDocumentId));
  }
  return { projectId: String(statement.id), names, texts };
}
