/** Planning regions of Connecticut, which the Census Bureau counts in place of counties since 2022: here each means its towns. */
import regions from '../../catalogue/locations/planningRegions.json' with { type: 'json' };

export interface PlanningRegion {
  /** FIPS number */
  id: number;
  name: string;
  stateId: number;
  latitude: number;
  longitude: number;
  /** cities and towns of the catalogue that lie in it */
  cityIds: readonly number[];
}

export const planningRegions: readonly PlanningRegion[] = regions;
