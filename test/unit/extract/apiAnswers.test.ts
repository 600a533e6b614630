/** The JSON of Legistar, CivicClerk and PrimeGov as an extraction reads it. Names are made up, fields are those of the APIs. */
import assert from 'node:assert/strict';
import { extractCases } from '../../../ingest/extract/rules/index.ts';
import { provideReader } from '../../support/readDocument.ts';

const EVENT = {
  EventId: 7,
  EventGuid: '0A',
  EventBodyId: 3,
  EventBodyName: 'Planning Commission',
  EventDate: '2024-06-12T00:00:00',
  EventTime: '6:00 PM',
  EventLocation: 'City Hall',
  EventInSiteURL: 'https://elm.example/MeetingDetail.aspx?LEGID=7',
  EventComment: null,
};
const ITEM = {
  EventItemId: 71,
  EventItemEventId: 7,
  EventItemAgendaSequence: 2,
  EventItemMinutesSequence: 2,
  EventItemAgendaNumber: '4.',
  EventItemTitle: 'Rezone 5 acres at 12 Main Street from A-1 to R-2',
  EventItemMatterFile: 'RZ 24-7',
  EventItemMatterName: 'Elm rezone',
  EventItemMatterType: 'Rezoning',
  EventItemActionName: 'Approved',
  EventItemActionText: 'A motion was made to approve with conditions.',
  EventItemMover: 'Ann Roe',
  EventItemSeconder: 'Bo Doe',
  EventItemPassedFlagName: 'Pass',
  EventItemTally: '2:1',
};
const FIRST = {
  EventItemId: 70,
  EventItemEventId: 7,
  EventItemAgendaSequence: 1,
  EventItemMinutesSequence: 1,
  EventItemTitle: 'Roll call',
  EventItemAgendaNumber: null,
};
const vote = (name: string, value: string) => ({ VoteId: name.length, VotePersonName: name, VoteValueName: value, VoteEventItemId: 71 });
const VOTES = [vote('Ann Roe', 'Aye'), vote('Bo Doe', 'Aye'), vote('Cy Poe', 'Nay')];

const LEGISTAR_TEXT = `Planning Commission
June 12, 2024
City Hall

Roll call

4. Rezone 5 acres at 12 Main Street from A-1 to R-2
File: RZ 24-7
Name: Elm rezone
Type: Rezoning
Action: Approved
A motion was made to approve with conditions.
Moved by Ann Roe, seconded by Bo Doe.
Result: Pass
Vote: 2:1
Aye: Ann Roe, Bo Doe
Nay: Cy Poe
`;

const CIVIC_EVENT = {
  id: 9,
  eventName: 'Regular Meeting',
  categoryName: 'Board of Commissioners',
  startDateTime: '2024-06-12T18:00:00Z',
  agendaId: 90,
  eventLocation: { address1: '1 Main St', city: 'Elm' },
};
const CIVIC_MEETING = {
  id: 90,
  items: [
    {
      id: 1,
      agendaObjectItemOutlineNumber: 'V',
      agendaObjectItemName: 'Public hearings',
      childItems: [
        {
          id: 2,
          eventId: 9,
          agendaObjectItemOutlineNumber: '1',
          agendaObjectItemName: '<p>Rezone 5 acres &amp; a plat</p>',
          agendaObjectItemDescription: 'Applicant: Elm LLC',
          minutesItemVotes: [
            {
              motionName: 'Motion to approve',
              initiatedBy: 'Ann Roe',
              secondedBy: 'Bo Doe',
              passFail: 1,
              yesVotes: ['Ann Roe', 'Bo Doe'],
              noVotes: [],
              abstainVotes: ['Cy Poe'],
            },
          ],
          childItems: [],
        },
      ],
    },
  ],
};

describe('The JSON of an API that is read for an extraction', () => {
  const reader = provideReader();
  const readAll = (value: unknown) => reader.readAll('meeting.json', JSON.stringify(value));

  const nestings: Record<string, unknown> = {
    'an event that holds its items, and an item its votes': [
      { ...EVENT, EventItems: [{ ...ITEM, EventItemVoteInfo: VOTES.map(({ VoteEventItemId: _, ...rest }) => rest) }, FIRST] },
    ],
    'the answers of three calls in one file': { event: EVENT, items: [FIRST, ITEM], votes: VOTES },
  };
  for (const [what, value] of Object.entries(nestings))
    it(`of Legistar is minutes with motions and votes: ${what}`, async () => {
      const [document, ...more] = await readAll(value);
      assert.equal(document?.text, LEGISTAR_TEXT);
      assert.deepEqual(document?.stated, { kind: 'minutes', date: '2024-06-12', title: 'Planning Commission', url: EVENT.EventInSiteURL });
      assert.deepEqual([document?.format, more.length], ['legistar', 0]);
    });

  it('of Legistar is a document for each event; without outcomes it is an agenda, without items a notice', async () => {
    const documents = await readAll([
      { ...EVENT, EventItems: [FIRST] },
      { ...EVENT, EventId: 8, EventDate: '2024-07-10T00:00:00', EventItems: [] },
    ]);
    assert.deepEqual(
      documents.map(({ stated }) => [stated.kind, stated.date]),
      [
        ['agenda', '2024-06-12'],
        ['notice', '2024-07-10'],
      ],
    );
  });

  it('of Legistar has one case for each request among its items, decided by the lines of that item alone', async () => {
    const item = (at: number, number: string, action: string) => ({
      ...ITEM,
      EventItemId: at,
      EventItemMinutesSequence: at,
      EventItemAgendaNumber: null,
      EventItemTitle: `Application No. C ${number} ZMQ (${at} Elm Street Rezoning) submitted by Elm LLC, for an amendment of the Zoning Map from R3A to C1-2.`,
      EventItemMatterFile: `LU 060${at}-2020`,
      EventItemMatterName: `Zoning, ${at} ELM STREET REZONING, Queens (C ${number} ZMQ)`,
      EventItemMatterType: 'Land Use Application',
      EventItemActionName: action,
      EventItemActionText: `This Land Use Application was ${action}`,
      EventItemMover: null,
      EventItemSeconder: null,
      EventItemPassedFlagName: null,
      EventItemTally: null,
    });
    const items = [FIRST, item(2, '190029', 'Laid Over by Subcommittee'), item(3, '190267', 'Approved by Committee')];
    const [document] = await readAll([{ ...EVENT, EventItems: items }]);
    assert(document);
    const { cases } = extractCases(document);
    assert.deepEqual(
      cases.map(({ caseNumbers, title, decision }) => [caseNumbers.map(({ value }) => value), title?.value.slice(0, 24), decision?.value]),
      [
        [['C 190029 ZMQ', 'LU 0602-2020'], '(2 Elm Street Rezoning) ', 'continued'],
        [['C 190267 ZMQ', 'LU 0603-2020'], '(3 Elm Street Rezoning) ', 'approved'],
      ],
    );
  });

  it('of CivicClerk has items in their outline, motions and votes, with the date of its event', async () => {
    const [document] = await readAll({ event: CIVIC_EVENT, meeting: CIVIC_MEETING });
    const lines = [
      'Board of Commissioners',
      'June 12, 2024',
      '1 Main St, Elm',
      'Regular Meeting',
      '',
      'V. Public hearings',
      '',
      'V.1. Rezone 5 acres & a plat',
    ];
    const motion = [
      'Applicant: Elm LLC',
      'Action: Motion to approve',
      'Moved by Ann Roe, seconded by Bo Doe.',
      'Result: Passed',
      'Yes: Ann Roe, Bo Doe',
      'Abstain: Cy Poe',
      '',
    ];
    assert.equal(document?.text, [...lines, ...motion].join('\n'));
    assert.deepEqual([document?.format, document?.stated.kind, document?.stated.date], ['civicclerk', 'minutes', '2024-06-12']);
  });

  it('of PrimeGov is a notice for each meeting, which names its documents', async () => {
    const meeting = {
      id: 3,
      title: 'City Council',
      dateTime: '2024-06-12T19:00:00',
      committeeId: 1,
      documentList: [{ id: 5, templateId: 6, templateName: 'Agenda', compileOutputType: 1 }],
    };
    const [document] = await readAll([meeting]);
    assert.equal(document?.text, 'City Council\nJune 12, 2024\nDocument: Agenda\n');
    assert.deepEqual([document?.format, document?.stated.kind], ['primegov', 'notice']);
  });

  const refused: Record<string, [content: string, reason: string]> = {
    'an empty list': ['[]', 'empty'],
    'an error of the API': ['{"Message":"An error has occurred."}', 'error_page'],
    'of another API': ['[{"name":"Elm"}]', 'wrong_type'],
    'cut off': ['[{"EventId": 7, "EventBo', 'broken'],
  };
  for (const [what, [content, reason]] of Object.entries(refused))
    it(`is not read where it is ${what}`, async () => assert.equal((await reader.read('x.json', content)).unread, reason));
});
