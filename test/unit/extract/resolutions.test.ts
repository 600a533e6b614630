/** Papers by which a body decides one request, and texts that only look like them. */
import assert from 'node:assert/strict';
import { extract } from './describe.ts';

const RESOLUTION = `THE COUNCIL OF THE CITY OF ELM
RESOLUTION NO. 33

Resolution approving with modifications the decision of the City Planning Commission on Application No. C 140093 ZSM for the grant of a special permit to facilitate a seven-story building at 300 Elm Street (L.U. No. 2).

By Council Member Tine

WHEREAS, the Council held a public hearing on the Application on January 28, 2014;

RESOLVED: the Council approves the Decision.

Adopted.

I hereby certify that the foregoing is a true copy of a Resolution passed by the Council of the City of Elm on February 4, 2014, on file in this office.
`;
const ORDINANCE = `ORDINANCE NO. 2021-14
An Ordinance of the Town of Fern rezoning 5 acres at 12 Oak Road from A-1 to R-2, Case RZ-21-004

WHEREAS, the Planning Commission heard the request on March 2, 2021 and recommended approval;

NOW, THEREFORE, BE IT ORDAINED by the Town Council that the zoning map is amended.

PASSED AND ADOPTED this 4th day of May, 2021.
`;

describe('A resolution or an ordinance', () => {
  const read = (text: string) => {
    const { kind, meetingDate, cases } = extract(text);
    return [kind, meetingDate?.value, ...cases.map(({ caseNumbers, decision }) => [caseNumbers[0]?.value, decision?.value])];
  };

  it('decides its request on the day on which it was adopted', () => {
    assert.deepEqual(read(RESOLUTION), ['other', '2014-02-04', ['C 140093 ZSM', 'approved_with_conditions']]);
    assert.deepEqual(read(RESOLUTION.replace('approving with modifications', 'disapproving')), [
      'other',
      '2014-02-04',
      ['C 140093 ZSM', 'denied'],
    ]);
    assert.deepEqual(read(ORDINANCE), ['other', '2021-05-04', ['RZ-21-004', 'approved']]);
  });

  it('is read for the address, the zones and the acreage in its title', () => {
    const [one] = extract(ORDINANCE).cases;
    assert.deepEqual(
      [one?.address?.value, one?.existingZoning?.value, one?.proposedZoning?.value, one?.acreage?.value],
      ['12 Oak Road', 'A-1', 'R-2', 5],
    );
  });

  it('decides nothing before it is adopted, and nothing if it asks for no use of land', () => {
    assert.deepEqual(read(ORDINANCE.replace(/PASSED.*/, 'First reading: April 6, 2021.')), ['other', undefined]);
    assert.deepEqual(read(RESOLUTION.replace(/the decision.*L\.U\./, 'the budget of the library (No.')), ['other', undefined]);
  });
});
