/** Values of a case are its own: what may be something else is left open. */
import assert from 'node:assert/strict';
import type { ExtractedCase } from '../../../ingest/extract/types.ts';
import { extract } from './describe.ts';

const HEAD = 'PLANNING COMMISSION\nMINUTES OF MAY 2, 2024\n\nThe meeting was called to order at 6:00 p.m.\n\nPUBLIC HEARINGS\n\n';
const END = '\n\nThe meeting adjourned at 8:00 p.m.\n';
const MOTION = 'Ms. Lee moved to approve. Mr. Ray seconded. The motion passed 5-0.';
const REQUEST = 'Conditional Use Permit for a kennel at 9 Elm Street';

/** The one case of a meeting. @param head its heading; @param below what follows */
function readCase(head: string, below = MOTION): ExtractedCase {
  const { cases } = extract(`${HEAD}1. ${head}\n\n${below}${END}`);
  assert.equal(cases.length, 1, `${head}: ${JSON.stringify(cases.map(({ title }) => title?.value))}`);
  return cases[0] as ExtractedCase;
}

const rolesOf = ({ contacts }: ExtractedCase) => contacts.map(({ role, name }) => `${role}: ${name}`);

describe('an extraction', () => {
  it('reads addresses with the last word of their street, and none from a code or for one side of a block', () => {
    for (const [head, address] of [
      ['Variance for a deck at 1190 Sleepy Hollow Road', '1190 Sleepy Hollow Road'],
      ['Variance for a deck on the east line of Spring Run Drive', 'the east line of Spring Run Drive'],
      ['Rezoning of property bounded by 10th Street, Vernon Boulevard, Broadway and 11th Street', undefined],
      ['Code amendment that moves standards to Section 17-6-4 of the code', undefined],
    ] as const)
      assert.equal(readCase(head).address?.value, address, head);
    assert.equal(readCase('Variance for a deck', `Citizen Name: Ann Betz Address: 7 Oak Road\n\n${MOTION}`).address, null);
  });

  it('gives a case whose number only a motion has what that motion says alone', () => {
    const { cases } = extract(
      `${HEAD}1. Case CU-24-07. ${REQUEST}\n\nMs. Lee moved to approve Case CU-24-07. Mr. Ray seconded. The motion passed 5-0.\n\nMs. Lee moved to approve Case CU-24-31 and accept the conditions. Mr. Ray seconded. The motion passed 5-0.${END}`,
    );
    assert.deepEqual(
      cases.map(({ caseNumbers, address, title }) => [caseNumbers[0]?.value, address?.value, title?.value]),
      [
        ['CU-24-07', '9 Elm Street', REQUEST],
        ['CU-24-31', undefined, undefined],
      ],
    );
  });

  it('ends a title where a word ends, not within one and not at an abbreviation', () => {
    const long = `Site plan for ${'a rather long storehouse and '.repeat(14)}a barn at 9 Elm Street`;
    const title = readCase(long).title?.value ?? '';
    assert.match(title, /\b(?:a|rather|long|storehouse|and) …$/);
    assert(title.length < 310 && title.length > 280, `${title.length}`);
    for (const [head, end] of [
      ['Site plan of Oak Motors, Inc. Phase 2 of a car wash', 'Phase 2 of a car wash'],
      ['Site plan under Section 4 et seq. Part B of the code for a barn', 'for a barn'],
      ['Site plan at 12 Elm Ext. Building 4 for a barn', 'for a barn'],
    ] as const)
      assert(readCase(head).title?.value.endsWith(end), `${head}: ${readCase(head).title?.value}`);
  });

  it('reads zones whole, and no district of another kind, of a code or of a plan as one', () => {
    for (const [head, existing, proposed] of [
      ['Rezoning from a B4-2 District to an M7B District at 9 Elm Street', 'B4-2', 'M7B'],
      ['Rezoning from R-2-6 (Two-Family, 6,000 SF Minimum) to C-2 at 9 Elm Street', 'R-2-6 (Two-Family, 6,000 SF Minimum)', 'C-2'],
      [`${REQUEST}\nZoning: R-2-6 (Two-Family, 6,000 SF Minimum)`, 'R-2-6 (Two-Family, 6,000 SF Minimum)', undefined],
      [`${REQUEST} within the Special Canal District`, undefined, undefined],
      [`${REQUEST} in the Old Mill Historic District`, undefined, undefined],
      ['Text amendment to Chapter 12 for barns in the R9-1 District', undefined, undefined],
      ['General plan amendment from Low Density to the High Density Character Area at 9 Elm Street', undefined, undefined],
      ['General plan change from Low Density to Retail and zone change from RB to C-2 at 9 Elm Street', 'RB', 'C-2'],
      [
        'Zoning map amendment changing an existing B4-2 and B5 District to an M7B and M8 District, 9 Elm Street',
        'B4-2 and B5',
        'M7B and M8',
      ],
      ['Proposed amendments to the Orland Zoning Ordinance, parking, 9 Elm Street', undefined, undefined],
      [`${REQUEST} in the Orland District`, undefined, undefined],
    ] as const) {
      const one = readCase(head);
      assert.deepEqual([one.existingZoning?.value, one.proposedZoning?.value], [existing, proposed], head);
    }
  });

  it('reads figures of the project, not those of land, a sign, a limit or a name', () => {
    const read = (one: ExtractedCase) => [one.squareFootage?.value, one.lots?.value, one.units?.value, one.stories?.value];
    for (const [head, figures] of [
      ['Site plan for a 4,200 square foot store at 9 Elm Street', [4200]],
      ['Site plan for a grocery store of 58,000 square feet at 9 Elm Street', [58_000]],
      ['Site plan for a parcel of land of 42,000 square feet at 9 Elm Street', []],
      ['Sign permit for a sign of 200 square feet at 9 Elm Street', []],
      ['Site plan for stores greater than 10,000 square feet in floor area', []],
      ['Site plan, 47 New Lots Avenue', []],
      ['Site plan, 9 Elm Street\nBlock: 3780, Lots: 15', []],
      ['Site plan to consolidate the two lots at 9 Elm Street', []],
      ['Subdivision of 12 lots at 9 Elm Street', [undefined, 12]],
      ['Site plan for 900 dwelling units of which 200 are in phase 2, 9 Elm Street', []],
      ['Site plan for a 15 unit parking lot at 9 Elm Street', []],
      ['Site plan for homes at 5 units property per acre at 9 Elm Street', []],
    ] as const) {
      const found = read(readCase(head));
      assert.deepEqual(
        found,
        Array.from({ length: 4 }, (_, i) => figures[i]),
        head,
      );
    }
    assert.equal(readCase('Site plan at 9 Elm Street', `The staircase shall be one story in height.\n\n${MOTION}`).stories, null);
    assert.equal(readCase('Text amendment to Chapter 12 for barns on 5 acres').acreage, null);
    assert.equal(readCase('Site plan for a barn on 5 acres').acreage?.value, 5);
  });

  it('reads no staff, council district or definition as a party', () => {
    for (const [head, people] of [
      [`${REQUEST}. Staff Contact: Ann Betz`, []],
      [`${REQUEST}\nPresenter: Ann Betz, Attorney`, []],
      [`${REQUEST}, Council District 7, represented by Ann Betz`, []],
      [`${REQUEST}\nOwner: Any group of persons`, []],
      [`${REQUEST}. For the adjacent property owners, Ms. Betz stated that it is loud.`, []],
      [`Application submitted by 88-66 Fern LLC for a ${REQUEST}`, ['applicant: 88-66 Fern LLC']],
      [`Application submitted by Fern 2 Holding Co. Inc., for a ${REQUEST}`, ['applicant: Fern 2 Holding Co. Inc']],
      [`Application submitted by Fern on 241st, LLC d/b/a Oak for a ${REQUEST}`, ['applicant: Fern on 241st, LLC']],
      [`Application submitted by Elm Community Board 8 for a ${REQUEST}`, ['applicant: Elm Community Board 8']],
      [`On the request of Ann Betz Representing Fern LLC, a ${REQUEST}`, ['applicant: Ann Betz']],
      [`${REQUEST} in the corner of Fern and Oak Streets`, []],
      [`${REQUEST}, on land owned by Ann Betz. The site is flat.`, ['owner: Ann Betz']],
      [`${REQUEST}, within council district 7, represented by Ann Betz`, []],
      [`${REQUEST}, represented by Ann Betz`, ['representative: Ann Betz']],
    ] as const)
      assert.deepEqual(rolesOf(readCase(head)), people, head);
    assert.equal(readCase(REQUEST, 'Action: Approved by Subcommittee with a vote of 5-0.').motions[0]?.mover ?? null, null);
  });

  it('reads the type of a request from the request, not from what is said of it', () => {
    for (const [head, type] of [
      ['Waiver of the area designation requirement and disposition of such property at 9 Elm Street', 'property_disposition'],
      ['Waiver of the setback at 9 Elm Street', 'variance'],
      ['Application for an amendment of the Zoning Resolution of the city', 'zoning_text_amendment'],
      ['Application for an amendment of the Zoning Map from R-1 to R-2', 'rezoning'],
      ['Amendment of the general plan land use map at 9 Elm Street, with its site plan', 'comprehensive_plan_amendment'],
      [
        'Ann Betz requests final subdivision approval at 9 Elm Street.\nThe rezone and the site plan were approved in 2021.',
        'subdivision_plat',
      ],
    ] as const)
      assert.equal(readCase(head).requestType, type, head);
    assert.equal(readCase('Hearing on the Conditional Use Permit:').request, null);
  });

  it('reads no use from the name of a firm, an agency or a law, and none that is denied', () => {
    for (const [words, uses] of [
      ['submitted by Canal Hotel, LLC', []],
      ['submitted by the Department of Housing and Growth', []],
      ['under the Private Housing Finance Law', []],
      ['for Non-Retail Commercial', []],
      ['for a hotel', ['hospitality']],
      ['submitted by Orland Hotel Ministries for a sign', []],
      ['for a sign on the south line of Hotel Road', []],
      ['for a sign in the Grand Hotel District', []],
      ['for a sign east of the future Orland Hotel', []],
      ['under Section 44-2 (Parking for Hotels) for a sign', []],
    ] as const) {
      const found = readCase(`Special permit ${words}, 9 Elm Street`).landUses.map(({ subtype }) => subtype);
      assert.deepEqual(
        found.filter((one) => /hospitality|affordable|retail|^$/.test(one ?? '')),
        uses,
        words,
      );
    }
  });

  it('reads conditions with all their sentences, and none from an ordinance', () => {
    for (const [words, conditions] of [
      ['the following condition: Two signs, each of three square feet, and no others, shall be put up', 1],
      ['the following conditions: 1. Use. This shall be a kennel. 2. Fence. The old fence shall be kept', 2],
      ['the following conditions: 1. It is granted to Ann Q. Betz. 5/ 2/ 24. 2. A deed shall be recorded. A copy of it shall be kept', 2],
    ] as const) {
      const one = readCase(REQUEST, `Ms. Lee moved to approve subject to ${words}. Mr. Ray seconded. The motion passed 5-0.`);
      assert.equal(one.conditions.length, conditions, words);
      assert.match(one.conditions.at(-1)?.value ?? '', /(?:put up|kept)\.?$/);
    }
    const adopted =
      'Ms. Lee moved to adopt the following ordinance: AN ORDINANCE whereby ELM, VIRGINIA, GRANTOR, vacates a road. Mr. Ray seconded.';
    assert.deepEqual(readCase(REQUEST, `${adopted} The motion passed 5-0.`).conditions, []);
  });

  it('reads the day to which a request is tabled, not the one to which the body adjourns', () => {
    const put = (words: string) =>
      readCase(REQUEST, `The applicant asked to table the request. ${words} Ms. Lee moved to table it. Mr. Ray seconded. Passed 5-0.`);
    assert.equal(put('The meeting was adjourned until July 3, 2024.').nextHearing, null);
    assert.equal(
      readCase(REQUEST, `Ms. Lee moved to table it, with the plan last revised July 3, 2024. ${MOTION.slice(24)}`).nextHearing,
      null,
    );
    const tabled = readCase(REQUEST, 'Ms. Lee moved to table the request to June 6, 2024. Mr. Ray seconded. The motion passed 5-0.');
    assert.equal(tabled.nextHearing?.value, '2024-06-06');
  });

  it('reads whole lists of lots, and conditions where staff’s recommendations are followed', () => {
    for (const [words, parcel] of [
      ['Block 723, Lots 1, 2, 3 and 8', 'Block 723, Lots 1, 2, 3 and 8'],
      ['Block 609, p/o Lot 2', 'Block 609, p/o Lot 2'],
      ['Block 71, Lots 4, 12 Oak Street', 'Block 71, Lots 4'],
    ] as const)
      assert.equal(readCase(`${REQUEST}, ${words}`).parcelNumbers[0]?.value, parcel, words);
    const moved = readCase(REQUEST, 'Ms. Lee moved to approve with three staff recommendations. Mr. Ray seconded. The motion passed 5-0.');
    assert.deepEqual([moved.staffRecommendation?.value, moved.decision?.value], ['approval_with_conditions', 'approved_with_conditions']);
  });
});
