/** OGC API - Features, Part 3 (19-079r2): `filter` in CQL2 text selects what the filters of a search select. */
import assert from 'node:assert/strict';
import * as vocabulary from '../../../src/core/domain/vocabulary.ts';
import { QUERYABLES } from '../../../src/core/filter/cql.ts';
import type { FilterName } from '../../../src/core/filter/table.ts';
import { ascending, project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { lengthOf } from '../../support/lengths.ts';
import { Random } from '../../support/random.ts';
import { MEASUREMENTS, measurement, meetingDay, PLACES, randomLine, TOKENS, TREE } from '../../support/randomProjects.ts';
import { provideService } from '../../support/service.ts';

const SEED = Number(process.env.ORACLE_SEED ?? 19_079);
const PAIRS = lengthOf('CQL_PAIRS');
const PROJECTS = 95;
const ITEMS = '/ogc/collections/projects/items';

/** What every value of a property selects: the values that the random records have. */
const VALUES: Record<string, readonly (string | number)[]> = {
  ...TOKENS,
  propertyType: TREE.types.slice(0, 3),
  outcome: vocabulary.outcomes.terms.map(({ token }) => token),
  stateId: PLACES.states,
  countyId: PLACES.counties,
  cityId: PLACES.cities,
};
const DAYS = ['meetingDate', 'firstMeetingDate', 'nextMeetingDate'];
const COUNTS = ['voteAgainst', 'appearanceCount', 'daysInProcess'];
const OPERATORS = ['=', '<>', '<', '<=', '>', '>='] as const;

interface Leaf {
  text: string;
  /** filters that select the records of which it is true */
  isTrue: (readonly [FilterName, unknown])[];
  /** whether instead those of which it is false */
  inverse: boolean;
  /** filters that select the records that state the property */
  stated: (readonly [FilterName, unknown])[];
}

type Tree = Leaf | { word: 'AND' | 'OR' | 'NOT'; parts: Tree[] };

function randomLeaf(random: Random): Leaf {
  const property = random.pick([...Object.keys(VALUES), ...MEASUREMENTS, ...DAYS, ...COUNTS]);
  const { value: byValue, gte, lte } = QUERYABLES.get(property) ?? {};
  const values = VALUES[property];
  const operator = random.pick(values ? (['=', '<>'] as const) : OPERATORS);
  const value = values
    ? random.pick(values)
    : DAYS.includes(property)
      ? meetingDay(random, TODAY)
      : COUNTS.includes(property)
        ? random.integer(0, 3)
        : measurement(random, property);
  const quoted = typeof value === 'number' ? String(value) : `'${value}'`;
  const literal = DAYS.includes(property) && random.chance(0.5) ? `DATE(${quoted})` : quoted;
  const text = `${random.chance(0.3) ? `"${property}"` : property}${random.pick([operator, ` ${operator} `])}${literal}`;
  if (byValue) return { text, isTrue: [[byValue, value]], inverse: operator === '<>', stated: [[byValue, (values ?? []).join()]] };
  const [from, to] = [
    [gte as FilterName, value],
    [lte as FilterName, value],
  ] as const;
  const stated = [[gte as FilterName, DAYS.includes(property) ? '0001' : -1]] as const;
  const isTrue = { '=': [from, to], '<>': [from, to], '<': [from], '<=': [to], '>': [to], '>=': [from] }[operator];
  return { text, isTrue, inverse: ['<>', '<', '>'].includes(operator), stated: [...stated] };
}

function randomTree(random: Random, depth = 2): Tree {
  if (!depth || random.chance(0.4)) return randomLeaf(random);
  const word = random.pick(['AND', 'OR', 'NOT'] as const);
  return { word, parts: Array.from({ length: word === 'NOT' ? 1 : random.integer(2, 3) }, () => randomTree(random, depth - 1)) };
}

const write = (tree: Tree): string => {
  if ('text' in tree) return tree.text;
  const parts = tree.parts.map((part) => `(${write(part)})`);
  return tree.word === 'NOT' ? `NOT ${parts[0]}` : parts.join(` ${tree.word} `);
};

describe(`filters in CQL2 text (ORACLE_SEED=${SEED})`, () => {
  const random = new Random(SEED);
  const api = provideService({ today: TODAY });
  before(async () => {
    const lines = Array.from({ length: PROJECTS }, (_, i) => randomLine(random, i + 1, TODAY));
    await api.index.load(lines.map((line) => ({ ...line, mergedFrom: [line.id] })) as never);
  });

  async function ask(path: string, key?: string) {
    const response = await fetch(`${api.url}${path}`, { headers: { 'X-API-Key': key ?? (await api.usualKey()) } });
    return { status: response.status, body: (await response.json()) as Json };
  }
  const found = new Map<string, Promise<readonly number[]>>();
  async function read(parameters: readonly (readonly [string, unknown])[]): Promise<readonly number[]> {
    const query = new URLSearchParams({ ...Object.fromEntries(parameters), representation: 'compact' } as Record<string, string>);
    const { status, body } = await ask(`${ITEMS}?${query}`);
    assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
    return ascending(body.features.map(({ id }: Json) => id));
  }
  function select(parameters: readonly (readonly [string, unknown])[]): Promise<readonly number[]> {
    const name = JSON.stringify(parameters);
    const ids = found.get(name) ?? read(parameters);
    found.set(name, ids);
    return ids;
  }
  const filterBy = (text: string) =>
    read([
      ['filter', text],
      ['filter-lang', 'cql2-text'],
    ]);

  /** The records of which a text is true, and those of which it is false: the others state nothing on it. */
  async function judge(tree: Tree): Promise<{ yes: readonly number[]; no: readonly number[] }> {
    if ('text' in tree) {
      const [selected, stated] = await Promise.all([select(tree.isTrue), select(tree.stated)]);
      const others = stated.filter((id) => !selected.includes(id));
      return tree.inverse ? { yes: others, no: selected } : { yes: selected, no: others };
    }
    const parts = await Promise.all(tree.parts.map(judge));
    const [first = { yes: [], no: [] }] = parts;
    const all = (side: 'yes' | 'no') => first[side].filter((id) => parts.every((part) => part[side].includes(id)));
    const any = (side: 'yes' | 'no') => ascending([...new Set(parts.flatMap((part) => part[side]))]);
    if (tree.word === 'NOT') return { yes: first.no, no: first.yes };
    return tree.word === 'AND' ? { yes: all('yes'), no: any('no') } : { yes: any('yes'), no: all('no') };
  }

  it(`select what ${PAIRS} random combinations of the filters of a search select`, async function () {
    this.timeout(60_000 + PAIRS * 200);
    let answered = 0;
    for (let i = 0; i < PAIRS; i++) {
      const tree = randomTree(random);
      const ids = await filterBy(write(tree));
      assert.deepEqual(ids, (await judge(tree)).yes, `ORACLE_SEED=${SEED}, pair ${i}: ${write(tree)}`);
      if (ids.length && ids.length < PROJECTS) answered++;
    }
    assert(answered > PAIRS / 3, `only ${answered} found some`);
  });

  it('compare flags, and know what is not stated', async () => {
    const every = await read([]);
    for (const [property, name, yes, no] of [
      ['inFemaFloodZone', 'inFemaFloodZone', 'inside', 'outside'],
      ['hasConstructionDetails', 'hasConstructionDetails', 'true', 'false'],
      ['isRezone', 'requiresZoningChange', 'true', undefined],
    ] as const) {
      const [marked, stated] = [await select([[name, yes]]), await filterBy(`${property} IS NOT NULL`)];
      const unmarked = await filterBy(`${property} = FALSE`);
      assert.deepEqual(await filterBy(`${property} = TRUE`), marked);
      assert.deepEqual(ascending([...marked, ...unmarked]), stated, property);
      if (no) assert.deepEqual(unmarked, await select([[name, no]]));
      assert.deepEqual(
        await filterBy(`NOT ${property} IS NOT NULL`),
        every.filter((id) => !stated.includes(id)),
      );
      assert(marked.length && unmarked.length && stated.length < every.length, property);
    }
    assert.deepEqual([await filterBy('TRUE'), await filterBy('NOT TRUE')], [every, []]);
  });

  it('stand with filters of a search, and tell places by what stands beside them', async () => {
    const [stateId = 0] = PLACES.states;
    assert.deepEqual(
      await read([
        ['filter', `stateId = ${stateId}`],
        ['acreageMin', '1'],
      ]),
      await select([
        ['states', stateId],
        ['acreageMin', 1],
      ]),
    );
    const springfield = await ask(`${ITEMS}?filter=${encodeURIComponent("county = 'Orange County'")}`);
    assert.match(
      springfield.body.error.message,
      /^filter at character 1: county 'Orange County' names \d+ places: .*Send an id, or one state/,
    );
    assert.equal((await ask(`${ITEMS}?filter=${encodeURIComponent("county = 'Orange County' AND state = 'CA'")}`)).status, 200);
  });

  it('are refused with the place and what to send instead', async () => {
    for (const [text, message] of [
      ['acerage = 5', "filter at character 1: 'acerage' cannot be filtered by; did you mean 'acreage'?"],
      ["acreage > 1 AND status = 'aproved'", /^filter at character 17: status 'aproved' is not one of .*did you mean 'approved'\?$/],
      ['acreage > 1 AND (status = 5', /^filter at character 28: expected \)/],
      ["acreage >= 'big'", /^filter at character 1: acreage 'big' is not a finite number$/],
      ["status > 'approved'", 'filter at character 1: status has no order; compare it by = or <>'],
      ["isRezone = 'yes'", 'filter at character 1: isRezone is TRUE or FALSE, without quotes'],
      ["meetingDate > 'soon'", /^filter at character 1: meetingDate 'soon' is no date; send YYYY/],
      ['id = 5', /^filter at character 1: 'id' cannot be filtered by; /],
      [`${"status = 'approved' OR ".repeat(200)}TRUE`, /^filter has \d+ characters; at most 4000/],
    ] as const) {
      const { status, body } = await ask(`${ITEMS}?filter=${encodeURIComponent(text)}`);
      assert.deepEqual([status, body.error.param], [400, 'filter'], text);
      if (typeof message === 'string') assert.equal(body.error.message, message);
      else assert.match(body.error.message, message);
    }
    for (const query of [
      'f=html',
      'filter=TRUE&filter-lang=cql2-json',
      'filter=TRUE&filter-crs=http://www.opengis.net/def/crs/EPSG/0/3857',
    ])
      assert.equal((await ask(`${ITEMS}?${query}`)).status, 400, query);
    assert.equal((await api.get('/projects/search', { filter: 'TRUE' })).status, 400);
  });

  it('continue page by page, and a cursor of another filter is refused', async () => {
    const filter = encodeURIComponent("status <> 'denied'");
    const page = (await ask(`${ITEMS}?filter=${filter}&limit=3`)).body;
    const next = page.links.find(({ rel }: Json) => rel === 'next').href.replace('http://landuse.test', '');
    assert.equal((await ask(next)).body.numberMatched, page.numberMatched);
    const other = await ask(next.replace(encodeURIComponent('<>'), encodeURIComponent('=')));
    assert.deepEqual([other.status, other.body.error.code], [400, 'invalid_cursor']);
  });
});

/**
 * What QGIS 3.44 and 4 send, as its public source has it (github.com/qgis/QGIS, src/providers/wfs/oapif: qgsoapifprovider.cpp,
 * qgsoapifqueryablesrequest.cpp, qgsoapifcql2textexpressioncompiler.cpp, qgsoapifshareddata.cpp, qgsoapiffeaturedownloaderimpl.cpp).
 */
describe('QGIS pushes its filter down before it pays for a layer', () => {
  const BOULDER = { latitude: 40.015, longitude: -105.27 };
  const api = provideService({ today: TODAY }, [
    ...Array.from({ length: 12 }, (_, i) => project(i + 1, { ...BOULDER, status: 'denied', acreage: 1 })),
    ...[21, 22].map((id) => project(id, { ...BOULDER, status: 'approved', acreage: 6, lastUpdated: undefined })),
    project(23, { ...BOULDER, status: 'approved', acreage: null }),
  ]);
  const SPEC = 'http://www.opengis.net/spec';

  it('finds the classes, the queryables and the page size, and asks for what it shows alone', async () => {
    const key = await api.key('api_only');
    const get = async (url: string, accept: string) => {
      const headers = { Authorization: `Basic ${Buffer.from(`qgis:${key}`).toString('base64')}`, Accept: accept };
      const response = await fetch(url.replace('http://landuse.test', api.url), { headers });
      assert.equal(response.status, 200, url);
      return (await response.json()) as Json;
    };
    const landing = await get('http://landuse.test/ogc?f=json', 'application/json');
    const hrefOf = (rel: string) => landing.links.find((link: Json) => link.rel === rel).href;
    const collection = `${hrefOf('data')}/projects`;
    await get(collection, 'application/json');
    const { conformsTo } = await get(hrefOf('conformance'), 'application/json');
    for (const one of [
      'ogcapi-features-3/1.0/conf/filter',
      'ogcapi-features-3/1.0/conf/features-filter',
      'cql2/1.0/conf/basic-cql2',
      'cql2/1.0/conf/cql2-text',
    ])
      assert(conformsTo.includes(`${SPEC}/${one}`), one);
    const { properties } = await get(`${collection}/queryables`, 'application/schema+json');
    for (const [name, type] of Object.entries({
      status: 'string',
      acreage: 'number',
      state: 'string',
      isRezone: 'boolean',
      meetingDate: 'string',
    }))
      assert.equal(properties[name].type, type, name);
    assert.deepEqual([properties.meetingDate.format, properties.lastUpdated.format], ['date', 'date-time']);
    const first = await get(`${collection}/items?limit=10&f=json`, 'application/geo+json');
    assert.equal(first.meta.creditsUsed, 10, 'it learns the fields from the first ten, whatever the filter');
    for (const name of ['status', 'acreage', 'state', 'county', 'meetingDate', 'isRezone', 'propertyType'])
      assert(name in properties && name in first.features[0].properties, name);
    const pages: [string, number[]][] = [
      ["((status = 'approved') AND (acreage >= 5))", [21, 22]],
      ["((status = 'approved') AND (acreage IS NOT NULL))", [21, 22]],
      ["(((state = 'CO') OR (isRezone = TRUE)) AND (NOT ((status = 'denied'))))", [21, 22, 23]],
      ["((status = 'approved') AND (meetingDate >= DATE('2025-12-01')))", [21, 22, 23]],
      ["((status = 'approved') AND (lastUpdated > TIMESTAMP('2020-01-01T00:00:00.000Z')))", [21, 22, 23]],
    ];
    let paid = 0;
    for (const [filter, ids] of pages) {
      const box = '-105.5,39.9,-105.1,40.1';
      const page = await get(
        `${collection}/items?limit=100&filter=${encodeURIComponent(filter)}&filter-lang=cql2-text&bbox=${box}`,
        'application/geo+json',
      );
      assert.deepEqual(ascending(page.features.map(({ id }: Json) => id)), ids, filter);
      paid += page.meta.creditsUsed;
    }
    assert.equal(paid, 3);
  });

  it('says nothing of unpaid projects that it is asked about by id', async () => {
    const key = await api.key('api_only');
    const pages = await Promise.all(
      ['approved', 'denied'].map(async (status) => {
        const query = `projectIds=22&filter=${encodeURIComponent(`status = '${status}'`)}`;
        const response = await fetch(`${api.url}${ITEMS}?${query}`, { headers: { 'X-API-Key': key, 'X-Service-Max-Credits': '0' } });
        return ((await response.json()) as Json).error.details.creditsRequired;
      }),
    );
    assert.deepEqual(pages, [1, 1]);
  });
});
