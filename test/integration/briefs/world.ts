/** Records, minutes and restrictions around Boulder for tests of briefs. */
import { type Fixture, project, use } from '../../support/fixtures.ts';
import { Random } from '../../support/random.ts';
import { restrictionLine } from '../../support/restrictionLine.ts';

export const SITE = { lat: 40.015, lng: -105.27 };
const PLACES = [
  { state: 'CO', county: 'Boulder County', city: 'Boulder', latitude: 40.015, longitude: -105.27 },
  { state: 'CO', county: 'Boulder County', city: 'Longmont', latitude: 40.167, longitude: -105.102 },
  { state: 'CO', county: 'Larimer County', city: 'Fort Collins', latitude: 40.585, longitude: -105.084 },
];
const QUOTE = 'The Council approved the request by a vote of 5 to 2.';
const TEXT = `${QUOTE} The applicant asks to rezone the land to PUD.`;
const USES = ['data_center', 'warehouse_distribution', 'multifamily'];

export const minutes = {
  kind: 'document',
  id: 501,
  state: 'CO',
  county: 'Boulder County',
  decisionBody: 'City Council',
  meetingDate: '2025-03-04',
  title: 'Minutes of the City Council',
  text: TEXT,
};

const dayBefore = (day: string, days: number) => new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

/** @param seed of the same records */
export function makeRecords(seed: number, count: number, today: string): Fixture[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const place = PLACES[Math.floor(3 * random.next() ** 2)] as (typeof PLACES)[number];
    const age = random.integer(1, 1_800);
    const status = random.pick(['approved', 'approved', 'approved', 'denied', 'withdrawn', 'continued']);
    const isVoted = status === 'approved' || status === 'denied';
    return project(1_000 + i, {
      ...place,
      latitude: place.latitude + (random.next() - 0.5) / 10,
      longitude: place.longitude + (random.next() - 0.5) / 10,
      projectName: `${random.pick(['Alder', 'Birch', 'Cedar', 'Dogwood'])} ${random.pick(['Park', 'Mill', 'Yard'])}`,
      landUses: [use(random.pick(USES))],
      status,
      meetingDate: dayBefore(today, age),
      firstMeetingDate: dayBefore(today, age + random.integer(0, 300)),
      appearanceCount: random.integer(1, 5),
      decisionBody: random.pick(['city_council', 'planning_commission']),
      acreage: random.maybe(0.6, () => random.integer(2, 90) / 2),
      totalUnitCount: random.maybe(0.3, () => random.integer(10, 400)),
      existingZoning: random.maybe(0.6, () => random.pick(['AG', 'R-1'])),
      proposedZoning: random.maybe(0.7, () => random.pick(['PUD', 'I-1'])),
      voteTotals: isVoted ? random.maybe(0.7, () => ({ yes: random.integer(3, 7), no: random.integer(0, 2) })) : null,
      nextMeetingDate: status === 'continued' ? dayBefore(today, -random.integer(5, 60)) : null,
      evidence: status === 'approved' && i % 3 === 0 ? [{ field: 'status', quote: QUOTE, documentId: 501 }] : null,
    });
  });
}

export const restriction = restrictionLine(901, {
  title: 'Moratorium on data centers',
  evidence: [{ field: 'status', quote: 'applicant asks to rezone', documentId: 501 }],
});
