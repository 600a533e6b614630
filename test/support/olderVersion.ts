/**
 * An index and a revision as the version before made them, frozen: a revision was a hash of the whole statement, and what earlier loads
 * stated was kept flat. It shares no code with the product.
 */
import { createHash } from 'node:crypto';
import type { estypes } from '@elastic/elasticsearch';
import type { TestIndex } from './index.ts';

type Content = Record<string, unknown>;

function canonicalText(value: unknown, except?: string): string {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (value === null || typeof value !== 'object') return `=${value}`;
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item)).join()}]`;
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    const entry = (value as Content)[key];
    if (entry !== null && entry !== undefined && key !== except) text += `${key}=${canonicalText(entry)},`;
  }
  return `${text}}`;
}

/** The revision of a statement under that scheme. */
export const olderRevisionOf = (statement: object): string =>
  createHash('sha256').update(canonicalText(statement, 'meetingDate')).digest('hex').slice(0, 32);

interface Stored {
  id: number;
  compact: Content;
  standard: Content;
  full: Content;
  contentRevision: string;
}

/** `revisionHash` of the ledger and of the index. */
const numberOf = (id: number, revision: string) => createHash('sha256').update(`${id}:${revision}`).digest().readBigInt64BE(0).toString();

/**
 * Makes of the served index what the version before would have made of the same statements: its names of contents, its flat past, and a
 * mapping without the newer fields.
 * @param past flat evidence of earlier loads, by id
 */
export async function asOlderVersion(index: TestIndex, past: Readonly<Record<number, object>> = {}): Promise<void> {
  const { client, names } = index;
  const served = names.readAlias('projects');
  const { hits } = await client.search<Stored>({ index: served, size: 1000 });
  const [name] = Object.keys(await client.indices.getAlias({ name: served }));
  if (!name) throw new Error('nothing is served');
  const { [name]: found } = await client.indices.get({ index: name });
  const mappings = found?.mappings as estypes.MappingTypeMapping & { properties: Content };
  for (const field of ['contentHash', 'absorbed']) delete mappings.properties[field];
  const aliases = found?.aliases ?? {};
  await client.indices.delete({ index: name });
  await client.indices.create({ index: name, mappings, aliases, settings: { number_of_shards: 1, auto_expand_replicas: '0-1' } });
  for (const { _id, _source } of hits.hits) {
    const { contentHash: _, absorbed: __, past: ___, earlierRevisions, ...stored } = _source as Stored & Content;
    const earlier = (earlierRevisions as { contentHash?: string }[] | undefined)?.map(({ contentHash: ____, ...entry }) => entry);
    const contentRevision = olderRevisionOf({ ...stored.standard, ...stored.full, ...stored.compact });
    const document = {
      ...stored,
      contentRevision,
      ...(earlier ? { earlierRevisions: earlier } : {}),
      ...(past[stored.id] ? { past: past[stored.id] } : {}),
      derived: {
        memberIds: stored.compact.mergedFrom,
        memberCount: (stored.compact.mergedFrom as number[]).length,
        revisionHash: numberOf(stored.id, contentRevision),
        isGovernmentDecision: false,
        stateId: String(stored.standard.stateId),
        hearings: [{ date: stored.compact.meetingDate, alone: true }],
        meetingDate: stored.compact.meetingDate,
        evidence: { meetingDate: stored.compact.meetingDate },
      },
    };
    await client.index({ index: name, id: _id as string, document });
  }
  await client.indices.refresh({ index: name });
}
