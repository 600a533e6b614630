import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import schema from '../../ingest/generation.schema.json' with { type: 'json' };
import { dayOf } from '../../scripts/sample/days.ts';
import { CITY_PARTS, DELETED_COUNT, SAMPLE_STATES } from '../../scripts/sample/fixtures.ts';
import { sampleLines, writeSample } from '../../scripts/sample/generate.ts';
import type {
  DeletionLine,
  Generation,
  SampleContactLine,
  SampleDocumentLine,
  SampleLine,
  SampleProjectLine,
} from '../../scripts/sample/model.ts';
import { makeRestrictions } from '../../scripts/sample/restrictions.ts';
import { countiesOfCity } from '../../src/core/domain/places.ts';
import { OUTCOME_RULES, OUTCOMES, STAFF_RECOMMENDATIONS, VOTE_RESULTS } from '../../src/core/domain/process/tokens.ts';
import { derivedOf } from '../../src/core/domain/record/readings.ts';
import * as vocabulary from '../../src/core/domain/vocabulary.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { ascending } from '../support/fixtures.ts';
import { newFolder } from '../support/folder.ts';
import { assertNone, pluck } from '../support/lists.ts';

const TODAY = '2026-03-17';
const YEAR_BEFORE = '2025-03-18';
const PROJECTS = 1500;
const places = loadPlaces();
/** Fields whose words a vocabulary lists; those of a decision stand first. */
const KNOWN = [
  ['status', vocabulary.statuses],
  ['decisionBody', vocabulary.decisionBodies],
  ['decisionType', vocabulary.decisionTypes],
  ['requestType', vocabulary.requestTypes],
  ['constructionType', vocabulary.constructionTypes],
  ['projectSize', vocabulary.projectSizes],
  ['actionCategory', vocabulary.actionCategories],
] as const;
interface Sorted {
  lines: SampleLine[];
  projects: SampleProjectLine[];
  byId: Map<number, SampleProjectLine>;
  deletions: DeletionLine[];
  documents: Map<number, SampleDocumentLine>;
  contacts: SampleContactLine[];
}

const isDeletion = (line: SampleLine): line is DeletionLine => line.kind === 'project' && 'deleted' in line;
const isProject = (line: SampleLine): line is SampleProjectLine => line.kind === 'project' && !isDeletion(line);

function sorted(generation: Generation, projects = PROJECTS, seed = 7): Sorted {
  const lines = [...sampleLines({ seed, projects, today: TODAY, places, generation })];
  const statements = lines.filter(isProject);
  return {
    lines,
    projects: statements,
    byId: new Map(statements.map((p) => [p.id, p])),
    deletions: lines.filter(isDeletion),
    documents: new Map(lines.filter((l) => l.kind === 'document').map((d) => [d.id, d])),
    contacts: lines.filter((l) => l.kind === 'contact'),
  };
}

const countBy = <T>(items: readonly T[], key: (item: T) => unknown): Map<unknown, number> =>
  new Map([...Map.groupBy(items, key)].map(([k, group]) => [k, group.length]));

describe('the made-up sample', () => {
  let first: Sorted;
  let second: Sorted;
  let both: readonly Sorted[];
  const everyProject = () => both.flatMap((g) => g.projects);

  before(() => {
    first = sorted(1);
    second = sorted(2);
    both = [first, second];
  });

  describe('as generation files', () => {
    it('opens each file with the header of a full generation', () => {
      const headers = both.map((g) => g.lines[0]);
      assert.deepEqual(headers, [
        { kind: 'generation', generation: 1, mode: 'full', extractedAt: '2026-02-24T00:00:00.000Z' },
        { kind: 'generation', generation: 2, mode: 'full', extractedAt: '2026-03-17T00:00:00.000Z' },
      ]);
      for (const g of both) assert.equal(g.lines.filter((l) => l.kind === 'generation').length, 1);
    });

    it('has lines that all satisfy the schema', () => {
      const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
      addFormats.default(ajv);
      ajv.addSchema(schema);
      for (const line of both.flatMap((g) => g.lines)) {
        const name = isDeletion(line) ? 'projectDeletion' : line.kind;
        const check = ajv.getSchema(`generation-line#/$defs/${name}`);
        assert.ok(check, `schema of ${name}`);
        if (!check(line)) assert.fail(`${ajv.errorsText(check.errors)}: ${JSON.stringify(line).slice(0, 300)}`);
      }
    });

    it('states each id once a file and refers to nothing that the file lacks', () => {
      for (const g of both) {
        const ids = [...g.projects, ...g.deletions].map((p) => p.id);
        assert.equal(new Set(ids).size, ids.length);
        assert.equal(g.lines.filter((l) => l.kind === 'document').length, g.documents.size);
        for (const contact of g.contacts) assert.ok(g.byId.has(contact.projectId));
        for (const p of g.projects) {
          assert.ok(p.meetingDocumentId && p.meetingDocuments);
          assert.ok(p.meetingDocuments.some((d) => d.meetingDocumentId === p.meetingDocumentId));
          for (const reference of p.meetingDocuments) {
            const document = g.documents.get(reference.meetingDocumentId);
            assert.ok(document, `document ${reference.meetingDocumentId}`);
            const { title, url, decisionBody, meetingDate } = document;
            assert.deepEqual(reference, { meetingDocumentId: document.id, title, decisionBody, meetingDate, url });
            // minutes name the county of the city's centre, also where a project lies in another
            const centre = places.county(places.city(p.cityId ?? 0)?.countyId ?? 0)?.name;
            assert.deepEqual([document.city, document.county, document.state], [p.city, centre, p.state]);
          }
        }
      }
    });

    it('is the same for the same seed and day, and another for another seed', () => {
      const digest = (seed: number, today: string, generation: Generation) => {
        const hash = createHash('sha256');
        for (const line of sampleLines({ seed, projects: 200, today, places, generation })) hash.update(JSON.stringify(line));
        return hash.digest('hex');
      };
      assert.equal(digest(1, TODAY, 1), digest(1, TODAY, 1));
      assert.equal(digest(1, TODAY, 2), digest(1, TODAY, 2));
      const different = [digest(1, TODAY, 1), digest(1, TODAY, 2), digest(2, TODAY, 1), digest(1, '2026-03-18', 1)];
      assert.equal(new Set(different).size, 4);
    });

    it('writes both files, byte for byte alike each time, and leaves no part behind', async () => {
      const folder = newFolder('sample');
      const write = async (name: string) => {
        const paths = await writeSample({ folder: join(folder, name), seed: 3, projects: 150, today: TODAY, places });
        return paths.map((path) => readFileSync(path));
      };
      const [a, b] = [await write('a'), await write('b')];
      assert.deepEqual(readdirSync(join(folder, 'a')).sort(), ['sample-1.ndjson.gz', 'sample-2.ndjson.gz']);
      for (const i of [0, 1] as const) {
        assert.ok(a[i] && b[i] && a[i].equals(b[i]));
        const lines = gunzipSync(a[i]).toString('utf8').trimEnd().split('\n');
        const [header, ...records] = sampleLines({ seed: 3, projects: 150, today: TODAY, places, generation: i === 0 ? 1 : 2 });
        const expected = [{ ...header, restrictionSources: ['sample'] }, ...records, ...makeRestrictions(dayOf(TODAY))];
        assert.deepEqual(
          lines,
          expected.map((line) => JSON.stringify(line)),
        );
      }
    });
  });

  describe('in what it covers', () => {
    it('has dozens of projects in each of the twelve states and in the two counties of the demo', () => {
      for (const g of both) {
        const states = countBy(g.projects, (p) => p.state);
        assert.deepEqual([...states.keys()].sort(), [...SAMPLE_STATES].sort());
        for (const [state, count] of states) assert.ok(count >= 50, `${count} in ${state}`);
        const counties = countBy(g.projects, (p) => p.countyId);
        assert.ok((counties.get(8013) ?? 0) >= 25 && (counties.get(48113) ?? 0) >= 40);
      }
    });

    it('lies at real cities, near their catalogued position', () => {
      for (const p of everyProject()) {
        const city = places.city(p.cityId ?? 0);
        assert.ok(city && p.latitude && p.longitude);
        assert.deepEqual([p.city, p.stateId], [city.name, city.stateId]);
        assert.ok(countiesOfCity(city).includes(p.countyId ?? 0));
        assert.equal(p.county, places.county(p.countyId ?? 0)?.name);
        assert.equal(p.state, places.state(city.stateId)?.abbreviation);
        const centre = CITY_PARTS.find((part) => part.cityId === city.id && part.countyId === p.countyId) ?? city;
        const kilometres =
          111 * Math.hypot(p.latitude - centre.latitude, (p.longitude - centre.longitude) * Math.cos((centre.latitude * Math.PI) / 180));
        assert.ok(kilometres < 12, `${p.id} lies ${kilometres} km from ${city.name}`);
      }
    });

    it('has every Building Type, subtype and asset class, every status and every decision body', () => {
      const seen = (name: keyof SampleProjectLine) => new Set<unknown>(pluck(everyProject(), name));
      const types = countBy(first.projects, (p) => p.propertyType);
      for (const { token } of vocabulary.propertyTypes.terms) assert.ok((types.get(token) ?? 0) >= 40, `${token}: ${types.get(token)}`);
      const uses = everyProject().flatMap((p) => p.landUses ?? []);
      const every: [{ terms: readonly { token: string }[] }, Set<unknown>][] = [
        [vocabulary.propertySubtypes, new Set(pluck(uses, 'subtype'))],
        [vocabulary.assetClasses, new Set(pluck(uses, 'assetClass'))],
        ...KNOWN.map(([name, words]): [typeof words, Set<unknown>] => [words, seen(name)]),
      ];
      for (const [{ terms }, tokens] of every) assertNone(terms, ({ token }) => !tokens.has(token));
      for (const flag of ['inOpportunityZone', 'inFemaFloodZone'] as const) assert.equal(seen(flag).size, 3);
    });

    it('has several histories of every outcome, by every rule, and every vote and recommendation', () => {
      const read = second.projects.map((statement) => derivedOf({ statement }, TODAY));
      for (const [name, words] of [
        ['outcome', OUTCOMES],
        ['rule', OUTCOME_RULES],
        ['voteResult', VOTE_RESULTS],
        ['staffRecommendation', STAFF_RECOMMENDATIONS],
      ] as const) {
        const counts = countBy(read, (derived) => derived[name]);
        for (const word of words) assert.ok((counts.get(word) ?? 0) >= 3, `${name} ${word}: ${counts.get(word)}`);
      }
    });

    it('uses known tokens only, and uses whose levels belong together', () => {
      const known = (vocabulary: { terms: readonly { token: string }[] }, token: string | null | undefined) =>
        assert.ok(token === null || token === undefined || vocabulary.terms.some((term) => term.token === token), String(token));
      for (const p of everyProject()) {
        for (const [name, words] of KNOWN) known(words, p[name]);
        assert.equal(vocabulary.actionTypes.find(p.actionType ?? '')?.category, p.actionCategory);
        for (const d of p.decisions ?? []) for (const [name, words] of KNOWN.slice(0, 3)) known(words, d[name as 'status']);
        for (const use of p.landUses ?? []) {
          known(vocabulary.propertyTypes, use.type);
          if (use.subtype) assert.equal(vocabulary.propertySubtypes.find(use.subtype)?.type, use.type);
          if (use.assetClass) assert.equal(vocabulary.assetClasses.terms.find((c) => c.token === use.assetClass)?.subtype, use.subtype);
        }
        const [primary] = p.landUses ?? [];
        assert.ok(primary);
        assert.deepEqual([primary.role, primary.type, primary.subtype], ['primary', p.propertyType, p.propertySubtype]);
      }
    });
  });

  describe('in its dates', () => {
    it('has every meeting within the year before today, and only the next one after it', () => {
      for (const p of everyProject()) {
        assert.ok(p.meetingDate && p.meetingDate >= YEAR_BEFORE && p.meetingDate <= TODAY, `${p.id}: ${p.meetingDate}`);
        assert.ok(p.firstMeetingDate && p.firstMeetingDate <= p.meetingDate);
        if (p.nextMeetingDate) assert.ok(p.nextMeetingDate > TODAY);
        const dates = (p.decisions ?? []).map((d) => d.meetingDate);
        assert.deepEqual(dates, [...dates].sort());
        assert.deepEqual([dates[0], dates.at(-1)], [p.firstMeetingDate, p.meetingDate]);
        assert.deepEqual(pluck(p.statusHistory ?? [], 'date'), dates);
        assert.equal(p.appearanceCount, dates.length);
      }
      assert.ok(everyProject().some((p) => p.nextMeetingDate));
    });
  });

  describe('in what belongs together', () => {
    it('quotes each excerpt from its document, which mentions the project and says that it is made up', () => {
      for (const g of both) {
        for (const document of g.documents.values()) assert.match(document.text, /^This is a made-up document for demonstration/);
        for (const p of g.projects) {
          const text = g.documents.get(p.meetingDocumentId ?? 0)?.text ?? '';
          assert.ok(p.rawText && text.includes(p.rawText) && text.includes(p.projectName ?? '?'));
          assert.ok(p.originalRawText && p.originalRawText.length > p.rawText.length && text.includes(p.originalRawText));
        }
        assert.ok(g.projects.some((p) => p.originalRawTextTruncated) && g.projects.some((p) => p.originalRawTextTruncated === false));
      }
    });
  });

  describe('in its people', () => {
    it('names addresses, numbers and links in reserved ranges only', () => {
      const text = both
        .flatMap((g) => g.lines)
        .map((line) => JSON.stringify(line))
        .join('\n');
      const emails = text.split(/[\s"]+/).filter((word) => word.includes('@'));
      assert.ok(emails.length > 1000);
      assertNone(emails, (e) => !/^[a-z0-9.]+@example\.(com|org|net)$/.test(e));
      const links = text.match(/https?:\/\/[^\s"]+/g) ?? [];
      assertNone(links, (l) => !/^https:\/\/[a-z0-9-]+\.example\.(com|org|net)(\/|$)/.test(l));
      const phones = both.flatMap((g) => [
        ...g.contacts.flatMap((c) => [c.phone, c.companyPhone]),
        ...g.projects.flatMap((p) => [...(p.contacts ?? []).map((c) => c.phone), ...(p.companyEnrichment ?? []).map((c) => c.mainPhone)]),
      ]);
      assertNone(phones, (n) => n && !/^\d{3}-555-01\d\d$/.test(n));
    });
  });

  describe('from one generation to the next', () => {
    it('has exactly the projects asked for, numbered from 1001', () => {
      assert.deepEqual(
        ascending([...first.byId.keys()]),
        Array.from({ length: PROJECTS }, (_, i) => 1001 + i),
      );
      for (const projects of [1, 3, 47, 500]) assert.equal(sorted(1, projects).projects.length, projects);
    });

    it('covers most projects again, adds about 8 % and deletes five', () => {
      const again = second.projects.filter((p) => first.byId.has(p.id)).length;
      assert.ok(again > 0.81 * PROJECTS && again < 0.89 * PROJECTS, String(again));
      assert.equal(second.projects.length - again, 0.08 * PROJECTS);
      assert.equal(second.deletions.length, DELETED_COUNT);
      assert.equal(first.deletions.length, 0);
      for (const { id } of second.deletions) assert.ok(first.byId.has(id) && !second.byId.has(id));
    });

    it('merges developments: the survivor takes the hearings of those it absorbs', () => {
      const survivors = second.projects.filter((p) => p.mergedFrom);
      assert.ok(survivors.length > 0.01 * PROJECTS && survivors.length < 0.03 * PROJECTS, String(survivors.length));
      assert.ok(first.projects.every((p) => p.mergedFrom === undefined));
      const absorbed = survivors.flatMap((p) => p.mergedFrom?.slice(1) ?? []);
      assert.equal(new Set(absorbed).size, absorbed.length);
      for (const survivor of survivors) {
        assert.equal(survivor.mergedFrom?.[0], survivor.id);
        const family = survivor.mergedFrom.map((id) => first.byId.get(id));
        assert.ok(family.length > 1 && family.every((p) => p !== undefined));
        for (const p of family.slice(1)) assert.ok(!second.byId.has(p.id) && p.city === survivor.city && p.landUses?.length);
        const hearings = family.flatMap((p) => p.decisions ?? []).sort((a, b) => a.meetingDate.localeCompare(b.meetingDate));
        assert.deepEqual(survivor.decisions, hearings);
        assert.equal(survivor.meetingDate, hearings.at(-1)?.meetingDate);
      }
    });
  });
});
