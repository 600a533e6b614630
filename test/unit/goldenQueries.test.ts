/**
 * What Elasticsearch is asked for the parameters of a request, whole, as files in `golden`. A difference is one in what clients find, in what
 * order, or at what price: look at it, then write the files again with `GOLDEN=write npm test -- test/unit/goldenQueries.test.ts`.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PLANS, type PlanId } from '../../src/core/domain/plans.ts';
import { type Principal, scopeOf } from '../../src/core/domain/principal.ts';
import { Longs } from '../../src/core/query/longs.ts';
import type { Actor } from '../../src/core/search/actor.ts';
import { searchProjects } from '../../src/core/search/searchProjects.ts';
import { parseSearch } from '../../src/core/search/searchRequest.ts';
import { environmentOf } from '../../src/core/search/services.ts';
import { ChangeFeed } from '../../src/core/store/elastic/changeFeed.ts';
import { MeetingDocumentStore } from '../../src/core/store/elastic/documents.ts';
import { IndexNames } from '../../src/core/store/elastic/indices.ts';
import { ProjectStore } from '../../src/core/store/elastic/projects.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { type CountServices, countProjects } from '../../src/features/projects/count.ts';
import { parseCount } from '../../src/features/projects/countRequest.ts';
import { bindingOf, type WalkPosition, writeCursor } from '../../src/features/sync/cursor.ts';
import { ReadAhead } from '../../src/features/sync/readAhead.ts';
import { parseSync } from '../../src/features/sync/request.ts';
import { syncProjects } from '../../src/features/sync/syncProjects.ts';
import type { SyncServices } from '../../src/features/sync/walk.ts';
import { readQuery } from '../../src/http/queryString.ts';
import { NO_PEOPLE } from '../support/noPeople.ts';
import { type SearchRecorder, searchRecorder } from '../support/searchRecorder.ts';

const FOLDER = path.join(import.meta.dirname, 'golden');
const WRITE = process.env.GOLDEN === 'write';
const TODAY = '2026-11-20';
const NOW = new Date(`${TODAY}T19:00:00Z`);
const TIMEOUT_MS = 10_000;
const SECRET = 'a secret of the tests';

interface Golden {
  /** as a client sends it, or the id of a document */
  request: string;
  plan?: PlanId;
  licence?: Principal['licence'];
  /** day on which the walk's cursor was made; without it the walk begins */
  walkedOn?: string;
}

const LICENCE = { nationwide: false, stateIds: [8], countyIds: [48_113] } as const;
const BOULDER = '{"north":40.1,"south":39.9,"east":-105.1,"west":-105.4}';
const RING = '[[-105.4,39.9],[-105.1,39.9],[-105.1,40.1],[-105.4,40.1],[-105.4,39.9]]';

const GOLDEN: Record<string, Golden> = {
  'search-without-parameters': { request: 'GET /projects/search' },
  'search-states': { request: 'GET /projects/search?states=CO,Texas&dateRange=all' },
  'search-narrowest-places': { request: 'GET /projects/search?state=CO&county=Boulder County&city=5574991&dateRange=last_3_months' },
  'search-within-a-licence': { request: 'GET /projects/search?states=CO', licence: LICENCE },
  'search-box': { request: `GET /projects/search?bbox=${BOULDER}` },
  'search-circle': { request: 'GET /projects/search?circle={"lat":40.015,"lng":-105.27,"radiusMeters":5000}' },
  'search-polygon': { request: `GET /projects/search?polygon=${RING}` },
  'search-uses-rolled-up': {
    request:
      'GET /projects/search?propertyTypes=industrial&assetClasses=hyperscale_data_center,Distribution Center&taxonomyMatchMode=primary_only',
  },
  'search-uses-excluded': {
    request:
      'GET /projects/search?propertySubtypes=Residential - Multifamily&excludeAssetClass=billboard&excludeSubtypes=signage&taxonomyMatchMode=any',
  },
  'search-government': {
    request: 'GET /projects/search?includeGovernmentDecisions=true&governmentDecisionSubtypes=comprehensive_planning',
  },
  'search-stage': {
    request:
      'GET /projects/search?status=approved,Approved with Conditions&decisionBodies=City Council&requestTypes=rezoning,site_plan&decisionTypes=final_action&requiresZoningChange=true&inFemaFloodZone=outside',
  },
  'search-status-at-a-body': { request: 'GET /projects/search?statusCombos=planning_commission|recommended_approval' },
  'search-construction': {
    request:
      'GET /projects/search?constructionLeadsOnly=true&constructionTypes=new_construction&projectSizes=large&hasConstructionDetails=true',
  },
  'search-sizes': {
    request: 'GET /projects/search?acreageMin=10&acreageMax=250.5&totalUnitCountMin=0&buildingStoriesMax=12&squareFootageMin=100000',
  },
  'search-texts': { request: 'GET /projects/search?q=data center|server farm&projectName=Cedar Fork&developer=Cedar Fork Development' },
  'search-dates': { request: 'GET /projects/search?meetingDateFrom=2026-03&meetingDateTo=2026-06-15&lastUpdatedFrom=2026-11-01T12:00:00Z' },
  'search-course': {
    request:
      'GET /projects/search?caseNumbers=rz-24.017&proposedZonings=pud,I-1 (CD)&staffRecommendations=none&voteResults=Split&voteAgainstMin=1&hearingCountMax=3&daysInProcessMin=30&firstMeetingDateFrom=2025&outcomes=approved,pending,stalled',
  },
  'search-next-meetings': { request: 'GET /projects/search?nextMeetingDateFrom=2026-12&nextMeetingDateTo=2026-12-15' },
  'search-third-page-by-richness': { request: 'GET /projects/search?sort=dataRichness&order=asc&limit=20&page=3&representation=compact' },
  'search-by-id': { request: 'GET /projects/search?projectIds=1001,1002&representation=full' },
  'search-new-deliveries': { request: 'GET /projects/search?states=CO&deliveryMode=new&sort=lastUpdated', plan: 'api_only' },
  'count-free-plan': { request: 'GET /projects/count?states=CO&acreageMin=5' },
  'count-with-what-is-paid': { request: 'GET /projects/count?states=CO&acreageMin=5', plan: 'api_only' },
  'count-new-deliveries': { request: 'GET /projects/count?states=CO&deliveryMode=new', plan: 'api_only' },
  'sync-first-page': { request: 'GET /projects/sync?states=CO&limit=50' },
  'sync-copy-made-elsewhere': { request: 'GET /projects/sync?states=CO&lastUpdatedFrom=2026-11-01T12:00:00Z' },
  'sync-further-page': { request: 'GET /projects/sync?states=CO&dateRange=last_6_months&limit=50', walkedOn: TODAY },
  'sync-new-day': { request: 'GET /projects/sync?states=CO&dateRange=last_6_months&limit=50', walkedOn: '2026-11-19' },
  'sync-outcomes-on-a-new-day': { request: 'GET /projects/sync?outcomes=soft_denial&dateRange=all&limit=50', walkedOn: '2026-11-19' },
  'document-within-a-licence': { request: 'GET /documents/501', licence: LICENCE },
};

const revisions = new Longs();
revisions.add(['1', '-9223372036854775808', '9223372036854775807']);
const records = new Longs();
records.add(['3', '7']);
const names = new IndexNames('golden');
const places = loadPlaces();

/** Operations over a search backend that finds nothing, for a pool that was delivered records 3 and 7. */
function servicesOver({ client }: SearchRecorder) {
  const store = new ProjectStore(client, names, TIMEOUT_MS);
  const changes = new ChangeFeed(client, names, TIMEOUT_MS);
  const nothing = {
    outcome: 'delivered',
    balance: 40,
    cost: 0,
    served: 0,
    affordable: 0,
    knownRevisions: [],
    lastDeliveries: [],
    costs: [],
  };
  const services = {
    ...{ store, changes, ahead: new ReadAhead(changes), places, publicUrl: 'http://landuse.test', now: () => NOW },
    lineage: { continues: async () => true, markOf: async () => null },
    ledger: { deliverPage: async () => nothing, balance: async () => 40, askStanding: () => undefined },
    holdings: {
      readRecords: async () => ({ size: 2, lists: () => [records] }),
      revisions: async () => ({ size: 2, lists: () => [revisions] }),
      guessRevisions: () => undefined,
      revisionsAndBalance: async () => ({ held: { size: 2, lists: () => [revisions] }, balance: 40 }),
      heldAmong: async () => new Set<number>(),
    },
    ...{ ...NO_PEOPLE, cursorSecret: SECRET, tieLimit: 1000 },
  };
  return { services: services as unknown as SyncServices & CountServices, documents: new MeetingDocumentStore(client, names, TIMEOUT_MS) };
}

function actorOf({ request, plan = 'national', licence = { nationwide: true } }: Golden): Actor {
  const principal: Principal = {
    ...{ keyId: '00000000-0000-4000-8000-000000000000', teamId: 3, userId: 5, role: 'member', monthlyCredits: null, rotatingUntil: null },
    ...{ plan: PLANS[plan], licence },
  };
  return { principal, cause: { kind: 'request', requestId: 'req', route: request.split('?')[0] ?? '' } };
}

/** The cursor of a walk after a page. */
function cursorOf(raw: Map<string, string[]>, { principal }: Actor, day: string): string {
  const { meaning, selection } = parseSync(raw, principal, { places, today: TODAY });
  const position: WalkPosition = {
    ...{
      after: [Date.parse('2026-10-01T00:00:00Z'), 7],
      removed: [Date.parse('2026-10-02T00:00:00Z'), 3],
      departed: [Date.parse('2026-10-03T00:00:00Z'), 9],
    },
    ...{ seen: 0, highWater: null, unlisted: false, pageSpanMs: 40, day, rollover: null },
  };
  return writeCursor(position, bindingOf(meaning, selection.scope), SECRET);
}

describe('Elasticsearch is asked', () => {
  let recorder: SearchRecorder;
  before(async () => {
    recorder = await searchRecorder();
    if (!WRITE) return;
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER);
  });
  after(() => recorder.stop());

  async function ask(golden: Golden): Promise<void> {
    const { services, documents } = servicesOver(recorder);
    const actor = actorOf(golden);
    const [route = '', query = ''] = golden.request.split('?');
    const raw = readQuery(query.replaceAll('+', '%2B'));
    if (golden.walkedOn) raw.set('cursor', [cursorOf(raw, actor, golden.walkedOn)]);
    const environment = environmentOf(services);
    if (route === 'GET /projects/search') await searchProjects(services, actor, parseSearch(raw, actor.principal, environment));
    else if (route === 'GET /projects/count') await countProjects(services, actor, parseCount(raw, actor.principal, environment));
    else if (route === 'GET /projects/sync') await syncProjects(services, actor, parseSync(raw, actor.principal, environment));
    else await documents.find(501, scopeOf(actor.principal));
  }

  for (const [name, golden] of Object.entries(GOLDEN))
    it(`as in golden/${name}.json`, async () => {
      const file = path.join(FOLDER, `${name}.json`);
      await ask(golden);
      const rendered = { ...golden, searches: recorder.take() };
      assert(rendered.searches.length > 0);
      if (WRITE) writeFileSync(file, `${JSON.stringify(rendered, undefined, 2)}\n`);
      assert.deepEqual(rendered, JSON.parse(readFileSync(file, 'utf8')));
    });

  it('nothing that no request here asks for', () => {
    assert.deepEqual(
      readdirSync(FOLDER).sort(),
      Object.keys(GOLDEN)
        .map((name) => `${name}.json`)
        .sort(),
    );
  });
});
