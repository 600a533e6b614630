/** People who asked not to be found: in no answer and no file, on every process, after a full reload. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Suppressions } from '../../../src/core/people/suppressions.ts';
import { SUPPRESSION_HOOKS } from '../../../src/features.ts';
import { adminRunner } from '../../support/admin.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import { pluck } from '../../support/lists.ts';
import { snapshotBytes, type TakenSnapshot, takeSnapshot } from '../../support/snapshots.ts';
import { provideWorld } from '../../support/world.ts';

const person = (name: string, company: string, more: Record<string, unknown> = {}) => ({
  name,
  role: 'applicant',
  company,
  title: 'VP',
  ...more,
});
const ANN = person('Ann Lee', 'Fork Homes LLC', { email: 'ann@forkhomes.example', phone: '303-555-0101' });
const BEN = person('Ben Ode', 'Fork Homes LLC', { email: 'ben@forkhomes.example', phone: '303-555-0102' });
const CAL = person('Cal Poe', 'Spoon LLC', { email: 'cal@spoon.example' });
const DEE = person('Dee Roy', 'Spoon LLC', { phone: '303-555-0104' });
const COMPANY = { name: 'Spoon LLC', website: 'https://spoon.example', linkedin: null, archetype: null, mainPhone: '+1 (303) 555-0104' };
const lines = [
  project(1, { contacts: [ANN, BEN] }),
  project(2, { contacts: [CAL, DEE], companyEnrichment: [COMPANY] }),
  project(3, { contacts: [BEN] }),
];

describe('Suppressed people', () => {
  const world = provideWorld({ today: TODAY });
  let admin: ReturnType<typeof adminRunner>;
  let key: string;
  before(async () => {
    admin = adminRunner(world.api);
    await world.api.index.load(lines);
    key = await world.api.key('national');
    await world.work();
  });

  /** Every route that carries contacts, as text. */
  const everywhere = async () => {
    const answers = [
      await world.read('/projects/search', { dateRange: 'all' }, key),
      await world.read('/projects/search', { dateRange: 'all', representation: 'full' }, key),
      await world.read('/projects/sync', { dateRange: 'all' }, key),
    ];
    for (const id of [1, 2, 3]) answers.push(await world.read(`/projects/${id}`, {}, key));
    for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
    return JSON.stringify(answers.map(({ body }) => body));
  };
  const gone = (name: string) =>
    eventually(`${name} to be gone`, async () => ((await everywhere()).includes(name) ? undefined : true), 20_000);
  const record = async (id: number) => (await world.read(`/projects/${id}`, {}, key)).body.data;

  it('are shown until they are suppressed, then nowhere, and counted nowhere; the others stay', async () => {
    assert((await everywhere()).includes('Ann Lee'));
    const before = await record(1);
    assert.deepEqual(before.contactSummary, { contactCount: 2, withEmail: 2, withPhone: 2, lowConfidenceWithheld: 0, unlocked: false });
    const { code, json, err } = await admin('suppress', 'add', '--email', 'Ann+x@ForkHomes.example', '--note', 'request 17');
    assert.deepEqual([code, json], [0, { added: 1, already: 0, expiredExports: 0, expiredSnapshots: 0, clearedUnlocks: 0 }], err);
    await gone('Ann Lee');
    const after = await record(1);
    assert.deepEqual(pluck(after.contacts, 'name'), ['Ben Ode']);
    assert.deepEqual(after.contactSummary, { contactCount: 1, withEmail: 1, withPhone: 1, lowConfidenceWithheld: 0, unlocked: false });
    assert.equal(after.contentRevision, before.contentRevision);
    assert.deepEqual((await admin('suppress', 'add', '--email', 'ann@forkhomes.example')).json, {
      added: 0,
      already: 1,
      expiredExports: 0,
      expiredSnapshots: 0,
      clearedUnlocks: 0,
    });
  });

  it('are in no file: those that hold one expire, others stay, and new ones are built without', async () => {
    const [withCal, without] = await Promise.all([
      world.exports.completed({ projectIds: [2] }, key),
      world.exports.completed({ projectIds: [3] }, key),
    ]);
    const file = await world.download(String(withCal.id), key);
    assert(file.text.includes('Cal Poe'));
    const snapshotOf = (id: number) => takeSnapshot(world, { filters: { projectIds: [id], dateRange: 'all' } }, key);
    const [calTaken, otherTaken] = [await snapshotOf(2), await snapshotOf(3)];
    assert(JSON.stringify(calTaken.records).includes('Cal Poe'));
    const { json } = await admin('suppress', 'add', '--name', 'Poe, Cal', '--company', 'Spoon');
    assert.deepEqual([json.expiredExports, json.expiredSnapshots], [1, 1]);
    const statusOf = async ({ snapshot }: TakenSnapshot) => (await world.snapshots.poll(snapshot.id, key)).body.data.status;
    assert.deepEqual([await statusOf(calTaken), await statusOf(otherTaken)], ['expired', 'ready']);
    assert.equal((await snapshotBytes(world, calTaken.manifest.files[0].url, key)).status, 409);
    assert(!JSON.stringify((await snapshotOf(2)).records).includes('Cal Poe'));
    const refused = await world.download(String(withCal.id), key);
    assert.deepEqual([refused.status, JSON.parse(refused.text).error.code], [409, 'export_expired']);
    assert.equal((await world.exports.poll(String(withCal.id), key)).body.data.status, 'expired');
    assert.equal((await world.download(String(without.id), key)).status, 200);
    const again = await world.exports.completed({ projectIds: [1, 2, 3] }, key);
    const { text } = await world.download(String(again.id), key);
    for (const name of ['Cal Poe', 'Ann Lee']) assert(!text.includes(name), name);
    for (const name of ['Dee Roy', 'Ben Ode']) assert(text.includes(name), name);
  });

  it('take their telephone number from the company with them', async () => {
    assert.equal((await record(2)).companyEnrichment[0].mainPhone, COMPANY.mainPhone);
    const exported = await world.exports.completed({ projectIds: [2] }, key);
    const { json } = await admin('suppress', 'add', '--phone', '3035550104');
    assert(json.expiredExports >= 1);
    assert.equal((await world.download(String(exported.id), key)).status, 409);
    await gone('Dee Roy');
    const { companyEnrichment, contacts } = await record(2);
    assert.deepEqual([companyEnrichment[0].mainPhone, companyEnrichment[0].website, contacts], [null, COMPANY.website, []]);
  });

  it('stay away after a full reload, and for a process that starts later', async () => {
    await world.api.index.load(lines, { generation: 2 });
    const text = await everywhere();
    for (const name of ['Ann Lee', 'Cal Poe', 'Dee Roy', 'forkhomes.example', '555-0104']) assert(!text.includes(name), name);
    const fresh = new Suppressions(world.api.database, world.api.config.keyPepper);
    const list = await fresh.current();
    assert.deepEqual(
      [ANN, BEN, CAL, DEE].map((one) => list.covers(one)),
      [true, false, true, true],
    );
  });

  it('are imported from a CSV, all or none, listed and reported without who they are', async () => {
    const file = path.join(world.folder, 'people.csv');
    await writeFile(file, 'email,phone,name,company,note\nx@y.example,,,,a\n,12,,,\n,,Only Name,,\n,,,,\nno-address,,,,\n');
    const refused = await admin('suppress', 'import', file);
    assert.equal(refused.code, 1);
    const { message } = JSON.parse(refused.err).error;
    for (const line of ['line 3: phone', 'line 4: name and company', 'line 5: nobody', 'line 6: email'])
      assert(message.includes(line), message);
    assert.equal((await admin('suppress', 'report', '--email', 'x@y.example')).json.suppressed, false);
    await writeFile(
      file,
      '\uFEFFname,company,email\r\n"Ode, Ben","Fork Homes, LLC",\r\nBo,Diaz & Co,bo@diaz.example\r\nBo,Diaz & Co,BO@diaz.example\r\n',
    );
    assert.deepEqual((await admin('suppress', 'import', file)).json.added, 3);
    await gone('Ben Ode');
    const one = await admin('suppress', 'report', '--name', 'Ben Ode', '--company', 'Fork Homes');
    assert.deepEqual([one.json.suppressed, one.json.entries.map(({ kind }: { kind: string }) => kind)], [true, ['person']]);
    const figures = (await admin('suppress', 'report')).json as { kind: string; entries: number }[];
    assert.deepEqual(pluck(figures, 'kind', 'entries'), [
      ['email', 2],
      ['person', 3],
      ['phone', 1],
    ]);
    const listed = await admin('suppress', 'list');
    assert.equal(listed.json.length, 6);
    assert(!/ben|ode|fork|diaz/i.test(JSON.stringify(listed.json)));
    const rows = await world.api.database.query('select * from suppression');
    assert(!/ben|fork|diaz|ann|example/i.test(JSON.stringify(rows)));
  });

  it('refuse what names nobody', async () => {
    const bad = [
      ['--note', 'x'],
      ['--email', 'ann'],
      ['--name', 'Ann Lee'],
    ];
    const answers = await Promise.all(bad.map((args) => admin('suppress', 'add', ...args)));
    assert.deepEqual(pluck(answers, 'code'), [1, 1, 1]);
  });

  it('are not forgotten by a process with another secret: it shows nobody and cannot add', async () => {
    const other = new Suppressions(world.api.database, 'another pepper of more than 32 characters');
    await assert.rejects(other.current(), { code: 'service_unavailable' });
    await assert.rejects(other.add([{ kind: 'email', text: 'a@b.example' }], SUPPRESSION_HOOKS), /KEY_PEPPER/);
  });

  it('are waited for where Postgres cannot say who they are, rather than shown', async () => {
    await world.api.database.query('alter table suppression rename to elsewhere');
    try {
      await assert.rejects(new Suppressions(world.api.database, world.api.config.keyPepper).current(), { code: 'service_unavailable' });
      // What was known a few seconds ago still holds.
      assert.equal((await world.api.get('/projects/3', {}, { key })).status, 200);
    } finally {
      await world.api.database.query('alter table elsewhere rename to suppression');
    }
  });
});
