/** The parameters of `GET /projects/{id}`. Pure. */
import { refusalOf } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { CACHED_CONTACTS, pickControls } from '../../core/filter/controls.ts';
import { type RawParameters, readParameters } from '../../core/filter/parse.ts';
import { type Includes, includeProblems, includesOf } from '../../core/search/includeProblems.ts';
import type { Environment } from '../../core/search/services.ts';

export const READ_CONTROLS = { ...pickControls('representation', 'include'), ...CACHED_CONTACTS };

export interface ReadRequest extends Includes {
  representation: Representation;
}

/**
 * Parses a request.
 * @throws ApiError with every problem of the request
 */
export function parseRead(raw: RawParameters, principal: Principal, { places }: Pick<Environment, 'places'>): ReadRequest {
  const reading = readParameters(raw, READ_CONTROLS, places);
  const problems = [...reading.problems, ...includeProblems(reading, principal)];
  if (problems.length) throw refusalOf(problems);
  const { representation = 'standard' } = reading.controls;
  return { representation, ...includesOf(reading.controls) };
}
