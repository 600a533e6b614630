/** What `GET /projects/{id}` takes besides the id. Pure. */
import { refusalOf } from '../../domain/errors.ts';
import type { Principal } from '../../domain/principal.ts';
import type { Representation } from '../../domain/record/schemas.ts';
import { CACHED_CONTACTS, pickControls } from '../../filter/controls.ts';
import { type RawParameters, readParameters } from '../../filter/parse.ts';
import { contactProblems } from '../../search/contactProblems.ts';
import type { Environment } from '../../search/services.ts';

export const READ_CONTROLS = { ...pickControls('representation', 'include'), ...CACHED_CONTACTS };

export interface ReadRequest {
  representation: Representation;
  withContacts: boolean;
}

/** @throws ApiError with everything that is wrong with the request */
export function parseRead(raw: RawParameters, principal: Principal, { places }: Pick<Environment, 'places'>): ReadRequest {
  const reading = readParameters(raw, READ_CONTROLS, places);
  const problems = [...reading.problems, ...contactProblems(reading, principal)];
  if (problems.length) throw refusalOf(problems);
  const { representation = 'standard', include } = reading.controls;
  return { representation, withContacts: include === 'contacts' };
}
