/**
 * Cases of three counties of Virginia: the permit portals of Loudoun and Prince William, the minutes of Chesterfield's Board of Supervisors.
 * No licence to redistribute, so no row of them is committed. What the columns mean is written in `va_portals.ts` and `va_chesterfield.ts`.
 */
import { compileClassifiers, type RulesFile } from './classifiers.ts';
import { Locator } from './location.ts';
import file from './rules/va_counties.json' with { type: 'json' };
import type { ReadContext, SourceAdapter, SourceItem } from './types.ts';
import { chesterfieldCases, MINUTES, REZONINGS } from './va_chesterfield.ts';
import { PORTALS, portalCases } from './va_portals.ts';

const rules = compileClassifiers(file as RulesFile);

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'VA');
  for (const portal of PORTALS) yield* portalCases(folder, portal, rules, locator);
  yield* chesterfieldCases(folder, rules, locator);
}

export const vaCounties: SourceAdapter = {
  name: 'va_counties',
  title: 'Virginia county cases',
  files: [...PORTALS.map((portal) => portal.file), MINUTES, REZONINGS],
  read,
};
