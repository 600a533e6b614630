/** What the rules read of one value in the ways in which bodies of many states word it. */
import assert from 'node:assert/strict';
import type { ExtractedCase } from '../../../ingest/extract/types.ts';
import { describeCases, extract } from './describe.ts';

const HEAD = 'PLANNING COMMISSION\nMINUTES OF MAY 2, 2024\n\nThe meeting was called to order at 6:00 p.m.\n\nPUBLIC HEARINGS\n\n';
const END = '\n\nThe meeting adjourned at 8:00 p.m.\n';
const MOTION = 'Ms. Lee moved to approve. Mr. Ray seconded. The motion passed 5-0.';

/** The one case of a meeting. @param head its heading; @param below what follows */
function readCase(head: string, below = MOTION): ExtractedCase {
  const { cases } = extract(`${HEAD}1. ${head}\n\n${below}${END}`);
  assert.equal(cases.length, 1, `${head}: ${JSON.stringify(cases.map(({ title }) => title?.value))}`);
  return cases[0] as ExtractedCase;
}

const REQUEST = 'Conditional Use Permit for a kennel at 9 Elm Street';

describe('wordings of an extraction', () => {
  it('count the conditions that a motion takes and does not list', () => {
    const counts: readonly (readonly [string, number | null])[] = [
      ["with staff's eleven conditions", 11],
      ['subject to conditions 1 through 9 of the report', 9],
      ['with the twenty-two conditions', 22],
      ['subject to the nine (9) recommended conditions', 9],
      ['with Stipulations 1-12, deleting Stipulation 4', 11],
      ['with staff conditions A through F and G, a bond', 7],
      ['with the 5 conditions and two additional conditions', 7],
      ['subject to the three conditions and a fourth, that lights be off by ten', 4],
      ['with the 14 conditions and an added No. 15, no trucks on Sunday', 15],
      ['without any conditions', null],
      ['as presented', null],
    ];
    for (const [words, count] of counts) {
      const one = readCase(REQUEST, `Ms. Lee moved to approve the permit ${words}. Mr. Ray seconded. The motion passed 5-0.`);
      assert.equal(one.conditionCount?.value ?? null, count, words);
      assert.equal(one.conditions.length, 0, words);
      assert.equal(one.doubts.filter(({ field }) => field === 'conditions').length, count ? 1 : 0, words);
    }
  });

  it('say what was decided, and who moved and seconded it', () => {
    for (const [words, decision, mover, seconder] of [
      ['A motion was made to table it to June 6. Motion: Lee Second: Ray Ayes: Lee, Ray Approved: 2-0', 'continued', 'Lee', 'Ray'],
      ['Mr. Ray said that it floods. He made a motion, seconded by Ms. Lee, to deny. Carried 5-0.', 'denied', 'Ray', 'Lee'],
      ['Mr. Ray said that he lives near. He moved here in 1990. Ms. Lee moved to approve. Second, Mr. Ray.', 'approved', 'Lee', 'Ray'],
      ['Motion to grant by Lee; second Ray. Carried 5-0.', 'approved', 'Lee', 'Ray'],
      ['Motion Lee, second Ray to carry the request to June 6. Carried 5-0.', 'continued', 'Lee', 'Ray'],
      ['Ms. Lee moved that a recommendation be given against. Mr. Ray seconded. Carried 5-0.', 'recommended_denial', 'Lee', 'Ray'],
      ['Ms. Lee moved to approve it provided there is a fence. Mr. Ray seconded. Carried.', 'approved_with_conditions', 'Lee', 'Ray'],
      ['Ms. Lee moved to approve it with (a) a fence, (b) a gate. Mr. Ray seconded. Carried.', 'approved_with_conditions', 'Lee', 'Ray'],
      ['Ms. Lee moved to approve it with no conditions. Mr. Ray seconded. Carried 5-0.', 'approved', 'Lee', 'Ray'],
      ['Ms. Lee moved for third reading, Mr. Ray seconded. Carried 5-0.', 'approved', 'Lee', 'Ray'],
      ['The ordinance was left on the second reading.', 'continued', undefined, undefined],
      ['The Mayor asked shall the ordinance pass. Upon roll call the ordinance passed 5-0.', 'approved', undefined, undefined],
      ['MOTION Lee, 2nd Ray, to deny. ROLL: Lee Y, Ray Y, Orr N.', 'denied', 'Lee', 'Ray'],
      ['Motion to deny, Lee; second, Ray. 3-0.', 'denied', 'Lee', 'Ray'],
      ['Motion: Lee to approve the permit; Second: Ray; approved 5-0.', 'approved', 'Lee', 'Ray'],
      ['On a motion by Ms. Lee, seconded by Mr. Ray,\nRESOLVED, that the permit be approved. Ayes 5, Noes 0.', 'approved', 'Lee', 'Ray'],
      ['The Board voted by ballot: 8 yes to 0 no to grant the permit.', 'approved', undefined, undefined],
      ['The item was placed on the consent agenda and approved 9-0.', 'approved', undefined, undefined],
      ['Ms. Lee moved not to recommend the article. Mr. Ray seconded. Carried 5-0.', 'recommended_denial', 'Lee', 'Ray'],
      ['Ms. Lee moved to certify it with a favorable recommendation. Mr. Ray seconded. Carried 5-0.', 'recommended_approval', 'Lee', 'Ray'],
      ['Ms. Lee moved to return the case to the Planning Commission. Mr. Ray seconded. Passed 4-1 (Orr no).', 'continued', 'Lee', 'Ray'],
      ['MOVED BY LEE, SECONDED BY RAY, TO OPEN THE PUBLIC HEARING AND CONTINUE IT TO JUNE 6. CARRIED 6-0.', 'continued', 'LEE', 'RAY'],
      [
        'Ms. Lee moved to accept the application as complete. Mr. Ray seconded. Carried 5-0. Mr. Ray moved to continue the hearing to June 6. Ms. Lee seconded. Carried 5-0.',
        'continued',
        'Ray',
        'Lee',
      ],
      ['Ms. Lee moved to approve it w/ staff conditions. Mr. Ray seconded. Carried 5-0.', 'approved_with_conditions', 'Lee', 'Ray'],
      ['Item pulled by the applicant before the meeting.', 'withdrawn', undefined, undefined],
      ['The Examiner continued the hearing to June 6, 2024.', 'continued', undefined, undefined],
    ] as const) {
      const one = readCase(REQUEST, words);
      const motion = one.motions.at(-1);
      assert.deepEqual([one.decision?.value, motion?.mover?.value, motion?.seconder?.value], [decision, mover, seconder], words);
    }
  });

  it('count the vote on the motion before a substitute', () => {
    const one = readCase(
      REQUEST,
      'Ms. Lee moved to approve. Mr. Ray seconded. Mr. Poe made a substitute motion to table. There was no second. Vote on the motion to approve: Ayes 4, Nays 1.',
    );
    assert.deepEqual([one.decision?.value, one.motions.at(-1)?.tally?.value.yes], ['approved', 4]);
  });

  it('name who asks, as headings print it', () => {
    for (const [head, name] of [
      ['In Elm Magisterial District, Acme Homes, LLC requests a Conditional Use Permit at 9 Elm Street', 'Acme Homes, LLC'],
      ['Jane Roe, requesting a Conditional Use Permit for a kennel at 9 Elm Street', 'Jane Roe'],
      ['Acme Development - Conditional Use Permit for a kennel at 9 Elm Street', 'Acme Development'],
      ['Acme Land Development - Conditional Use Permit for a kennel at 9 Elm Street', undefined],
      ['APPEAL OF ROE BROS. MOTORS of the denial of a variance at 9 Elm Street', 'ROE BROS. MOTORS'],
      ['CU-24-07, Ann Betz. Conditional Use Permit for a kennel at 9 Elm Street', 'Ann Betz'],
      ['Application #CU-24-07 of Al & Ann Betz to keep a kennel by Conditional Use Permit', 'Al & Ann Betz'],
      ['CU-24-07 - Evidentiary Hearing - Conditional Use Permit for a kennel', undefined],
      ['Conditional Use Permit for a kennel at 9 Elm Street (Oak Ridge Inc)', 'Oak Ridge Inc'],
    ] as const)
      assert.equal(readCase(head).contacts.find(({ role }) => role === 'applicant')?.name, name, head);
  });

  it('count the conditions of staff where the motion takes those, and none where two counts differ', () => {
    const moved = 'Ms. Lee moved to approve the permit with the conditions of staff. Mr. Ray seconded. The motion passed 5-0.';
    assert.equal(readCase(REQUEST, `Staff recommends approval with 12 conditions.\n\n${moved}`).conditionCount?.value, 12);
    assert.equal(
      readCase(REQUEST, `Staff recommends approval with 12 conditions. The committee had nine conditions.\n\n${moved}`).conditionCount,
      null,
    );
  });

  it('list the conditions of a sentence behind any mark, and those that go on behind what is counted', () => {
    for (const [words, conditions] of [
      ['subject to (i) a fence; (ii) shielded lights; (iii) no parking', ['a fence', 'shielded lights', 'no parking']],
      ['conditioned upon: 1) a fence; 2) shielded lights', ['a fence', 'shielded lights']],
      ['upon (A) a fence, (B) shielded lights and (C) no parking', ['a fence', 'shielded lights', 'no parking']],
      ['on condition that a fence be built and that lights be shielded', ['a fence be built', 'lights be shielded']],
      ['with the findings and the following conditions:\nA. A fence.\nB. Shielded lights.', ['A fence.', 'Shielded lights.']],
      ['with commitments: 1. a fence. 2. shielded lights', ['a fence', 'shielded lights']],
    ] as const) {
      const one = readCase(REQUEST, `Ms. Lee moved to approve the permit ${words}.\n\nMr. Ray seconded. The motion passed 5-0.`);
      assert.deepEqual(
        one.conditions.map(({ value }) => value.replace(/[.,;]+$/, '')),
        conditions.map((value) => value.replace(/\.$/, '')),
        words,
      );
      assert.equal(one.decision?.value, 'approved_with_conditions');
    }
    const further = 'to approve the permit with the eleven conditions of staff, and with:\n12. A fence is built.\n13. No trucks on Sunday.';
    const one = readCase(REQUEST, `Ms. Lee moved ${further}\n\nMr. Ray seconded. The motion passed 5-0.`);
    assert.deepEqual([one.conditions.length, one.conditionCount?.value], [2, 13]);
  });

  it('read parcels as the assessors of many states number them', () => {
    for (const [words, parcels] of [
      ['Tax Parcel ID R7012 018', ['R7012 018']],
      ['Prop. ID R017765', ['R017765']],
      ['tag numbers 05F99021 and 05F99022H', ['05F99021', '05F99022H']],
      ["assessor's nos. 0452600 and 0452601", ['0452600', '0452601']],
      ['Parcel RP61N05W114850A', ['RP61N05W114850A']],
      ['Tax Map Key (4) 2-8-014:032', ['2-8-014:032']],
      ['B: 340.01, L: 2, 3 & 4', ['B: 340.01, L: 2, 3 & 4']],
      ["Lot 211 on Assessor's Plat 44", ["Lot 211 on Assessor's Plat 44"]],
      ['Map 19 / Lot 77', ['Map 19 / Lot 77']],
      ['Tax Map 29, Grid 24, Parcel 307', ['Tax Map 29, Grid 24, Parcel 307']],
      ['Tax Map 121, Parcels 7.00 and 7.01', ['Tax Map 121, Parcels 7.00 and 7.01']],
      ['#95.-1-7.1', ['95.-1-7.1']],
      ['0532-30-1-11-018', ['0532-30-1-11-018']],
      ['Tax I.D. No. 133-6.00-53.00', ['133-6.00-53.00']],
      ['Block 71, Lots 4 and 5, 0.92 acres', ['Block 71, Lots 4 and 5']],
    ] as const)
      assert.deepEqual(
        readCase(`${REQUEST}, ${words}`).parcelNumbers.map(({ value }) => value),
        parcels,
        words,
      );
  });

  it('read zones that are a part of the heading, stand in brackets or behind a name', () => {
    for (const [words, existing, proposed] of [
      ['Site plan, 6 Chapel Street, 0.31 acre, B-1', 'B-1', null],
      ['Site plan, 6 Chapel Street - R-20 - Oak LLC', 'R-20', null],
      ['Site plan, 6 Chapel Street; Rural Reserve (RRv)', 'Rural Reserve (RRv)', null],
      ['Site plan, 6 Chapel Street, 2 acres, Village Green district', 'Village Green', null],
      ['Site plan, 6 Chapel Street, IL Light Industrial District', 'IL Light Industrial', null],
      ['Rezoning of 6 Chapel Street (R1 & GB to R3)', 'R1 & GB', 'R3'],
      [
        'Rezoning of 6 Chapel Street from (R1-C) Single Family Residential to (RM-1) Attached Single Family',
        '(R1-C) Single Family Residential',
        '(RM-1) Attached Single Family',
      ],
      ['Rezoning of land presently zoned "R-1-A" to "CF", 6 Chapel Street', 'R-1-A', 'CF'],
      ['Variance for a shed at 6 Chapel Street, exhibits 1 to 4', null, null],
    ] as const) {
      const one = readCase(words);
      assert.deepEqual([one.existingZoning?.value ?? null, one.proposedZoning?.value ?? null], [existing, proposed], words);
    }
  });

  it('read numbers of cases that begin with the year, and bills', () => {
    for (const [words, number] of [
      ['2024SP-056-001 Rezoning of 9 Elm Street', '2024SP-056-001'],
      ['22CUP-00000-00029 Conditional use permit for a winery', '22CUP-00000-00029'],
      ['Final plat, Oak Hill Block 9, OV2302187', 'OV2302187'],
      ['Conditional use permit for Quik Shop (2023058)', '2023058'],
      ['App. #PZC-23-31. Special permit for a rear lot', 'PZC-23-31'],
      ['Bill No. 24-12, an ordinance rezoning 9 Elm Street from R-1 to R-2', '24-12'],
    ] as const)
      assert.deepEqual(readCase(words).caseNumbers[0]?.value, number, words);
  });

  it('take the line below a heading for the title where the heading says the kind alone', () => {
    for (const [words, title] of [
      ['VARIANCE\nA silo of 142 feet where 100 feet is the limit', 'A silo of 142 feet where 100 feet is the limit'],
      ['VARIANCE\nRequest: A silo of 142 feet where 100 feet is the limit', 'A silo of 142 feet where 100 feet is the limit'],
      ['Rezoning, 9 Elm Street\nFrom R-1 (Residential) to C-2 (Commercial)', 'From R-1 (Residential) to C-2 (Commercial)'],
      ['Variance for a silo of 142 feet\nThe board went to see the farm.', 'Variance for a silo of 142 feet'],
    ] as const)
      assert.equal(readCase(words).title?.value, title, words);
  });

  it('read actions in braces, counts before names, and resolutions above their motion', () => {
    const below = (words: string) => describeCases(`${HEAD}1. CU-24-07 ${REQUEST}\n\n${words}${END}`);
    assert.deepEqual(
      below('{Action: Tabled - Date: 6/11/2024   Motion: Lee   Second: Ray   Vote: 3-1; Lee-Yes; Ray-Yes; Poe-Yes; Ash-No}'),
      ['CU-24-07 · continued · Lee/Ray · 3-1 · Lee Ray Poe -Ash · again 2024-06-11'],
    );
    assert.deepEqual(
      below(
        'Ms. Lee moved, seconded by Mr. Ray, to approve the permit.\n\nMOTION PASSED BY MAJORITY VOTE:\nYes - 3    Lee, Ray, Poe\nNo - 1    Ash\nAbsent - 1    Oak',
      ),
      ['CU-24-07 · approved · Lee/Ray · 3-1 · Lee Ray Poe -Ash ?Oak'],
    );
    assert.deepEqual(
      below(
        'Motion: Approve the permit.\nMoved by: Lee\nSeconded by: Ray\n\nAyes\tLee, Ray, Poe\nNays\tAsh\nAbsent\tOak\n\nMotion carried 3-1.',
      ),
      ['CU-24-07 · approved · Lee/Ray · 3-1 · Lee Ray Poe -Ash ?Oak'],
    );
    assert.deepEqual(
      below('RESOLVED that the Board denies the permit for want of frontage. Motion by M. Lee, second by D. Ray. Carried 4-0.'),
      ['CU-24-07 · denied · M. Lee/D. Ray · 4-0 · '],
    );
    assert.deepEqual(
      below(
        'On a motion by Ms. Lee, seconded by Mr. Ray, the following resolution was adopted:\nWHEREAS, the lot is narrow;\nRESOLVED, the Board does hereby DENY Case CU-24-07. The vote was 4-0.',
      ),
      ['CU-24-07 · denied · Lee/Ray · 4-0 · '],
    );
  });

  it('open an item with the number of its case and the name of who asks, or the kind and its letters in brackets', () => {
    const headed = (words: string) => describeCases(`${HEAD}${words}\n\n${MOTION}${END}`).map((line) => line.split(' · ', 2).join(' · '));
    for (const [words, number] of [
      ['23655 - Ann Betz\n\nAction Requested:\nVariance to reduce a setback', '23655'],
      ['23672 - Ellers & Poe\n\nAction Requested:\nVerification of the spacing of a dispensary', '23672'],
      ['24-15: Ann Betz\nSpecial exception for a kennel', '24-15'],
      ['2024-118. Betz Kennels LLC\nA variance of the side yard', '2024-118'],
      ['4. GRADING PLAN MODIFICATION (GPM) 24-011\nLocation: 9 Elm Street\nApplicant: Ann Betz', '24-011'],
      ['Conditional Use Permit (CUP) No. 24-012, "The Tack Room"', '24-012'],
      ['2) Zone Change (ZC) #24-03, 9 Elm Street', '24-03'],
    ] as const)
      assert.deepEqual(headed(words), [`${number} · approved`], words);
  });

  it('read tables whose rows have several lines, cell after cell', () => {
    const table = `
+------+-----------------------------+----------+---------------------------+
| ITEM | APPLICATION                 | STAFF    | ACTION                    |
+------+-----------------------------+----------+---------------------------+
| 1    | TM-24-0006                  | APPROVAL | RECOMMENDED FOR APPROVAL  |
|      | Betz Ranch Unit 4, 57 lots  |          | with 22 conditions        |
|      | Betz Homes LLC              |          | Motion Lee                |
|      |                             |          | Second Ray   3-1          |
|      |                             |          | (Ash no)                  |
+------+-----------------------------+----------+---------------------------+
| 2    | CUP-24-0042                 | DENIAL   | CONTINUED to 9/5/24       |
|      | Kennel, 9 Elm Street        |          | Motion Ray                |
|      |                             |          | Second Lee   4-0          |
+------+-----------------------------+----------+---------------------------+
`;
    assert.deepEqual(describeCases(`${HEAD}${table}${END}`), [
      'TM-24-0006 · recommended_approval · Lee/Ray · 3-1 · -Ash',
      'CUP-24-0042 · continued · Ray/Lee · 4-0 ·  · again 2024-09-05',
    ]);
  });

  it('read movers, seconders and votes as short minutes write them', () => {
    for (const [words, expected] of [
      ['M/Lee S/Ray to approve. 4-0', 'approved · Lee/Ray · 4-0 · '],
      ['Motion Lee to approve; second Ray. All aye 4-0.', 'approved · Lee/Ray · 4-0 · '],
      ['Motion Lee, second Ray, approve. 4-0.', 'approved · Lee/Ray · 4-0 · '],
      ['Motion Lee/Ray to deny. 4-0.', 'denied · Lee/Ray · 4-0 · '],
      ['Lee motion to approve; second by Ray. Motion carried 4-0.', 'approved · Lee/Ray · 4-0 · '],
      ['Motion by Lee, support by Ray, to deny. Motion carried 4-0.', 'denied · Lee/Ray · 4-0 · '],
      ['Moved by Lee with support from Ray to deny. Motion carried 4-0.', 'denied · Lee/Ray · 4-0 · '],
      ['Ms. Lee thereupon moved to deny, Mr. Ray seconded. Motion carried 4-0.', 'denied · Lee/Ray · 4-0 · '],
      [
        'MOTION (Lee, 2nd Ray): approve the permit. VOTE: Lee Y / Ray Y / Poe N / Ash abst. / Oak Y - PASSES 3-1-1',
        'approved · Lee/Ray · 3-1-1 · Lee Ray -Poe ~Ash Oak',
      ],
      [
        'Motion by Lee, second by Ray, to approve.\n   Ms. Lee        FOR\n   Mr. Ray        FOR\n   Mr. Ash        AGAINST',
        'approved · Lee/Ray · 2-1 · Lee Ray -Ash',
      ],
      [
        'On motion of Lee, the Board voted 3-1-0 (Lee, Ray, Poe "aye"; Ash "nay"; no "abstentions"; Oak absent) to approve the permit.',
        'approved · Lee/ · 3-1 · Lee Ray Poe -Ash ?Oak',
      ],
      [
        'Ms. Lee moved to deny. Mr. Ray seconded the motion, which passed 3-0, Mr. Ash having recused himself.',
        'denied · Lee/Ray · 3-0 · !Ash',
      ],
    ] as const)
      assert.deepEqual(describeCases(`${HEAD}1. CU-24-07 ${REQUEST}\n\n${words}${END}`), [`CU-24-07 · ${expected}`], words);
  });

  it('tell minutes by movers and seconders behind letters', () => {
    const lines = [1, 2, 3].map((place) => `${place}) CSM - Betz, ${place} Elm Street. M/Lee S/Ray to approve CSM. 4-0.`);
    assert.equal(extract(`Town of Betz\nPLAN COMMISSION 3/6/24 6 pm\n\nagenda ok M/Lee S/Ray.\n\n${lines.join('\n\n')}`).kind, 'minutes');
  });

  it('take for headings what a document repeats: a sign, or numbers of one form', () => {
    const heads = [
      'Reed Tract (Final Land Development), Elm Homes, 102 ac.',
      'Betz, Ann (Minor Subdivision), 11 Elm Rd.',
      'Oak Brewing (Conditional Use), 25 Ash Ave.',
    ];
    for (const sign of ['◆', '►', '※']) {
      const items = heads.map((head) => `${sign} ${head}\n– three neighbors had questions\n${MOTION}`);
      const cases = describeCases(`${HEAD}${items.join('\n\n')}${END}`);
      assert.equal(cases.filter((one) => one.includes('approved · Lee/Ray · 5-0')).length, 3, `${sign}: ${cases.join('\n')}`);
    }
    const numbered = [
      '#24-08 SE, Oak Compassion, 410 Elm Pike, Special Exception for a shop.',
      '#24-12 SE, Betz Trust, 24 homes for the elderly.',
    ];
    const found = extract(
      `${HEAD}${numbered.join(' Hearing closed.\n\n')} Hearing closed.\n\nOLD BUSINESS\n\n#24-08 SE: ${MOTION}\n\n#24-12 SE: ${MOTION}${END}`,
    ).cases;
    assert.deepEqual(
      found.map(({ caseNumbers }) => caseNumbers.map(({ value }) => value).join()),
      ['24-08', '24-12'],
    );
  });

  it('take no points of a discussion for headings, though each begins with the same sign', () => {
    const points = ['◆ parking was discussed', '◆ the trees stay', '◆ the use permit of 2019 was mentioned', '◆ lights go out at ten'];
    assert.equal(extract(`${HEAD}1. ${REQUEST}\n\n${points.join('\n\n')}\n\n${MOTION}${END}`).cases.length, 1);
  });

  it('part lists that stand in one paragraph, but for those of conditions', () => {
    const consent =
      'CONSENT AGENDA. A. Minutes of May 2. B. Final plat of Oak Ridge. C. Claims. D. Lot split, 12 Elm Street. Ms. Lee moved to approve the consent agenda. Mr. Ray seconded. Motion carried 5-0.';
    assert.deepEqual(describeCases(`${HEAD}${consent}${END}`), [
      'Final plat of Oak Ridge · approved · Lee/Ray · 5-0 · ',
      'Lot split, 12 Elm Street · approved · Lee/Ray · 5-0 · ',
    ]);
    const conditions = 'The fence is six feet high. 2. The final plat is signed. 3. The lights go out at ten.';
    assert.deepEqual(
      describeCases(
        `${HEAD}1. CU-24-07 ${REQUEST}\n\nMs. Lee moved to approve with these conditions: 1. ${conditions} Mr. Ray seconded. Carried 4-0.${END}`,
      ),
      ['CU-24-07 · approved_with_conditions · Lee/Ray · 4-0 ·  · 3 conditions'],
    );
  });

  it('put a request off to the day that is named where nothing is decided, but for a day of something else', () => {
    for (const [words, expected] of [
      ['Not opened; scheduled for May 15.', ['CU-24-07 · continued · / ·  ·  · again 2024-05-15']],
      ['The notice was late. On for June 4, 2024.', ['CU-24-07 · continued · / ·  ·  · again 2024-06-04']],
      ['The house was built on April 9.', ['CU-24-07 · none · / ·  · ']],
    ] as const)
      assert.deepEqual(describeCases(`${HEAD}1. CU-24-07 ${REQUEST}\n\n${words}${END}`), expected, words);
  });

  it('end an item where other business has the next mark', () => {
    const motion = MOTION.replace('approve', 'approve the purchase');
    assert.deepEqual(
      describeCases(
        `${HEAD}1. CU-24-07 ${REQUEST}\n\nMs. Lee moved to deny. Mr. Ray seconded. Carried 4-0.\n\n2. Purchase of a truck\n\n${motion}${END}`,
      ),
      ['CU-24-07 · denied · Lee/Ray · 4-0 · '],
    );
  });

  it('say who voted how, in the forms of a roll call', () => {
    for (const [words, votes] of [
      [
        'Ms. Lee moved to approve. Mr. Ray seconded. ROLL CALL: Lee - Y Ray - Y Orr-Kay - N Poe - Y. Motion carried 3-1.',
        'Lee Ray -Orr-Kay Poe',
      ],
      ['Motion by Lee, second by Ray, to approve. Lee Yes Ray Yes Orr No Poe Abstain Motion carried 2-1-1.', 'Lee Ray -Orr ~Poe'],
      ['A motion was made by Member Lee, seconded by Member Ray, to approve.\nAye: 3 - Lee, Ray, Poe\nNo: 1 - Orr', 'Lee Ray Poe -Orr'],
      [
        'Motion to approve.\n\nMotion by Ann Lee, second by Bo Ray.\nFinal Resolution: Motion Carries\nAye: Ann Lee, Bo Ray\nNay: Al Orr',
        'Ann Lee Bo Ray -Al Orr',
      ],
      ['Ms. Lee moved to approve. Mr. Ray seconded. VOTED: Lee, Ray and Poe for; Orr against. Motion passed.', 'Lee Ray Poe -Orr'],
      ['Ms. Lee moved to approve. Mr. Ray seconded. Lee, Ray, Poe and Orr, all in favor. Granted.', 'Lee Ray Poe Orr'],
      ['Ms. Lee moved to approve. Mr. Ray seconded. Motion carried 3-2 (Orr, Poe).', '-Orr -Poe'],
      ['Ms. Lee moved to approve. Mr. Ray seconded. Motion carried 4-1 (Orr, Poe out).', ''],
      ['Ms. Lee moved to approve. Mr. Ray seconded. Passed 3-2 (Orr and Poe no).', '-Orr -Poe'],
      ['The ordinance was read a second time and approved on the following roll call: Lee-aye, Ray-aye, Orr-nay.', 'Lee Ray -Orr'],
      ['Motion Lee, support Ray, to approve. Roll call: Yes - Lee, Ray, Ann B. Poe. No - Orr.', 'Lee Ray Ann B. Poe -Orr'],
      ['Ms. Lee moved to approve. Mr. Ray seconded. Roll call: all yes. Carried unanimously.', ''],
    ] as const)
      assert.equal(describeCases(`${HEAD}1. CU-24-07 ${REQUEST}\n\n${words}${END}`)[0]?.split(' · ')[4], votes, words);
  });

  it('decide items of consent by the motion above or below their list, but those that it leaves out', () => {
    const list =
      'a. Minutes of April 4.\n\nb. Final plat of Oak Ridge, 18 lots.\n\nc. Lot split, 12 Elm Street.\n\nd. Purchase of a truck.';
    for (const [consent, decided] of [
      [`2. CONSENT AGENDA. Lee moved and Ray seconded approval. Passed 6-0.\n\n${list}`, ['approved', 'approved']],
      [
        `CONSENT AGENDA\n\nA motion was made by Lee, seconded by Ray, to approve the Consent Agenda. Carried 3-0.\n\n${list}`,
        ['approved', 'approved'],
      ],
      [
        `CONSENT AGENDA\n\n${list}\n\nMs. Lee moved to approve the consent agenda except item c. Mr. Ray seconded. Carried 5-0.`,
        ['approved'],
      ],
    ] as const)
      assert.deepEqual(
        extract(`${HEAD}${consent}${END}`).cases.flatMap(({ decision }) => (decision ? [decision.value] : [])),
        decided,
        consent,
      );
  });

  it('name the party that stands behind two numbers or asks, and no member, use or paper', () => {
    for (const [head, below, name] of [
      ['24-0098 SUP-24-15 Oak Gravel, LLC\nSpecial use permit for a pit, 9 Elm Street', MOTION, 'Oak Gravel, LLC'],
      ['CU-24-07 Conditional use, 9 Elm Street', `St. Ann Church wants a shelter of twelve beds. ${MOTION}`, 'St. Ann Church'],
      [
        'CU-24-07 Conditional use, 9 Elm Street',
        `Round Hill Holdings, LC (Bo Kay, manager) asks to keep bees. ${MOTION}`,
        'Round Hill Holdings, LC',
      ],
      ['CU-24-07 CONDITIONAL USE - OUTDOOR STORAGE, 9 Elm Street', MOTION, undefined],
      ['CU-24-07 Conditional use, 9 Elm Street, Wind Energy Systems', MOTION, undefined],
      ['CU-24-07 Conditional use, 9 Elm Street', `Mr. Ray asks for a fence. ${MOTION}`, undefined],
    ] as const)
      assert.equal(readCase(head, below).contacts.find(({ role }) => role === 'applicant')?.name, name, `${head} ${below}`);
  });

  it('take for the title of a heading that has a name or a kind alone the sentence behind it as well', () => {
    for (const [head, title] of [
      ['TEXT AMENDMENT, CASE TA-24-01. Article 9, storage containers.', 'TEXT AMENDMENT, CASE TA-24-01. Article 9, storage containers'],
      ['FINAL PLAT. Oak Bluff Division 3, 31 lots.', 'FINAL PLAT. Oak Bluff Division 3, 31 lots'],
      ['FINAL PLAT. The Clerk said that it is complete.', 'FINAL PLAT'],
    ] as const)
      assert.equal(readCase(head).title?.value, title);
  });

  it('part the numbers of a joint heading that are moved on, each with what came of it', () => {
    const carried = 'Mr. Ray seconded. The motion passed 5-0.';
    const heading = 'Rezoning RZ-24-05 and Variance VA-24-11 - Mill Pond Homes, 9 Elm Street';
    const words = 'Case #2024-12, variance to the side yard at 9 Elm Street, and Case #2024-13, special exception for a shed';
    for (const [head, below, cases] of [
      [
        heading,
        `Ms. Lee moved to approve RZ-24-05. ${carried}\n\nMs. Lee moved to table VA-24-11 until June 6. ${carried}`,
        ['RZ-24-05 approved', 'VA-24-11 continued'],
      ],
      [heading, `Ms. Lee moved to approve RZ-24-05 and VA-24-11. ${carried}`, ['RZ-24-05,VA-24-11 approved']],
      [
        heading,
        `Ms. Lee moved to adopt the map (RZ-24-05). ${carried}\n\nMs. Lee moved to deny VA-24-11. ${carried}`,
        ['RZ-24-05 approved', 'VA-24-11 denied'],
      ],
      [words, `Ms. Lee moved to deny Case #2024-12 and Case #2024-13. ${carried}`, ['2024-12 denied', '2024-13 denied']],
      [words, `Ms. Lee moved to deny Case #2024-12. ${carried}`, ['2024-12,2024-13 denied']],
    ] as const)
      assert.deepEqual(
        extract(`${HEAD}1. ${head}\n\n${below}${END}`).cases.map(
          ({ caseNumbers, decision }) => `${caseNumbers.map(({ value }) => value).join()} ${decision?.value}`,
        ),
        cases,
        below,
      );
  });

  it('hear of a petition in its line that it was withdrawn', () => {
    const { cases } = extract(`${HEAD}S-4101 OAK BLUFF (minor). Petition withdrawn by letter of April 30.${END}`);
    assert.deepEqual(
      cases.map(({ caseNumbers, decision }) => [caseNumbers[0]?.value, decision?.value]),
      [['S-4101', 'withdrawn']],
    );
  });

  it('take the numbers of a table, and those within a paragraph, for items where other paragraphs begin with such numbers', () => {
    const rows = 'RZ-24-01 Oak Homes 12 Elm St RA to R-3, 8 acres CU-24-02 Ann Betz 9 Ash St Kennel V-24-03 Cox 4 Oak St Rear yard, 6 feet';
    const talk = [
      `RZ-24-01. Mr. Cox spoke for the owner. ${MOTION}`,
      'CU-24-02. Ms. Betz lives there. Ms. Lee moved to deny. Mr. Ray seconded. The motion passed 4-1. V-24-03. Nobody came. Mr. Ray moved to table it. Ms. Lee seconded. The motion passed 5-0.',
    ];
    assert.deepEqual(describeCases(`${HEAD}${rows}\n\n${talk.join('\n\n')}${END}`), [
      'RZ-24-01 · approved · Lee/Ray · 5-0 · ',
      'CU-24-02 · denied · Lee/Ray · 4-1 · ',
      'V-24-03 · continued · Ray/Lee · 5-0 · ',
    ]);
  });

  it('decide rows of a table by the motion that names their marks', () => {
    const rows = [
      '2A | Oak Ridge | PP-24-011 | Final plat, 66 lots',
      '2B | Elm Court | PP-24-012 | Final plat, 2 lots',
      '2C | Mill Pond | PP-24-013 | Final plat',
    ];
    const motion = 'Ms. Lee moved to approve 2A and 2B with the conditions of staff. Mr. Ray seconded. The motion passed 5-0.';
    const later = 'PP-24-013. Ms. Lee moved to table PP-24-013. Mr. Ray seconded. The motion passed 5-0.';
    assert.deepEqual(
      describeCases(`${HEAD}${rows.map((row) => `| ${row} |`).join('\n')}\n\n${motion}\n\n${later}${END}`).map((one) =>
        one.split(' · ', 2).join(' '),
      ),
      ['PP-24-011 approved_with_conditions', 'PP-24-012 approved_with_conditions', 'PP-24-013 continued'],
    );
  });

  it('take what has the mark of requests for one, and doubt it where no word says so', () => {
    const items = ['Rezoning of 9 Elm Street', 'Final plat of Oak Ridge', 'Site plan for a store', 'Variance for a deck'];
    const other = 'Private road, Deer Creek Trail\n\nMr. Cox asks for an easement of 66 feet for four parcels of 10 acres.';
    const heads = [...items, other, 'Election of a chair'].map((head, i) => `${i < 4 ? 6 : 8}.${(i % 4) + 1} ${head}\n\n${MOTION}`);
    const { cases } = extract(`${HEAD}${heads.join('\n\n')}${END}`);
    assert.deepEqual(
      cases.map(({ title, doubts }) => [title?.value, doubts.some(({ field }) => field === 'request')]),
      [...items.map((item) => [item, false]), ['Private road, Deer Creek Trail', true]],
    );
  });

  it('begin an item with a motion on an ordinance that the item above it has not named', () => {
    const above = `9:30 Public hearing on petition 20-R-04 of Oak Homes to rezone 5 acres. ${MOTION}`;
    const motion = 'Moved by Lee, second by Ray to table Ordinance 2020-4, amending the Zoning Ordinance. Ayes: Lee, Ray. Carried.';
    assert.deepEqual(describeCases(`${HEAD}${above}\n\n${motion}${END}`), [
      '20-R-04 · approved · Lee/Ray · 5-0 · ',
      ' · continued · Lee/Ray · 2-0 · Lee Ray',
    ]);
  });

  it('read a request and the vote on it that is an item of its own as one', () => {
    const { cases } = extract(
      `${HEAD}3.B. Public hearing on a use permit of Ann Betz for a kennel\n\nThe hearing was opened at 7:09. Ms. Betz said that she has ten dogs. The hearing was closed.\n\n3.C. Consider recommendation to the Council on the use permit of 3.B.\n\n${MOTION}${END}`,
    );
    assert.deepEqual(
      cases.map(({ decision }) => decision?.value),
      ['recommended_approval'],
    );
  });
});
