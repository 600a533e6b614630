import assert from 'node:assert/strict';
import { understandQuestion } from '../../../src/features/aiSearch/question/index.ts';
import { places } from '../../support/index.ts';

const readAreas = (question: string) => {
  const { filters } = understandQuestion(question, { today: '2026-11-20', places });
  return filters.areas === undefined ? undefined : JSON.parse(String(filters.areas));
};

describe('distances of questions', () => {
  const denver = (name: string, radiusMeters: number) => [{ name, circle: { lat: 39.73915, lng: -104.9847, radiusMeters } }];

  for (const [question, areas] of [
    ['apartments within 10 km of Denver', denver('10 km around Denver, CO', 10_000)],
    ['solar farms 2.5 miles from Denver, Colorado', denver('2.5 miles around Denver, CO', 4023)],
    ['less than 5km around Denver', denver('5km around Denver, CO', 5000)],
  ] as const)
    it(`become a circle around the city: ${question}`, () => assert.deepEqual(readAreas(question), areas));

  it('become circles around each city that an ambiguous name likely means, ten at most', () => {
    const names = readAreas('within 5 km of Springfield').map(({ name }: { name: string }) => name);
    assert.ok(names.length > 3 && names.length <= 10 && names.includes('5 km around Springfield, MO'), String(names));
  });

  for (const question of ['not within 10 km of Denver', 'within 5000 miles of Denver', 'within 10 km of Texas', 'within 10 days of Denver'])
    it(`are not read where they are denied, too long, of a state or none: ${question}`, () => assert.equal(readAreas(question), undefined));
});
