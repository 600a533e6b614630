/** The parameters of `GET /projects/{id}`. Pure. */
import { refusalOf } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { CACHED_CONTACTS, pickControls } from '../../core/filter/controls.ts';
import { type RawParameters, readParameters } from '../../core/filter/parse.ts';
import { contactProblems } from '../../core/search/contactProblems.ts';
import type { Environment } from '../../core/search/services.ts';

export const READ_CONTROLS = { ...pickControls('representation', 'include'), ...CACHED_CONTACTS };

export interface ReadRequest {
  representation: Representation;
  withContacts: boolean;
}

/**
 * Parses a request.
 * @throws ApiError with every problem of the request
 */
export function parseRead(raw: RawParameters, principal: Principal, { places }: Pick<Environment, 'places'>): ReadRequest {
  const reading = readParameters(raw, READ_CONTROLS, places);
  const problems = [...reading.problems, ...contactProblems(reading, principal)];
  if (problems.length) throw refusalOf(problems);
  const { representation = 'standard', include } = reading.controls;
  return { representation, withContacts: include === 'contacts' };
}
