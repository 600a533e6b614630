/** Turns the lines of a file into writes, batch by batch: parses them, compares them with the existing versions, and writes what differs. */

import { collectProblems } from '../read/lineProblems.ts';
import { resolvePlace } from '../read/normalise.ts';
import type { LineSource } from '../read/openLines.ts';
import type { ContactLine, DocumentLine } from '../read/parseLine.ts';
import type { Found, StoredVersion } from '../read/versions.ts';
import type { Write } from './bulkWrite.ts';
import type { KnownLine } from './knownLines.ts';
import { readLineBatches, rejectLine, type StatedLine, workAhead } from './lineBatches.ts';
import type { Load } from './loadContext.ts';
import { type PreviousVersions, readPreviousVersions } from './previousVersions.ts';
import { makeProjectWrites, type StatedProject, toProjectStatement } from './projectWrites.ts';
import { isRestated } from './restated.ts';
import { createVersion, hideVersion } from './versionWrites.ts';

/** Yields the writes for the file's lines. Bad lines go to the rejects; once the file is refused, nothing more is written. */
export async function* makeStatementWrites(load: Load, lines: LineSource): AsyncGenerator<Write> {
  const { rejects, stated } = load.source;
  const batches = workAhead(readLineBatches(load, lines.lines), async (batch) => ({
    ...batch,
    previous: await readPreviousVersions(load, batch.stated),
  }));
  for await (const batch of batches) {
    for (const line of batch.kept) countKept(load, line);
    for (const line of batch.stated) {
      let writes: Write[] = [];
      const problems = collectProblems(() => {
        writes = [...makeLineWrites(load, line, batch.previous)];
      });
      const all = [...(line.bad?.problems ?? []), ...problems];
      if (all.length) await rejectLine(load.source, line, all, line.text);
      else {
        stated.add(line.line.kind, line.key);
        if (!rejects.refusesFile) yield* writes;
      }
    }
    const { projects, documents, contacts } = load.counts;
    load.onProgress?.({ bytesRead: lines.bytesRead(), totalBytes: lines.totalBytes, records: projects + documents + contacts });
  }
}

function countKept({ source, counts }: Load, { kind, key }: KnownLine): void {
  source.stated.add(kind, key);
  counts[`${kind}s`] += 1;
  if (kind === 'project') counts.unchanged += 1;
}

const isProject = (stated: StatedLine): stated is StatedProject => stated.line.kind === 'project';

/** The writes of a line. A bad line writes nothing, but its usable fields are checked. @throws UnusableStatement */
function* makeLineWrites(load: Load, stated: StatedLine, previous: PreviousVersions): Generator<Write> {
  const { line, key, bad } = stated;
  if (isProject(stated)) {
    if (bad) toProjectStatement(load, stated, previous);
    else yield* makeProjectWrites(load, stated, previous);
  } else if (line.kind === 'document') {
    if (bad) resolvePlace(load.places, line);
    else {
      load.source.quoted.refuseLate(line);
      for (const collector of load.source.collectors) collector.addDocument(line);
      yield* makeFlatWrites(load, 'documents', stated, pickDocumentFields(load, line), previous.documents.get(key));
    }
  } else if (line.kind === 'contact' && !bad)
    yield* makeFlatWrites(load, 'contacts', stated, pickContactFields(line), previous.contacts.get(key));
}

function* makeFlatWrites(
  { base, target, counts }: Load,
  kind: 'documents' | 'contacts',
  { key, hash }: StatedLine,
  fields: Record<string, unknown>,
  previous: Found<StoredVersion> | undefined,
): Generator<Write> {
  const version = { key, loadedIn: target.number, ...(hash === undefined ? {} : { lineHash: hash }), ...fields };
  counts[kind] += 1;
  if (previous && base.keepsRestated && isRestated(version, previous.version)) return;
  yield createVersion(target, kind, version);
  if (previous) yield hideVersion(target, kind, previous);
}

export function pickDocumentFields({ places }: Pick<Load, 'places'>, { kind: _, ...content }: DocumentLine): Record<string, unknown> {
  const place = resolvePlace(places, content);
  return {
    id: content.id,
    ...(place.stateId ? { stateId: String(place.stateId) } : {}),
    ...(place.countyId ? { countyId: String(place.countyId) } : {}),
    content: { ...content, state: place.state, county: place.county, city: place.city },
  };
}

export const pickContactFields = ({ kind: _, ...content }: ContactLine): Record<string, unknown> => ({
  projectId: content.projectId,
  content,
});
