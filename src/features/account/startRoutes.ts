import { Type } from 'typebox';
import { flag, id, nullable, object, oneOf } from '../../core/domain/record/field.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { moment, whole } from '../../http/schemas.ts';
import { readStart, STARTS_PER_MINUTE, type StartServices } from './start.ts';

const text = Type.String();
const ids = nullable(Type.Array(id));

const account = object({
  teamId: whole,
  teamName: text,
  userName: text,
  role: oneOf('owner', 'member'),
  plan: object({ id: text, label: text, paid: flag, geography: text }),
  licence: object({ nationwide: flag, stateIds: ids, countyIds: ids }),
});

const data = object({
  account,
  credits: object({ remaining: whole, resetsAt: nullable(moment), creditRate: whole, contactCreditRate: whole }),
  limits: object({ requestsPerMinute: whole, startsPerMinute: whole }),
  vocabularies: object({ version: text, url: text }),
  release: nullable(object({ generation: whole, activatedAt: moment })),
  features: Type.Array(text),
});

/** `GET /start`. */
export const startRoutes = (services: StartServices): Route[] => [
  route('Account', 'getStart', 'GET /start', {
    summary: 'What a page or a program needs at its start: account, plan, licence, limits, words, release',
    description: `Free, and counted apart from the other requests of the key: ${STARTS_PER_MINUTE} a minute. \`vocabularies.url\` is a file that never changes under its name and needs no key: keep it until \`vocabularies.version\` is another.`,
    ownAllowance: STARTS_PER_MINUTE,
    answers: [json(data, { meta: object({ creditsUsed: whole }) })],
    example: { path: '/v1/start' },
    handle: ({ principal }) => readStart(services, principal),
  }),
];
