/** What a question asks of who did what, because of what, and with which sign: sentences that say it, and sentences that only have its words. */
import assert from 'node:assert/strict';
import { caseNamesOf } from '../../../src/core/domain/cases/caseNames.ts';
import { confirmCriteria, type SourceText, understandQuestion } from '../../../src/features/aiSearch/question/index.ts';
import { evidenceOf } from '../../../src/features/aiSearch/quotableSentences.ts';
import { TODAY } from '../../support/fixtures.ts';
import { places } from '../../support/index.ts';

/** A question with texts that prove it, and texts that do not. */
interface Relation {
  question: string;
  proven: string[];
  unproven: string[];
}

const RELATIONS: Relation[] = [
  {
    question: 'solar farms that neighbours opposed because of views',
    proven: [
      'Neighbors opposed the solar farm because of the loss of views.',
      'Several residents spoke in opposition to the request, citing the views from their homes.',
      'Because of the views from their porches, neighbors opposed the project.',
      'Two neighbors objected to the solar farm. They stated that the panels would spoil the views.',
      'The solar farm was opposed by adjacent property owners due to its effect on scenic views.',
    ],
    unproven: [
      'Lone Oak View Pipeline: a gas line of nine miles.',
      'Neighbors supported the solar farm because of the open views.',
      'Neighbors opposed the solar farm. The architect showed views of the entrance.',
      'Neighbors did not oppose the solar farm because the views were kept.',
      'The applicant was told that neighbors opposed the solar farm because of views.',
      'Mr. Lee asked whether neighbors would oppose the solar farm because of views.',
      'The applicant opposed the condition because of views.',
      'Nobody opposed the solar farm because of views.',
      'Neighbors opposed the solar farm because of noise, but liked the views.',
    ],
  },
  {
    question: 'townhomes denied because of traffic',
    proven: [
      'The Commission denied the rezoning because of traffic.',
      'The request was denied due to concerns about traffic on Elm Street.',
      'Citing traffic, the Council voted to deny the application.',
      'The Board denied the plan 4-1. The reasons were traffic and density.',
      'Motion to deny based on traffic congestion. The motion carried.',
      'Denied, finding that traffic would exceed the capacity of the road.',
    ],
    unproven: [
      'The traffic study was accepted. The request was denied.',
      'The Commission denied the rezoning, and accepted the traffic study.',
      'The Commission approved the rezoning because of less traffic.',
      'Staff recommended denial because of traffic.',
      'Residents asked the Council to deny the request because of traffic.',
      'The request could be denied because of traffic.',
      'The rezoning was not denied because of traffic.',
      'The Council denied the rezoning. Traffic counts are attached.',
      'The previously denied plan was changed because of traffic.',
      'The motion to deny because of traffic failed.',
      'Denied, finding that cars would queue and that traffic was not a ground for it.',
    ],
  },
  {
    question: 'gas stations supported by residents',
    proven: [
      'Three residents spoke in favor of the gas station.',
      'Residents supported the request.',
      'The project was supported by nearby residents.',
      'Letters of support from residents were received.',
    ],
    unproven: [
      'A resident opposed the gas station.',
      'Residents did not support the gas station.',
      'The Commissioner supported the gas station. Residents asked questions.',
      'Residents spoke in opposition. The Mayor was in favor.',
      'Residents asked for support services.',
      'Staff hoped that residents would support it.',
    ],
  },
  {
    question: 'rezonings opposed by the school district',
    proven: ['The school district opposed the rezoning.', 'A letter of opposition from the school district was read.'],
    unproven: [
      'The school district supported the rezoning.',
      'Neighbors opposed the rezoning near the school district.',
      'The applicant met with the school district. Neighbors opposed the rezoning.',
      'The school district did not object to the rezoning.',
    ],
  },
  {
    question: 'hotels with neighbors worried about traffic',
    proven: [
      'Neighbors raised concerns about traffic.',
      'Residents were worried about the amount of traffic.',
      'A neighbor expressed traffic concerns.',
      'Residents objected to the increase in traffic.',
    ],
    unproven: [
      'Neighbors had no concerns about traffic.',
      'Neighbors said that they like the hotel. A traffic signal is planned.',
      'The applicant stated that traffic was studied. Neighbors were concerned about noise.',
      'Neighbors were concerned about the traffic study.',
    ],
  },
  {
    question: 'projects approved despite opposition from neighbors',
    proven: ['Despite opposition from neighbors, it was approved.', 'Neighbors spoke in opposition. It was approved 5-0.'],
    unproven: ['Neighbors spoke in support.', 'No neighbors spoke in opposition.', 'It was approved without opposition.'],
  },
  {
    question: 'projects that neighbors opposed because of dust',
    proven: [
      'Nine households opposed it. They spoke of the dust on their porches.',
      'Neighbors opposed the mine. Dust on cherries cannot be washed off, they testified.',
      'Owners along Kerr Street were opposed. Mrs. Low brought a jar; dust, she said, is what they remember.',
      'Residents testified against it: the dust closes their windows from May on.',
      'Adjoining owners objected for the reason that the trucks would raise dust.',
    ],
    unproven: [
      'Neighbors opposed the mine. They asked how dust is kept down.',
      'Neighbors opposed the mine. They had no complaint about dust.',
      'Neighbors opposed the mine. The applicant said that dust is kept down.',
      'Neighbors opposed the mine. Dust is kept down, the applicant said.',
      'Neighbors opposed the mine. They withdrew when the dust was dealt with.',
      'Neighbors opposed the mine. They praised the plan to water dust.',
      'Neighbors had at first objected because of dust.',
      'Neighbors opposed it: loud trucks; dust is no matter, the owner said.',
      'Neighbors were in favor. They spoke of the dust that a wall would keep away.',
    ],
  },
  {
    question: 'neighbors opposed it because of their wells',
    proven: [
      'Six households asked the Board to turn it down, because the wells on their road run dry in August.',
      'Against: two residents, nitrates in their wells. For: the dairy.',
      'Eleven residents spoke. All but one were against it, saying that their wells fall.',
      'Nine were opposed. They said that their wells suck air.',
      'RESIDENT: I am opposed. Our well went dry the year that they began.',
    ],
    unproven: [
      'Nine were opposed. They said that their pumps suck air and that the water table has dropped.',
      'Eleven residents spoke. All but one were against it, saying that the aquifer is falling.',
      'Against: two residents, nitrates in the groundwater. For: the dairy.',
      'Six households asked the Board to approve it, because it brings a water main to replace their wells.',
      'Residents were opposed. The hydrologist said that the aquifer is sound.',
      'Residents were opposed because of traffic. They accepted the report on groundwater as adequate.',
      'RESIDENT: I am opposed.\nAPPLICANT: The well went dry years before.',
      'Residents asked the applicant to deepen the well.',
    ],
  },
  {
    question: 'voted down on account of sewer capacity',
    proven: [
      'Denied 5-2 for lack of sewer capacity.',
      'The permit was denied 5-2. The majority found that the capacity of the sewer is used up.',
      'Motion to approve failed, 2-5. Reason: the sewer capacity.',
    ],
    unproven: [
      'Motion to approve failed, 2-5. Reason: the sewer is full.',
      'The permit was denied 5-2. The majority found that the lift station is overloaded.',
      'Denied 5-2 for lack of a sewer.',
      'The permit was denied 5-2. The Board found the sewer adequate.',
      'The permit was denied 5-2. The sewer was not the reason.',
      'Residents asked the Board to deny it for lack of a sewer. It was approved.',
    ],
  },
  {
    question: 'denied on noise grounds',
    proven: ['Denied 5-2 because of the noise of the kennels.', 'The permit was denied 5-2. The majority found that the noise carries.'],
    unproven: [
      'The permit was denied 5-2. The majority found that the barking carries.',
      'The Board found that the noise could be contained. Denied 6-1, since it lies outside of the growth boundary.',
      'Neighbors opposed it because of noise. Denied 5-2 for lack of a hardship.',
    ],
  },
  {
    question: 'the police supported it',
    proven: ['The police chief spoke in favor.', 'In favor: the police captain.'],
    unproven: ['In favor: the sheriff.', 'A deputy clerk of the court spoke in favor.', 'The zoning officer spoke in favor.'],
  },
  {
    question: 'farmers were for it',
    proven: ['A farmer spoke in favor.', 'Speakers: two ranchers, for; a birder, against.', 'The growers asked the County to say yes.'],
    unproven: [
      'A dairyman spoke in favor.',
      'A dairyman spoke against it.',
      'Speakers: a birder, for; two ranchers, against.',
      'The growers asked the County to say no.',
    ],
  },
  {
    question: 'neighbors said it would hurt their property values',
    proven: ['Residents told the Board that property values would be hurt.', 'A homeowner feared that it would hurt property values.'],
    unproven: [
      'A homeowner feared that her house would be worth less.',
      'Residents told the Board that nobody would buy their houses.',
      'Residents told the Board that noise carries.',
      'The appraiser said that houses lose no value.',
    ],
  },
  {
    question: 'denied because there is no water to serve it',
    proven: [
      'Moved to deny because the city has not the water to serve it.',
      'Denied 5-0 for want of water to serve it.',
      'Denied 4-1: insufficient water to serve the lots.',
    ],
    unproven: [
      'Denied 4-1: insufficient water.',
      'Denied 5-0 for want of water.',
      'Denied because the lots stand under water in spring.',
      'Denied 4-1: the pond would draw water from the creek.',
      'Denied 5-0. The District has no other water.',
      'Approved, although there is no water.',
    ],
  },
  {
    question: 'where a labor union spoke in favor',
    proven: ["The electricians' local spoke in favor.", 'The Chamber and two unions of the building trades supported it.'],
    unproven: [
      'The credit union spoke in favor.',
      'A resident of Union Street spoke in favor.',
      "The carpenters' local spoke against it.",
      "The electricians' local took no stand. The owner was in favor.",
    ],
  },
  {
    question: 'turned down by the council after the planning commission recommended approval',
    proven: ['The Plan Commission had recommended approval.', 'Staff and the Planning Commission recommended approval.'],
    unproven: ['The Planning Commission recommended denial.', 'Staff recommended approval. The Planning Commission took no vote.'],
  },
  {
    question: 'denied even though staff had recommended approval',
    proven: ['Staff and the Planning Commission had recommended approval.'],
    unproven: ['Staff and the owner met. The Planning Commission recommended approval.', 'Staff advised against it.'],
  },
  {
    question: 'variances approved after the applicant reduced the height',
    proven: ['The variance was approved after the applicant reduced the height.'],
    unproven: ['The height was reduced after the variance was approved.', 'The variance was approved. The height is 30 feet.'],
  },
  {
    question: 'cases continued because of a missing survey',
    proven: [
      'The case was continued because of a missing survey.',
      'Continued to May due to the missing survey.',
      'The hearing was continued to address the missing survey.',
    ],
    unproven: ['The missing survey was submitted, and the case was approved.', 'A survey was missing. Neighbors continued to speak.'],
  },
  {
    question: 'plats that would expire unless a bond is posted',
    proven: ['The plat would expire unless a bond is posted.'],
    unproven: ['A bond was posted for the plat.'],
  },
  {
    question: 'hotels approved although residents objected',
    proven: ['Residents objected to the height. Approved 5-2.', 'Residents said they were opposed to the hotel.'],
    unproven: [
      'A resident said somebody on the street was opposed.',
      'A resident had opposed the last bar but supports this one.',
      'In May residents were opposed; tonight the same residents spoke in support.',
      'Residents were asked if they objected.',
    ],
  },
  {
    question: 'rezonings approved even though the planning commission had recommended denial',
    proven: ['The planning commission recommended denial.', 'The Planning Commission had recommended denial 4-3.'],
    unproven: [
      'The planning commission recommended approval.',
      'Staff recommended denial to the planning commission.',
      'The rezoning was denied.',
    ],
  },
  {
    question: 'projects where a labor union spoke in favor',
    proven: ['A labor union spoke in favor of the plan.', 'The plan was supported by a labor union.'],
    unproven: ['A labor union spoke against the plan.', 'The Mayor spoke in favor of talks with a labor union.'],
  },
  {
    question: 'data centers opposed because of the water they use',
    proven: ['Farmers opposed the data center because of its use of water.', 'She rose to oppose it, citing the water.'],
    unproven: ['She had come prepared to object to the water consumption.', 'A man rose to oppose Item 9, fearing for the water.'],
  },
  {
    question: 'bars whose former opponents came around',
    proven: ['Former opponents of the bar spoke.'],
    unproven: ['Opponents of the bar spoke.'],
  },
  {
    question: 'churches that residents objected to over noise',
    proven: ['Residents objected to the church over noise.', 'Residents opposed the request due to noise from the church.'],
    unproven: [
      'Residents objected to the church over parking. Noise was measured.',
      'Residents welcomed the church over the noise of a bar.',
    ],
  },
];

const raw = (text: string): SourceText => ({ source: 'rawText', documentId: null, text });

const isProven = (question: string, text: string) => {
  const { criteria } = understandQuestion(question, { today: TODAY, places });
  const relations = criteria.filter(({ match }) => match.relation);
  assert.equal(relations.length, 1, JSON.stringify(criteria));
  return confirmCriteria(relations, { projectId: '1', names: caseNamesOf({}), texts: [raw(text)] }).confirmed;
};

describe('a relation', () => {
  for (const { question, proven, unproven } of RELATIONS) {
    for (const text of proven) it(`is said: ${question} | ${text}`, () => assert.equal(isProven(question, text), true));
    for (const text of unproven) it(`is not said: ${question} | ${text}`, () => assert.equal(isProven(question, text), false));
  }

  it('is no proof by a language model either where the sentences say the opposite, or only report it', () => {
    const [criterion] = understandQuestion('solar farms that neighbors opposed because of views', { today: TODAY, places }).criteria;
    const isProof = (text: string) =>
      criterion && evidenceOf(criterion, [[{ source: raw(text), passage: 0, place: 0, start: 0, end: text.length, text }]]) !== null;
    assert.equal(isProof('Neighbors begged the Board to think of their porches.'), true);
    assert.equal(isProof('Neighbors opposed it: the panels are ugly from their porches.'), true);
    assert.equal(isProof('Neighbors supported it because of the views.'), false);
    assert.equal(isProof('Neighbors did not oppose it.'), false);
    assert.equal(isProof('Mr. Lee was told that neighbors opposed it because of views.'), false);
  });
});
