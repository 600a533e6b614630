import { Type } from 'typebox';
import type { Places } from '../../core/domain/places.ts';
import { nullable, object, place } from '../../core/domain/record/field.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { whole } from '../../http/schemas.ts';
import { CANDIDATES_USUAL, type MatchServices, matchRows, SCORE_USUAL } from './matchRows.ts';
import { readRows } from './request.ts';
import type { MatchReason } from './types.ts';

const ROWS_MAX = 1_000;
const CANDIDATES_MAX = 5;
/** Large enough for 1,000 rows with every field. */
const ROWS_BODY_BYTES = 1024 * 1024;
const MATCHES_PER_MINUTE = 20;
const MATCH_REASONS: readonly MatchReason[] = ['parcel_number', 'case_number', 'address', 'point'];

const text = (maxLength: number, description: string) => Type.Optional(nullable(Type.String({ maxLength, description })));
const degrees = (most: number, description: string) => Type.Optional(nullable(Type.Number({ minimum: -most, maximum: most, description })));

const row = object({
  ref: text(200, 'Your own name of the row; comes back with it'),
  parcelNumber: text(100, 'Number of the parcel, as anybody writes it'),
  caseNumber: text(200, 'Case or permit number, as anybody writes it'),
  address: text(500, 'Street address; city, state and ZIP code may follow'),
  city: text(200, 'City; one that the catalogue does not know narrows nothing'),
  county: text(200, 'County, by name or FIPS number'),
  state: text(100, 'State, by USPS abbreviation, name or FIPS number'),
  latitude: degrees(90, 'Degrees north (WGS 84)'),
  longitude: degrees(180, 'Degrees east'),
});

const body = object({
  rows: Type.Array(row, { minItems: 1, maxItems: ROWS_MAX, description: 'Rows of your list; each names a parcel, case, address or point' }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: CANDIDATES_MAX, description: `Candidates a row (default ${CANDIDATES_USUAL})` }),
  ),
  minScore: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: `Candidates below this score do not count (default ${SCORE_USUAL})` }),
  ),
});

const candidate = object({
  id: place,
  score: Type.Number({ minimum: 0, maximum: 1, description: 'How surely the record is what the row names' }),
  reasons: Type.Array(Type.Unsafe<MatchReason>({ type: 'string', enum: MATCH_REASONS, title: 'MatchReason' }), {
    description: 'What agrees, with or without a slip of the keyboard',
  }),
  held: Type.Boolean({ description: 'Whether your pool was delivered the record' }),
});

const matched = object({
  index: Type.Integer({ minimum: 0, description: 'Of the row in the request' }),
  ref: nullable(Type.String()),
  candidates: Type.Array(candidate, { description: 'Best first; on metered plans only records that your pool holds' }),
  candidateCount: Type.Integer({ minimum: 0, description: 'Records of your licence that reach `minScore`, named or not' }),
});

/** `POST /projects/match`. */
export const matchRoutes = ({ places, ...services }: MatchServices & { places: Places }): Route[] => [
  route('Projects', 'matchProjects', 'POST /projects/match', {
    summary: 'Which projects the rows of your own list are',
    description:
      'Parcel and case numbers, addresses and points, typed as they are: case, separators, abbreviations, a missing or mistyped suffix, two swapped digits and a wrong letter do not matter. Every date and government items are looked at. Shows no attribute of a record. Free, and counted apart from the other requests of the key: 20 a minute.',
    body,
    bodyLimitBytes: ROWS_BODY_BYTES,
    readBody: (sent, principal) => readRows(sent, principal, places),
    ownAllowance: MATCHES_PER_MINUTE,
    manySearches: true,
    answers: [json(Type.Array(matched), { meta: object({ creditsUsed: whole, rowCount: whole, matchedRowCount: whole }) })],
    errors: ['geographic_access_denied', 'search_unavailable'],
    example: {
      body: {
        rows: [
          { ref: 'a', address: '8560 W. Pine', city: 'Boulder', state: 'CO' },
          { ref: 'b', parcelNumber: '524375029', county: 'Boulder', state: 'CO' },
        ],
        limit: 2,
      },
    },
    handle: ({ actor, body: sent, read }) => matchRows(services, actor, sent, read),
  }),
];
