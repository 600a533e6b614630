/** Outcomes read from minutes and step histories: invented texts in the form of public data, each like one that was once read wrongly. */
import assert from 'node:assert/strict';
import nyCouncil from '../../ingest/sources/adapters/rules/ny_council.json' with { type: 'json' };
import { readCaseMinutes, votesOf } from '../../ingest/sources/adapters/va_counties.ts';
import { compileTokenClassifier, type TokenRule } from '../../ingest/sources/rules.ts';
import { statuses } from '../../src/core/domain/vocabulary.ts';

const OPENING =
  'Nays: None. 15SN0101 In Dale Magisterial District, Ann Example requests rezoning. Mr. Doe presented a summary of Case 15SN0101 and stated ';
const read = (words: string, meetingDays: readonly string[] = []) => readCaseMinutes(`${OPENING}${words}`, '15SN0101', meetingDays);
const ALL = 'Ayes: Smith, Jones, Brown, Green and White. Nays: None.';

describe('minutes of a case', () => {
  it('name what was moved last, not what was moved first', () => {
    const said = read(
      `for the Board to defer Case 15SN0101 until May 4, 2015. Ms. Jones made a substitute motion for the Board to approve Case 15SN0101. ${ALL}`,
    );
    assert.equal(said.action, 'Approved');
    assert.equal(said.nextHearing, null);
    assert.equal(said.votes.length, 5);
  });

  it('do not take what a citizen urged, or what was done about a neighbour', () => {
    const said = read(
      `Mr. Roe urged the Board to approve Case 15SN0101. The Board denied Case 15SN0101. ${ALL} The Board approved Case 15SN0102. The applicant has withdrawn their application.`,
    );
    assert.equal(said.action, 'Denied');
  });

  it('are of this case though its number was misread in the heading', () => {
    const words = `presented a summary of Case 15SN0101. The Board deferred Case 15SNO101 until March 3, 2015. ${ALL}`;
    assert.equal(readCaseMinutes(words, '1SGN0I0I', []).action, 'Deferred');
  });

  it('name the day to which it was put off, or the only meeting of the month', () => {
    assert.equal(read('the Board deferred Case 15SN0101 until October 28, 2015.').nextHearing, '2015-10-28');
    const month = 'the Board deferred Case 15SN0101 until the May 2015 regularly scheduled meeting.';
    assert.equal(read(month, ['2015-04-29', '2015-05-27']).nextHearing, '2015-05-27');
    assert.equal(read(month, ['2015-05-13', '2015-05-27']).nextHearing, null);
    assert.equal(read(month).nextHearing, null);
  });

  it('tell a withdrawal, with a vote on it or without', () => {
    assert.deepEqual(read('the applicant has formally withdrawn their application.').action, 'Withdrawn');
    const voted = read(`made a motion for the Board to acknowledge the withdrawal of Case 15SN0101. ${ALL}`);
    assert.equal(voted.action, 'Withdrawn');
    assert.equal(voted.votes.length, 5);
    assert.deepEqual(read(`the applicant has withdrawn the request. Mr. Roe spoke of another matter. ${ALL}`).votes, []);
  });

  it('say nothing where they break off before the motion', () => {
    assert.equal(read('the public hearing was closed.').action, null);
  });

  it("give staff's words without those of the Planning Commission", () => {
    const words = 'staff recommends approval; however, the Planning Commission recommended denial.';
    assert.equal(read(words).staffWords, 'staff recommends approval');
    assert.equal(read('the Planning Commission recommended approval.').staffWords, null);
    assert.equal(
      read('both the Planning Commission and staff recommended denial. If the Board approves, staff recommends three conditions.')
        .staffWords,
      'staff recommended denial',
    );
    assert.equal(read('should the Board approve the case, staff recommends three conditions.').staffWords, null);
  });

  it('give votes where every name was read cleanly', () => {
    const names = (words: string) => votesOf(words).map(({ name, vote }) => `${name} ${vote}`);
    assert.deepEqual(names('Ayes: Smith, Jones, and Brown. Nays: Green. 17. PUBLIC HEARINGS'), [
      'Smith yes',
      'Jones yes',
      'Brown yes',
      'Green no',
    ]);
    assert.deepEqual(names('Smith, Jones, Brown and Green. Ayes: Nays: None. 18'), ['Smith yes', 'Jones yes', 'Brown yes', 'Green yes']);
    assert.deepEqual(names('Ayes: Smith, Nays: None. Jones and Brown'), []);
  });
});

describe("steps of New York's Council", () => {
  const statusOf = compileTokenClassifier(nyCouncil.status as TokenRule[], statuses);
  const stepStatus = compileTokenClassifier(nyCouncil.stepStatus as TokenRule[], statuses);

  it("'Filed' is a withdrawal where the minutes or the resolution say so", () => {
    const notes = 'Filed pursuant to a Letter of Wthdrawal.';
    assert.equal(statusOf({ status: 'Filed', notes }), 'withdrawn');
    assert.equal(statusOf({ status: 'Filed', notes: 'Coupled to be Filed.' }), 'unknown');
    assert.equal(stepStatus({ action: 'Filed by Council', body: 'City Council', notes }), 'withdrawn');
    assert.equal(stepStatus({ action: 'Filed by Council', body: 'City Council' }), 'unknown');
  });

  it('a disapproval that was vetoed and deemed adopted was approved', () => {
    const notes = 'The Mayor vetoed the disapproval; the item was deemed adopted pursuant to the Charter.';
    assert.equal(statusOf({ status: 'Vetoed', notes }), 'approved');
    assert.equal(statusOf({ status: 'Vetoed' }), 'unknown');
    assert.equal(stepStatus({ action: 'Vetoed by Mayor', body: 'Mayor', notes }), 'approved');
  });

  it("'Laid Over' and 'Recessed' put a case off; the end of a session puts it aside", () => {
    assert.equal(stepStatus({ action: 'Laid Over by Subcommittee' }), 'continued');
    assert.equal(stepStatus({ action: 'P-C Item Laid Over by Comm' }), 'continued');
    assert.equal(stepStatus({ action: 'Recessed' }), 'continued');
    assert.equal(stepStatus({ action: 'Filed (End of Session)' }), 'tabled');
  });
});
