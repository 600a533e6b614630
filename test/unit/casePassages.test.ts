import assert from 'node:assert/strict';
import type { CaseNames } from '../../src/core/domain/cases/caseNames.ts';
import { findCasePassages, findOwnPassages } from '../../src/core/domain/cases/casePassages.ts';

const names = (given: Partial<CaseNames>): CaseNames => ({ numbers: [], parcels: [], addresses: [], titles: [], ...given });
const texts = (document: string, given: Partial<CaseNames>) => findCasePassages(document, names(given)).map(({ text }) => text);

/** A hearing of made-up minutes: what its record knows of it, and its text; null for what is no case of a record. */
type Hearing = [Partial<CaseNames> | null, string];

/** Made-up minutes in the style of towns: headings of cases and texts of hearings. `@` is replaced by words unique to the hearing. */
const TOWNS: Record<string, { joined: string; hearings: Hearing[] }> = {
  'items with a case number in the next line': {
    joined: '\n\n',
    hearings: [
      [null, 'Minutes of May 5\nThe chair called the meeting to order. @'],
      [{ numbers: ['RZ-2026-6103'] }, 'Item 1.\nCase RZ-2026-6103. Acme asks for a rezoning of 5 acres.\nNeighbors spoke. @'],
      [{ numbers: ['SUP-2026-0042'] }, 'Item 2.\nCase SUP-2026-0042. Zenith asks for a permit.\nConditions:\n1. No noise.\n2. No light. @'],
      [null, 'The meeting was adjourned. @'],
    ],
  },
  'variances by number, in capitals, with the shop behind it (a county seat in New York)': {
    joined: '\n',
    hearings: [
      [null, 'Regular Meeting held: Wednesday\nPresent: A. Turner, Chairman\nThe meeting was called to order at 7:30 p.m. @\nOLD BUSINESS'],
      [
        { numbers: ['Sign Variance 1153'] },
        'SIGN VARIANCE NO. 1153 Jade Lantern Restaurant\nAttorney Hale represented the applicant. The height was 24 feet. @\nMr. Behr MOVED DENIAL of Variance 1153. Passed unanimously. @',
      ],
      [
        { numbers: ['Sign Variance 1158'] },
        "SIGN VARIANCE NO. 1158 Ramsgate Fuel\nAttorney O'Dell inventoried the existing signs. @\nMrs. Gold MOVED APPROVAL. Passed 5-1. @",
      ],
      [null, 'NEW BUSINESS\nThe board spoke of its budget. @'],
    ],
  },
  'numbered applications with case number, names and address in one line (a town in New York)': {
    joined: '\n',
    hearings: [
      [null, 'CALL TO ORDER\nThe meeting was called to order at 7:11 PM. Applications #2 and #5 are adjourned. @'],
      [
        { numbers: ['3223'], addresses: ['3 Glen Lane'] },
        'Application No. 1 - CASE NO. 3223 - Mara and Joan Maresky - 3 Glen Lane\nThe public hearing was opened in June. @\nMotion: To approve the requested variance\nMoved by Jon Sax, seconded by Stefan Marsh\nAction: Unanimously approved @',
      ],
      [
        { numbers: ['3260'], addresses: ['1122 Palmer Avenue'] },
        'Application No. 4 - CASE NO. 3260/3288 - Ryan Fifter - 1122 Palmer Avenue - Extension\nThe architect asked for more time. @\nMotion: To approve the requested extension\nAction: Denied 3 to 2 @',
      ],
    ],
  },
  'short numbers with the property below (a port in New Hampshire)': {
    joined: '\n\n',
    hearings: [
      [null, 'III. PUBLIC HEARINGS - OLD BUSINESS @'],
      [
        { addresses: ['600 Layfield Road'], parcels: ['243-2'] },
        'A) Case #10-7\nPetitioner: Crossway House\nProperty: 600 Layfield Road\nAssessor Plan 243, Lot 2\nDescription: Erect a shed.\n\nSPEAKING IN FAVOR OF THE PETITION\n\nThe director said that storage was short. @\n\nDECISION OF THE BOARD\n\nIt was voted to grant the petition, 6-1. @',
      ],
      [
        { numbers: ['10-8'] },
        'B) Case #10-8\nPetitioner: Harbor Lofts\nProperty: 21 Brewery Lane\nDescription: A sixth story.\n\nSPEAKING IN OPPOSITION TO THE PETITION\n\nMs. Ward of 600 Layfield Road feared for her view. @\n\nDECISION OF THE BOARD\n\nIt was voted to postpone. @',
      ],
      [null, 'IV. OTHER BUSINESS\n\nThe rules were discussed. @'],
    ],
  },
  'letters and addresses alone (a village in Illinois)': {
    joined: '\n',
    hearings: [
      [null, 'IV. OLD BUSINESS @'],
      [
        { addresses: ['280 Indian Hollow Drive'] },
        'A. 280 Indian Hollow Drive, David and Kate Zepan\nFence Code, Section 15.20\nThe petitioners were present. @\n1. Safety of children.\n2. Privacy. @\nMotion to grant carried 4 to 0. @',
      ],
      [
        { addresses: ['15 Mohawk Trail'] },
        'B. 15 Mohawk Trail, Estelle Orr\nZoning Ordinance, Section 17.40\nA neighbor of 280 Indian Hollow Drive objected. @\nThe petition was tabled. @',
      ],
      [null, 'V. NEW BUSINESS\nNone. @'],
    ],
  },
  'case numbers at the end of a long heading (a city in Texas)': {
    joined: '\n',
    hearings: [
      [null, 'REGULAR SESSION - 6:30 PM Call to Order @\nPublic Hearings'],
      [
        { numbers: ['19-061'] },
        'A. Public hearing and consideration of a Replat of Lot 1R, Block 11 Ridgeway Estates, located west of I-35 and\naddressed as 1710 Ranger Dr. (Case 19-061)\nStaff presented. @\nMotion by Cox to approve. Motion passed 8-0. @',
      ],
      [
        { numbers: ['19-071'] },
        'B. Site Plan (Case 19-071) and Final Plat (Case 19-070) for Casa Verde, a restaurant at 215 NE Wilton Blvd.\nStaff asked for a denial. @\nMotion by Hill to deny. Motion passed 5-3. @',
      ],
      [
        { numbers: ['19-081'] },
        'C. Public hearing and consideration of an ordinance on charging stations (Case 19-081)\nThere were no speakers. @',
      ],
    ],
  },
  'capitals over two lines, no marks (a city on the Gulf)': {
    joined: '\n',
    hearings: [
      [null, 'CALL TO ORDER\nThe chair opened the meeting. @'],
      [
        { numbers: ['18-00104'] },
        'CONSIDERATION AND POSSIBLE ACTION - FINAL PLAT OF PEAR\nPLACE PLAT 18-00104\nA request of Chuck Dare, the applicant. @\nThe motion passed 6-0. @',
      ],
      [{ numbers: ['ZC 18-00012'] }, 'PUBLIC HEARING: ZONE CHANGE NO. ZC 18-00012\nA request of the city. @\nThe motion failed 2-4. @'],
      [null, 'ADJOURNMENT\nThe chair adjourned at 11 p.m. @'],
    ],
  },
  'petitions by year and number (a city in North Carolina)': {
    joined: '\n\n',
    hearings: [
      [
        { numbers: ['2019-175'] },
        'HEARING ON PETITION NO. 2019-175 BY DRAKE REALTY FOR A CHANGE IN ZONING\n\nThe scheduled hearing was held. @\n\nMotion was made and carried unanimously to close it. @',
      ],
      [
        { numbers: ['2019-179'] },
        'HEARING ON PETITION NO. 2019-179 BY MEADE HOMES FOR A CHANGE IN ZONING\n\nStaff said that Petition 2019-175 is next door. @\n\nA protest was filed. @',
      ],
      [null, 'ADJOURNMENT\n\nThere being no further business, it ended. @'],
    ],
  },
  'dockets with a number made of letters behind digits (a city in Indiana)': {
    joined: '\n',
    hearings: [
      [
        { numbers: ['06050003 PUD'] },
        '1H. Docket No. 06050003 PUD: Gerard Property\nThe petitioner wants 200 homes. @\nThe docket went to committee. @',
      ],
      [
        { numbers: ['06050020 Z'] },
        '2H. Docket No. 06050020 Z: Carey Rezone\nThe petitioner wants offices. @\nA favorable recommendation passed 8-0. @',
      ],
      [null, '3H. Rules of procedure\nThe counsel explained them. @'],
    ],
  },
  'names alone, between empty lines (a town in Indiana)': {
    joined: '\n\n',
    hearings: [
      [null, 'Roll Call\n\nAll were there. @'],
      [
        { titles: ['Heritage Crossing Development'] },
        'Rezoning of Heritage Crossing Development\n\nFrank explained the parcels. @\n\nPhil moved to approve. Motion carried 5-0. @',
      ],
      [
        { titles: ['Richland Creek Estates'] },
        'Richland Creek Estates Final Plat\n\nThe engineer spoke about culverts. @\n\nThe plat was tabled. @',
      ],
      [null, 'Adjournment\n\nIt was late. @'],
    ],
  },
  'a scan without lines (a county in Virginia)': {
    joined: ' ',
    hearings: [
      [null, `WITHDRAWALS AND DEFERRALS COME FIRST. ${'The board spoke of the rules of its hearings. '.repeat(9)}@`],
      [
        { numbers: ['12SN0149'] },
        '12SN0149 Sailing In Clover Magisterial District, the Sailing Club requests a conditional use on 6. 6 acres. Mr. Tomkin presented a summary of Case 12SN0149. @ Mr. Warner made a motion for the Board to approve Case 12SN0149. 1. No powerboat shall be launched. (P) 2. Hours end at 10: 00 p. m. 13- 45 01/ 1323/ . Note: Conditions of Case 84SN0135 remain in effect. @ Ayes: Jackel and Warner. Nays: None.',
      ],
      [
        { numbers: ['13SN0140'] },
        '13SN0140 In Dale Magisterial District, S. Tran requests rezoning on . 7 acre. Mr. Tomkin presented a summary of Case 13SN0140. @ The Board denied Case 13SN0140. Ayes: Jackel. Nays: None.',
      ],
      [
        { numbers: ['13SN0142'] },
        '13SN0142 AMENDED) In Dale Magisterial District, the county proposes signs. On motion of Mr. Holl the Board approved Case 13SN0142. @',
      ],
    ],
  },
  'applications of a council, with two numbers (a great city)': {
    joined: '\n\n',
    hearings: [
      [
        { numbers: ['C 160365 ZMX', 'LU 0498-2016'] },
        'LU 0498-2016\nApplication No. C 160365 ZMX submitted by Webb LLC for an amendment of the Zoning Map.\n\nBy a vote of 6 in the affirmative the subcommittee approved it. @',
      ],
      [
        { numbers: ['N 160366 ZRX', 'LU 0499-2016'] },
        'LU 0499-2016\nApplication No. N 160366 ZRX submitted by Webb LLC for an amendment of the text, related to C 160365 ZMX.\n\nThe vote was laid over. @',
      ],
      [
        { numbers: ['20165599 TCM'] },
        'Preconsidered\nApplication No. 20165599 TCM for a sidewalk cafe at 89 MacDuff Street.\n\nThe applicant withdrew it. @',
      ],
    ],
  },
};

/** The minutes of a town, each hearing with words of its own. */
const minutesOf = ({ joined, hearings }: (typeof TOWNS)[string]) =>
  hearings.map(([, text], i) => text.replaceAll('@', `Words of hearing ${i + 1} alone.`)).join(joined);

const wordsOf = (text: string): number[] => [...text.matchAll(/Words of hearing (\d+) alone/g)].map(([, at]) => Number(at));

describe('passages of a case in the minutes of a whole meeting', () => {
  for (const [style, town] of Object.entries(TOWNS))
    for (const [at, [known]] of town.hearings.entries())
      if (known)
        it(`are its own hearing and all of it: ${style}, ${JSON.stringify(known)}`, () => {
          const document = minutesOf(town);
          const found = findCasePassages(document, names(known));
          for (const { start, end, text } of found) assert.equal(document.slice(start, end), text);
          const said = wordsOf(found.map(({ text }) => text).join('\n'));
          assert.deepEqual([...new Set(said)], [at + 1], found.map(({ text }) => text).join('\n---\n'));
          assert.equal(said.length, wordsOf(document).filter((one) => one === at + 1).length);
        });

  it('are none if no heading names their case', () => {
    const told = 'The meeting was called to order.\n\nMr. Holt spoke about case RZ-2026-6103.\n\nThe motion carried 5-2.';
    assert.deepEqual(texts(told, { numbers: ['RZ-2026-6103'] }), []);
    assert.deepEqual(
      texts(minutesOf(TOWNS['names alone, between empty lines (a town in Indiana)'] as never), { numbers: ['RZ-2026-6103'] }),
      [],
    );
    assert.deepEqual(texts('', { numbers: ['RZ-2026-6103'] }), []);
  });

  it('do not begin where another case is called related, or in the middle of a sentence', () => {
    const document =
      'Case RZ-2026-0001\nA hotel, companion to RZ-2026-0002, was heard together with the\nCase RZ-2026-0002 and was approved.\nCase RZ-2026-0002\nA shed was denied.';
    assert.deepEqual(texts(document, { numbers: ['RZ-2026-0002'] }), ['Case RZ-2026-0002\nA shed was denied.']);
  });

  it('are found however a number is written, and by parcel', () => {
    const document = 'Case SUP 2026/0042\nA hotel.\n\nParcel No. 12-34-567\nA shed.';
    assert.deepEqual(texts(document, { numbers: ['SUP-2026-0042'] }), ['Case SUP 2026/0042\nA hotel.']);
    assert.deepEqual(texts(document, { parcels: ['1234567'] }), ['Parcel No. 12-34-567\nA shed.']);
  });

  it('are the whole document if it is only about this case', () => {
    const document = 'Resolution on 13SN0146.\n\nThe tarp has to cover the trailer.';
    assert.deepEqual(texts(document, { numbers: ['13SN0146'] }), [document]);
  });

  it('end where a hostile text has more places for headings than minutes have, and take time in proportion', () => {
    const document = `Case RZ-2026-6103. A hotel.\n${'1. Item A. '.repeat(40_000)}`;
    const started = performance.now();
    const [own = ''] = texts(document, { numbers: ['RZ-2026-6103'] });
    assert.ok(own.startsWith('Case RZ-2026-6103. A hotel.') && own.length < 200_000, String(own.length));
    assert.ok(performance.now() - started < 10_000);
  });

  for (const [text, hostile, numbers] of [
    [
      'a line of dashes in a scan',
      `Case 13SN0146. A barn${' and a shed'.repeat(40)}. 7${'-'.repeat(90)} heard: 13SN0146. It was approved.`,
      ['13SN0146'],
    ],
    ['single digits, as in the number of the case', `Case ${'1 '.repeat(30)}2\n`.repeat(100), [`${'1 '.repeat(30)}3`]],
  ] as const)
    it(`are found in at most a second where a document holds ${text}`, () => {
      const started = performance.now();
      findCasePassages(hostile, names({ numbers }));
      const took = performance.now() - started;
      assert.ok(took < 1_000, `${took} ms`);
    });

  it('are all of a record’s own text, unless it has headings of others', () => {
    const own = (text: string) => findOwnPassages(text, names({ numbers: ['13SN0146'] })).map((one) => one.text);
    assert.deepEqual(own('Neighbors spoke about drainage.'), ['Neighbors spoke about drainage.']);
    assert.deepEqual(own('Case 13SN0146\nA barn.\nCase 13SN0147\nA quarry.'), ['Case 13SN0146\nA barn.']);
  });
});
