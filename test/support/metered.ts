/** A metered request through the code of all requests, in this process or in one that a test kills. */
import { ApiError } from '../../src/core/domain/errors.ts';
import { Places } from '../../src/core/domain/places.ts';
import { PLANS } from '../../src/core/domain/plans.ts';
import { HoldingStore } from '../../src/core/ledger/holdings.ts';
import { IdempotencyStore } from '../../src/core/ledger/idempotencyStore.ts';
import { Ledger } from '../../src/core/ledger/ledger.ts';
import { Suppressions } from '../../src/core/people/suppressions.ts';
import { UnlockStore } from '../../src/core/people/unlocks.ts';
import type { Actor } from '../../src/core/search/actor.ts';
import { searchProjects } from '../../src/core/search/searchProjects.ts';
import { parseSearch } from '../../src/core/search/searchRequest.ts';
import { environmentOf, type ProjectServices } from '../../src/core/search/services.ts';
import { makeElastic } from '../../src/core/store/elastic/client.ts';
import { MeetingDocumentStore } from '../../src/core/store/elastic/documents.ts';
import { IndexNames } from '../../src/core/store/elastic/indices.ts';
import { ProjectStore } from '../../src/core/store/elastic/projects.ts';
import { Database } from '../../src/core/store/postgres/pool.ts';
import { type DocumentServices, readDocument } from '../../src/features/documents/read.ts';

export interface Servers {
  databaseUrl: string;
  schema: string;
  elasticsearchUrl: string;
  indexPrefix: string;
  /** clock of the process, ISO 8601 */
  now: string;
}

export interface MeteredRequest {
  teamId: number;
  monthlyCredits: number;
  idempotencyKey?: string | undefined;
  projectIds?: number[];
  documentId?: number;
}

export interface Metered {
  /** number of delivered records or documents */
  delivered: number;
  creditsUsed: number;
}

const SEARCH_TIMEOUT_MS = 30_000;
/** Multiplies timeouts, since a busy machine answers late. */
const PATIENCE = 10;

export interface MeteredServices extends ProjectServices, DocumentServices {
  close(): Promise<void>;
}

export function meteredServices({ databaseUrl, schema, elasticsearchUrl, indexPrefix, now }: Servers): MeteredServices {
  const database = new Database({ url: databaseUrl, schema, connections: 4, patience: PATIENCE });
  const elastic = makeElastic({ url: elasticsearchUrl, timeoutMs: SEARCH_TIMEOUT_MS, retries: 0 });
  const names = new IndexNames(indexPrefix);
  return {
    store: new ProjectStore(elastic, names, SEARCH_TIMEOUT_MS),
    documents: new MeetingDocumentStore(elastic, names, SEARCH_TIMEOUT_MS),
    ledger: new Ledger(database),
    holdings: new HoldingStore(database),
    idempotency: new IdempotencyStore(database),
    suppressions: new Suppressions(database, 'a pepper of more than 32 characters, for tests'),
    unlocks: new UnlockStore(database),
    places: new Places([], [], []), // requests by id name none
    publicUrl: 'http://landuse.test',
    now: () => new Date(now),
    close: async () => {
      await Promise.all([elastic.close(), database.close()]);
    },
  };
}

/** Makes the request. @throws ApiError */
export async function metered(services: MeteredServices, request: MeteredRequest): Promise<Metered> {
  const { teamId, monthlyCredits, idempotencyKey, projectIds = [], documentId } = request;
  const actor: Actor = {
    principal: {
      keyId: '00000000-0000-4000-8000-000000000000',
      teamId,
      userId: 1,
      role: 'owner',
      plan: PLANS.api_only,
      monthlyCredits,
      licence: { nationwide: true },
      rotatingUntil: null,
    },
    cause: {
      kind: 'request',
      requestId: 'metered',
      route: documentId === undefined ? 'GET /projects/search' : 'GET /documents/{id}',
      idempotencyKey,
    },
  };
  if (documentId !== undefined) {
    const { meta } = await readDocument(services, actor, documentId);
    return { delivered: 1, creditsUsed: meta.creditsUsed as number };
  }
  const sent = new Map([['projectIds', projectIds.map(String)]]);
  const { data, meta } = await searchProjects(services, actor, parseSearch(sent, actor.principal, environmentOf(services)));
  return { delivered: data.length, creditsUsed: meta.creditsUsed as number };
}

/** In a child process: sends 'ready', receives a request as a message, and sends its outcome. */
if (process.send && process.argv[2] === 'metered-child') {
  process.once('message', async ({ servers, request }: { servers: Servers; request: MeteredRequest }) => {
    const services = meteredServices(servers);
    const answer = await metered(services, request).catch((error) => ({ error: error instanceof ApiError ? error.code : String(error) }));
    process.send?.(answer);
  });
  process.send('ready');
}
