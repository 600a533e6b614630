/** Records as text that is rendered when they are written: byte for byte what `representRecord` shows, whoever asks and whatever was asked for. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { normaliseProject, withIdentity } from '../../../ingest/read/normalise.ts';
import { toContent, toStatement } from '../../../ingest/write/projectContent.ts';
import { sampleLines } from '../../../scripts/sample/generate.ts';
import { PLANS, type PlanId } from '../../../src/core/domain/plans.ts';
import { FIELD_NAMES, fieldOf } from '../../../src/core/domain/record/fields.ts';
import type { PeopleView, Unlock } from '../../../src/core/domain/record/people.ts';
import {
  RENDERED_VERSION,
  type RenderedProject,
  type RenderedText,
  type RenderedTier,
  renderProject,
} from '../../../src/core/domain/record/rendered.ts';
import { type Delivery, type FetchedProject, representRecord, type ViewOptions } from '../../../src/core/domain/record/represent.ts';
import { computeRichness } from '../../../src/core/domain/record/richness.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
import type { StoredProject } from '../../../src/core/domain/record/storedProject.ts';
import { makeMatcher } from '../../../src/core/search/servePage.ts';
import { AnswerBytes, AnswerSerializer } from '../../../src/core/store/elastic/answerBytes.ts';
import { KeptRecords } from '../../../src/core/store/elastic/keptRecords.ts';
import { type RenderedFetch, readRendered, renderedFetch } from '../../../src/core/store/elastic/renderedPages.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { recordBytes } from '../../../src/http/recordBytes.ts';
import { BARE_PROJECT, FULL_PROJECT } from '../../support/fullRecord.ts';
import { STRANGER } from '../../support/noPeople.ts';

const places = loadPlaces();
const statementOf = (line: object) => withIdentity(normaliseProject(line as ProjectStatement, places), undefined);
const sample = [...sampleLines({ seed: 5, projects: 150, today: '2026-03-17', texts: 'short', places, generation: 1 })];
const STATEMENTS = [...sample.filter((line) => line.kind === 'project'), FULL_PROJECT, BARE_PROJECT].map(statementOf);

/** Texts that look like the text of a record, and texts with more bytes than characters. */
const HOSTILE = ['\u0000', '"contacts":null', '","displayName":', '"serviceLink":"\u0000"', 'Élan ’24 — 😀', '\n\t\\"', '\u2028', ''];
const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 20 }));
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const person = fc.record({
  ...{
    name: some(text),
    role: some(text),
    company: some(text),
    title: some(text),
    email: some(text),
    phone: some(text),
    linkedin: some(text),
  },
  isGovernmentStaff: some(fc.boolean()),
});
const orNull = fc.option(text);
const company = fc.record({ name: orNull, website: orNull, linkedin: orNull, archetype: orNull, mainPhone: orNull });
const level = fc.constantFrom('residential', 'commercial', 'single_family', 'custom_home', 'no such use');
const use = fc.record({
  type: level,
  subtype: some(level),
  assetClass: some(level),
  role: fc.constantFrom('primary', 'secondary', 'other'),
});
const day = fc.constantFrom('2026-01-05', '2026-03-17', '2026-04-01', '2027-01-01');

const changes = fc.record(
  {
    ...{ projectName: text, address: text, city: text, recordType: text, summary: text, statusSummary: text, displayName: text },
    ...{
      status: fc.constantFrom('approved', 'unknown', 'no such status'),
      inFemaFloodZone: fc.boolean(),
      acreage: fc.double({ noNaN: true, noDefaultInfinity: true }),
    },
    mergedFrom: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
    landUses: fc.array(use, { maxLength: 3 }),
    parcelNumbers: fc.array(text, { maxLength: 3 }),
    ...{ rawText: text, actionType: text, caseNumbers: fc.array(text, { maxLength: 2 }) },
    contacts: fc.array(person, { maxLength: 3 }),
    companyEnrichment: fc.array(company, { maxLength: 2 }),
    meetingDate: day,
  },
  { requiredKeys: [] },
);

const stored = fc
  .record({
    base: fc.constantFrom(...STATEMENTS),
    changes,
    hearings: some(fc.array(day, { maxLength: 4 })),
    revision: fc.constantFrom('v2a', 'ff01'),
  })
  .map(({ base, changes: changed, hearings, revision }): StoredProject => {
    const known = { key: String(base.id), id: base.id, loadedIn: 1, lastUpdated: '2026-03-17T00:00:00.000Z', contentRevision: revision };
    const content = toContent({ ...base, ...changed } as ProjectStatement);
    return JSON.parse(JSON.stringify({ ...known, ...content, ...(hearings ? { hearings: hearings.sort() } : {}) }));
  });

const found = fc.record({
  ...{ name: text, role: text, company: text, title: text, email: text, phone: text, linkedin: text },
  source: fc.constantFrom('directory', 'provider'),
  hashes: fc.constant([]),
});
const unlock: fc.Arbitrary<Unlock | null> = fc.option(
  fc.record({
    opens: fc.constantFrom('channels' as const, 'profiles' as const, 'companies' as const),
    people: fc.array(found, { maxLength: 2 }),
    companies: fc.array(company, { maxLength: 2 }),
    lowConfidenceWithheld: fc.nat(3),
  }),
);
const people: fc.Arbitrary<PeopleView> = fc
  .record({ hidden: fc.constantFrom('nobody', 'some', 'all'), unlock })
  .map(({ hidden, unlock: known }) => ({
    hides: ({ name, phone }) => hidden === 'all' || (hidden === 'some' && (name ?? phone ?? '').length % 2 === 0),
    unlockOf: (ids) => ((ids[0] ?? 0) % 2 ? known : null),
  }));

const filters = fc.record(
  {
    propertyTypes: fc.array(level, { maxLength: 2 }),
    propertySubtypes: fc.array(level, { maxLength: 2 }),
    assetClasses: fc.array(level, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const view: fc.Arbitrary<ViewOptions> = fc
  .record({
    representation: fc.constantFrom('compact' as const, 'standard' as const, 'full' as const),
    derived: fc.boolean(),
    plan: fc.constantFrom(...(Object.keys(PLANS) as PlanId[])),
    ...{ meetingCap: day, today: day, filters, people, publicUrl: fc.constantFrom('http://landuse.test', 'https://x.example/"é"') },
  })
  .map(({ plan, filters: chosen, derived, ...rest }) => ({
    ...rest,
    withDerived: derived && rest.representation === 'full',
    companyDetails: PLANS[plan].paid,
    matchedOn: makeMatcher({ filters: chosen, roles: ['primary', 'secondary'] }),
  }));
const delivery: fc.Arbitrary<Delivery> = fc.record({
  ...{ alreadyExported: fc.boolean(), updatedSinceExport: fc.option(fc.boolean()), billed: fc.boolean() },
  lastExportedAt: fc.option(fc.constant('2026-03-01T00:00:00.000Z')),
});

/** The source of a project as Elasticsearch returns it for a representation. */
const fetched = (project: StoredProject, { representation }: ViewOptions): FetchedProject => {
  const { id, lastUpdated, contentRevision, hearings, compact, standard, full } = project;
  return {
    id,
    lastUpdated,
    contentRevision,
    compact,
    ...(hearings ? { hearings } : {}),
    ...(representation === 'compact' ? {} : { standard }),
    ...(representation === 'full' ? { full } : {}),
  };
};

/** A hit with rendered parts as an answer of Elasticsearch brings it, between other text. */
function answered(parts: Readonly<Partial<Record<RenderedTier, string>>>, more: object = {}) {
  const fields = Object.fromEntries(Object.entries(parts).map(([tier, text]) => [`derived.rendered.${tier}`, [text]]));
  const hits = [
    { sort: ['"derived.rendered.compact":["é', 7] },
    { ...more, fields: { ...fields, 'derived.dataRichness': [50] }, sort: ['é'] },
  ];
  const read = new AnswerSerializer({}).deserialize(new AnswerBytes([Buffer.from(JSON.stringify({ took: 1, hits: { hits } }))]));
  const [other, hit] = read.hits.hits;
  assert.deepEqual([other, hit.sort], [{ sort: ['"derived.rendered.compact":["é', 7] }, ['é']]);
  return hit;
}

const fetchOf = ({ representation }: Pick<ViewOptions, 'representation'>) =>
  renderedFetch({ representation, toShow: true }) as RenderedFetch;

function readOf(project: StoredProject, asked: Pick<ViewOptions, 'representation'>, evidenceOnly: string[] = []): RenderedProject {
  const fetch = fetchOf(asked);
  const _source = Object.fromEntries(fetch.stored.map((part) => [part, project[part]]));
  const hit = answered(renderProject(project, evidenceOnly), { _source });
  hit.fields['derived.dataRichness'] = [computeRichness(toStatement(project))];
  return readRendered(hit, fetch) as RenderedProject;
}

/** A record that was read as the largest representation, as a process keeps it. */
function keptOf(project: StoredProject): RenderedProject {
  const kept = new KeptRecords('http://landuse.test');
  const hit = { _index: 'projects', _seq_no: 7, _primary_term: 1, sort: [project.id] };
  kept.keep([hit], [readOf(project, { representation: 'full' })], ['full']);
  assert.equal(kept.find({ ...hit, _seq_no: 8 }, ['compact']), undefined);
  return kept.find(hit, ['compact', 'standard', 'full']) as RenderedProject;
}

/** The text of a rendered part. */
function textOf(part: string): string {
  const { bytes, from, to } = answered({ compact: part }).fields['derived.rendered.compact'][0] as RenderedText;
  return bytes.toString('utf8', from, to);
}

describe('rendered records', () => {
  it('are byte for byte what is represented, for every record, plan, filter and representation', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(stored, delivery), { minLength: 1, maxLength: 3 }), view, fc.boolean(), (page, asked, single) => {
        const plain = page.map(([project, given]) => Object.assign(representRecord(fetched(project, asked), asked), { delivery: given }));
        const shown = page.map(([project, given]) => readOf(project, asked).show(asked).deliver(given));
        const kept = page.map(([project, given]) => keptOf(project).show(asked).deliver(given));
        const meta = { requestId: 'é' };
        const answers = [plain, shown, kept].map((records) => ({ data: single ? records[0] : records, meta }));
        const [expected, actual, actualOfKept] = answers as [object, object, { data: unknown; meta: object }];
        assert.equal(recordBytes(actualOfKept)?.toString(), JSON.stringify(expected));
        assert.equal(recordBytes(actual as { data: unknown; meta: object })?.toString(), JSON.stringify(expected));
        assert.deepEqual(
          JSON.parse(JSON.stringify(actual)),
          JSON.parse(JSON.stringify(expected)),
          'and the record to whoever looks into it',
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are kept beside those whose writes another shard numbers alike', () => {
    const kept = new KeptRecords('http://landuse.test');
    const projects = fc.sample(stored, 3).map((project, id) => ({ ...project, id }));
    const hits = projects.map(({ id }) => ({ _index: 'projects', _seq_no: 7, _primary_term: 1, sort: [0, id] }));
    const records = projects.map((project) => readOf(project, { representation: 'compact' }));
    kept.keep(hits, records, ['compact']);
    assert.deepEqual(
      hits.map((hit) => kept.find(hit, ['compact'])?.project.id),
      [0, 1, 2],
    );
  });

  it('tell what was found without text: id, revision, time, members, hearings, and fields with evidence only', () => {
    fc.assert(
      fc.property(stored, (project) => {
        const { id, lastUpdated, contentRevision, hearings, compact } = project;
        const known = readOf(project, { representation: 'standard' }).project;
        assert.deepEqual(
          [known.id, known.lastUpdated, known.contentRevision, known.hearings],
          [id, lastUpdated, contentRevision, hearings],
        );
        assert.deepEqual([known.compact.id, known.compact.mergedFrom, known.evidenceOnly], [id, compact.mergedFrom, []]);
        const { evidenceOnly } = readOf(project, { representation: 'compact' }, ['acreage', 'statusCombo']).project;
        assert.deepEqual(evidenceOnly, ['acreage', 'statusCombo']);
      }),
      { numRuns: 50 },
    );
  });

  it('hold nobody in their text', () => {
    const [statement] = STATEMENTS.filter(({ id }) => id === FULL_PROJECT.id) as [ProjectStatement];
    const project = {
      key: '77',
      loadedIn: 1,
      lastUpdated: '',
      contentRevision: '',
      ...statement,
      ...toContent(statement),
    } as StoredProject;
    for (const part of Object.values(renderProject(project, []))) {
      const shown = textOf(part);
      assert.match(shown, /^"\w+":/);
      assert.doesNotMatch(shown, /Ann Lee|Bob Ray|forkhomes|303-555/);
    }
  });

  it('are not read where a part is missing or was rendered in another form', () => {
    const project = { ...toContent(STATEMENTS[0] as ProjectStatement), id: 1, contentRevision: 'v2' } as StoredProject;
    const { compact, standard } = renderProject(project, []);
    const read = (parts: Parameters<typeof answered>[0]) => readRendered(answered(parts), fetchOf({ representation: 'standard' }));
    assert.ok(read({ compact, standard }));
    assert.equal(read({ compact }), undefined);
    const older = Buffer.from(standard, 'base64');
    older.write('older');
    assert.equal(read({ compact, standard: older.toString('base64') }), undefined);
  });

  it('change their text only with another version', () => {
    const file = path.resolve(import.meta.dirname, 'renderedRecord.json');
    const golden = JSON.parse(readFileSync(file, 'utf8')) as { version: number; record: Record<string, unknown> };
    const statement = STATEMENTS.find(({ id }) => id === FULL_PROJECT.id) as ProjectStatement;
    const project = { id: 77, key: '77', loadedIn: 1, lastUpdated: '', contentRevision: '', ...toContent(statement) } as StoredProject;
    const parts = Object.values(renderProject(project, [])).map(textOf);
    const record = JSON.parse(`{${parts.join()}}`) as Record<string, unknown>;
    const known = Object.keys(record).filter((name) => name in golden.record);
    assert(known.length > 50);
    assert.deepEqual(
      { version: RENDERED_VERSION, record: Object.fromEntries(known.map((name) => [name, record[name]])) },
      { version: golden.version, record: Object.fromEntries(known.map((name) => [name, golden.record[name]])) },
      `Raise RENDERED_VERSION and write ${file} anew: ${JSON.stringify({ version: RENDERED_VERSION, record })}`,
    );
  });

  it('leave open just what the table says is shown by request', () => {
    const asked = {
      representation: 'standard',
      meetingCap: '2026-03-17',
      today: '2026-03-17',
      matchedOn: () => [],
      companyDetails: true,
      people: STRANGER,
    } as const;
    const other: ViewOptions = {
      ...{
        representation: 'standard',
        meetingCap: '2026-01-05',
        today: '2026-01-05',
        publicUrl: 'http://other.test',
        matchedOn: () => ['type'],
        companyDetails: false,
      },
      people: { hides: () => true, unlockOf: () => null },
    };
    for (const statement of STATEMENTS) {
      const project = {
        id: statement.id,
        lastUpdated: '',
        contentRevision: '',
        ...toContent(statement),
        hearings: ['2026-01-05', '2026-03-17'],
      };
      const [one, two] = [representRecord(project, { ...asked, publicUrl: 'http://one.test' }), representRecord(project, other)];
      for (const name of FIELD_NAMES)
        if (JSON.stringify(one[name]) !== JSON.stringify(two[name])) assert.ok(fieldOf(name).perRequest, `${name} differs by request`);
    }
  });
});
