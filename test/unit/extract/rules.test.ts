/** What the rules read from made-up minutes, one text for each way in which clerks write. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { splitAt } from '../../support/markedText.ts';
import { describeCases, extract } from './describe.ts';

/** What is to be read from made-up minutes by their file: the way in which they are written, and their cases in their order. */
const STYLES = splitAt(readFileSync(path.join(import.meta.dirname, 'minutes.txt'), 'utf8'), '===').map(([head, cases]) => {
  const [file = '', what] = head.split(': ');
  return { file, what, cases: cases ? cases.split('\n') : [] };
});

const readStyle = (file: string) => readFileSync(path.join(import.meta.dirname, 'minutes', `${file}.txt`), 'utf8');

describe('rules of an extraction', () => {
  for (const { what, file, cases } of STYLES)
    it(`read cases, decisions and votes of minutes with ${what}`, () => {
      assert.deepEqual(
        describeCases(readStyle(file)).map((line) => line.trimEnd()),
        cases,
      );
    });

  it('read the values of a form, whether they stand behind their labels or below them', () => {
    const head = 'PLANNING BOARD\nMinutes of March 12, 2024\n\nPUBLIC HEARINGS\n\n';
    const motion = '\n\nMs. Cray moved to approve Z-24-07. Mr. Bole seconded. Motion passed 5-0.\n';
    const values = [
      ['PETITION NO.', 'Z-24-07'],
      ['PETITIONER', 'Wendell Suggs for Suggs Bros. Hauling'],
      ['LOCATION', 'Sinking Creek Road, 0.4 mi. south of Hwy 64'],
      ['MAP / PARCEL', 'Map 062K, Group B, Parcel 008.00'],
      ['FROM / TO', 'A-1 (Agriculture) / I-1 (Light Industrial)'],
      ['PURPOSE', 'Rezoning for a truck yard'],
      ['ACRES', '31.9'],
      ['LOTS', '87'],
      ['STAFF RECOMMENDATION', 'Approve, subject to the comments below'],
    ];
    for (const [between, last] of [
      [': ', '\n'],
      [':\n', '\n'],
    ] as const) {
      const form = values.map(([label, value]) => `${label}${between}${value}`).join(last);
      const [one, ...others] = extract(`${head}${form}${motion}`).cases;
      assert.deepEqual(
        [one?.caseNumbers[0]?.value, one?.contacts[0]?.name, one?.contacts[0]?.company, one?.address?.value, one?.parcelNumbers[0]?.value],
        [
          'Z-24-07',
          'Wendell Suggs',
          'Suggs Bros. Hauling',
          'Sinking Creek Road, 0.4 mi. south of Hwy 64',
          'Map 062K, Group B, Parcel 008.00',
        ],
      );
      assert.deepEqual(
        [one?.existingZoning?.value, one?.proposedZoning?.value, one?.acreage?.value, one?.lots?.value, one?.staffRecommendation?.value],
        ['A-1 (Agriculture)', 'I-1 (Light Industrial)', 31.9, 87, 'approval_with_conditions'],
      );
      assert.deepEqual([one?.title?.value, one?.decision?.value, others], ['Rezoning for a truck yard', 'approved', []]);
    }
  });

  it('join what a hearing states with the vote on it in a later part of the meeting', () => {
    const text = `PLANNING COMMISSION\nMarch 20, 2024\n\nPUBLIC HEARINGS\n\nPSUP 24-02, Birchmere Veterinary PLC, 6120 Tolles Road\n\nMs. Skutnik reviewed the request for a special land use, parcel 33-12-14-300-021, zoned RS-2.\n\nPublic hearing closed at 7:21 p.m.\n\nBUSINESS SESSION\n\nA. PSUP 24-02\n\nMoved by VanDeCar, supported by Mossburg, to approve PSUP 24-02.\nYES: Trudell, VanDeCar, Mossburg\nNO: MS. HAAS\nMotion carried 3-1.\n`;
    const [one, ...others] = extract(text).cases;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [one?.decision?.value, one?.address?.value, one?.existingZoning?.value, one?.parcelNumbers[0]?.value, one?.contacts[0]?.name],
      ['approved', '6120 Tolles Road', 'RS-2', '33-12-14-300-021', 'Birchmere Veterinary PLC'],
    );
    assert.deepEqual(
      one?.motions[0]?.votes.map(({ name, vote }) => [name, vote]),
      [...['Trudell', 'VanDeCar', 'Mossburg'].map((name) => [name, 'yes']), ['HAAS', 'no']],
    );
  });

  it('read motions that name two members and no verb', () => {
    const text = `ZONING BOARD OF ADJUSTMENT\nMinutes of March 11, 2025\n\nMinutes 2/11/25 - Tjaden/Marsh-Oberle to approve. 4-0.\n\n1) 25-02 Side yard variance, 418 Elevator St.\n   Staff is in favor.\n   Marsh-Oberle/Fenske to grant as asked. 4-0.\n\n2) 25-03 Billboard height, Hwy 30 E\n   Fenske/Marsh-Oberle to deny. 3-1.\n\nMs. Ode moved to adjourn, seconded by Mr. Tjaden. Motion carried.\n`;
    assert.deepEqual(describeCases(text), [
      '25-02 · approved · Marsh-Oberle/Fenske · 4-0 · ',
      '25-03 · denied · Fenske/Marsh-Oberle · 3-1 · ',
    ]);
  });

  it('state every value by words of the text', () => {
    for (const { file } of STYLES) {
      const text = readStyle(file);
      for (const one of extract(text).cases)
        for (const stated of [
          one.title,
          one.address,
          one.decision,
          one.acreage,
          one.existingZoning,
          ...one.caseNumbers,
          ...one.contacts,
          ...one.conditions,
        ]) {
          if (!stated) continue;
          const quote = text.slice(stated.start, stated.end);
          assert.match(quote, /\S/);
          if ('name' in stated) assert.equal(quote.replace(/\s+/g, ' '), stated.name);
        }
    }
  });

  it('read the values of a request', () => {
    const [one] = extract(readStyle('resultMoverSeconder')).cases;
    assert.equal(one?.acreage?.value, 12.4);
    assert.equal(one?.units?.value, 84);
    assert.equal(one?.existingZoning?.value, 'Neighborhood Commercial (NC)');
    assert.equal(one?.proposedZoning?.value, 'Planned Unit Development (PUD)');
    assert.equal(one?.address?.value, '900 River Road');
    assert.equal(one?.requestType, 'rezoning');
    assert.deepEqual(
      one?.contacts.map(({ role, name }) => [role, name]),
      [
        ['applicant', 'Smith & Sons Builders, LLC'],
        ['representative', 'Dana Wu of Wu Engineering'],
      ],
    );
  });

  it('complete an item that decides with what its hearing states', () => {
    const [one] = extract(readStyle('hearingsThenActions')).cases;
    assert.deepEqual(
      [one?.address?.value, one?.parcelNumbers[0]?.value, one?.contacts[0]?.name, one?.acreage?.value, one?.existingZoning?.value],
      ['N1234 County Road K', '014-0456-000', 'Tom and Lisa Brandt', 3.2, 'A-1'],
    );
  });

  it('read numbers, codes and names that a scan has parted', () => {
    const [one, other] = extract(readStyle('scanWithSplitNumbers')).cases;
    assert.deepEqual(
      [one?.acreage?.value, one?.units?.value, one?.squareFootage?.value, one?.proposedZoning?.value, other?.acreage?.value],
      [2.3, 12, 2500, 'Residential (R-12)', 0.5],
    );
    assert.deepEqual(
      one?.parcelNumbers.map(({ value }) => value),
      ['766-676-4992', '802-655-7397'],
    );
    assert.match(one?.title?.value ?? '', /Willa C\. Stone requests/);
    assert(
      one?.landUses.every(({ type }) => type === 'residential'),
      'what a plan suggests is no use of the case',
    );
  });

  it('read what staff recommend in each usual wording, and not what others do', () => {
    assert.deepEqual(
      extract(readStyle('staffAdvice')).cases.map(({ staffRecommendation }) => staffRecommendation?.value ?? null),
      [
        'approval_with_conditions',
        'denial',
        'approval',
        'approval_with_conditions',
        'denial',
        'approval_with_conditions',
        'continuance',
        'approval',
        'approval_with_conditions',
        'approval',
        'denial',
        null,
      ],
    );
  });

  it('read the conditions of a motion from lists, sentences and cells, and those of staff where it adopts them', () => {
    const counts = extract(readStyle('conditionLists')).cases.map(({ conditions }) => conditions.length);
    assert.deepEqual(counts, [3, 3, 1, 2, 3, 2, 3, 2]);
  });

  it('read zones and titles without the words around them', () => {
    const read = (words: string) =>
      extract(
        `MINUTES\nPlanning Commission\nMay 2, 2024\nThe meeting was called to order at 6:00 p.m.\n\n1. ${words}\n\nMs. Lee moved to recommend approval. Mr. Ray seconded. The motion passed 5-0.\n`,
      ).cases.map(({ title, existingZoning, proposedZoning }) => [title?.value, existingZoning?.value, proposedZoning?.value])[0];
    assert.deepEqual(read('Discussion and Recommendation to the City Council on a rezoning at 9 Elm Street from A-1 to PO - 2091'), [
      'rezoning at 9 Elm Street from A-1 to PO - 2091',
      'A-1',
      'PO',
    ]);
    assert.equal(
      read('Rezoning by Oak LLC at 9 Elm Street.\nCurrent zoning: Regional Commercial. The land is vacant.')?.[1],
      'Regional Commercial',
    );
  });

  it('doubt a figure that the text states twice and differently', () => {
    const { cases } = extract(
      'MINUTES\nPlanning Commission\nMay 2, 2024\nThe meeting was called to order at 6:00 p.m.\n\n1. Request by Oak LLC to rezone 4 acres at 9 Elm Street for 12 townhomes. The site of 5 acres is vacant.\n\nMs. Lee moved to approve the request. Mr. Ray seconded. The motion passed 5-0.\n',
    );
    assert.deepEqual(
      cases[0]?.doubts.map(({ field }) => field),
      ['acreage'],
    );
  });

  it('read no case from another language, an error page, or a text of no meeting', () => {
    const texts = [
      'Acta de la sesión ordinaria de la comisión de planificación. Los comisionados aprobaron por unanimidad la solicitud de rezonificación presentada por el propietario del terreno ubicado en la calle principal, con las condiciones que recomendó el personal técnico del municipio durante la audiencia pública celebrada el martes.',
      '404 Not Found. The page you requested was not found on this server. Please check the address or return to the home page of the city, where you can search for agendas and minutes of the planning commission and other boards.',
      'The annual report of the library lists loans by branch and month. Loans of books for children rose by a tenth, those of maps fell. The next report will be published in March, together with that of the archive and of the museum.',
      '',
    ];
    for (const text of texts) {
      const { kind, cases, doubts } = extract(text);
      assert.deepEqual([kind, cases, doubts.length], ['other', [], 1], text.slice(0, 40));
    }
  });

  it('decide nothing where a motion to approve failed and the text does not say what follows', () => {
    const minutes = (end: string) =>
      `BOARD OF APPEALS\nMINUTES OF MAY 9, 2023\n\nThe meeting was called to order at 7 pm.\n\nCASE NO. 23-04\nVariance request of Tom Gow, 12 Elm Street.\nMr. Ash moved, Mr. Birch seconded, to grant the variance. Ayes: Ash, Birch. Nays: Cole, Dunn, Elm. Motion failed 2-3.${end}\n\nMeeting adjourned.\n`;
    const [open, denied] = ['', ' The variance is denied.'].map((end) => extract(minutes(end)).cases[0]);
    assert.deepEqual(
      [open?.decision, open?.doubts],
      [null, [{ field: 'decision', reasons: ['a motion to approve failed, and no other one carried'] }]],
    );
    assert.deepEqual([denied?.decision?.value, denied?.doubts], ['denied', []]);
  });

  it('doubt the day of a text that holds two meetings', () => {
    const one = (day: string) =>
      `MINUTES OF THE PLANNING COMMISSION\n${day}\n\nChair Lee called the meeting to order at 7:00 p.m.\n\nMr. Ray moved to approve the minutes. Ms. Poe seconded. The motion carried.\n\nThe meeting adjourned at 8:00 p.m.\n\n`;
    const { doubts } = extract(one('May 1, 2024') + one('May 15, 2024'));
    assert.match(JSON.stringify(doubts), /several meetings: 2024-05-01, 2024-05-15/);
  });
});
