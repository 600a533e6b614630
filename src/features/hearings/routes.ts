import { Type } from 'typebox';
import { flag, nullable, object, place } from '../../core/domain/record/field.ts';
import type { RawParameters } from '../../core/filter/parse.ts';
import { UNHELD_SHOWN_MIN } from '../../core/search/held.ts';
import { environmentOf } from '../../core/search/services.ts';
import { file, json, type QuerySender, type Route, route } from '../../http/declaration.ts';
import { filterEchoSchemas, MATCH_WARNINGS, SELECTION_ERRORS } from '../../http/pageSchemas.ts';
import { whole } from '../../http/schemas.ts';
import { writeHearingCalendar } from './calendar.ts';
import { HEARINGS_MAX, type HearingServices, listCalendarHearings, listHearings, NAMED_MAX, PROJECT_IDS_MAX } from './listHearings.ts';
import { HEARING_CONTROLS, parseHearings, SPAN_DAYS, SPAN_DAYS_MAX } from './request.ts';

const day = Type.String({ format: 'date' });
const label = Type.String({ description: 'As `Boulder, CO`' });

const hearing = object({
  date: day,
  body: nullable(Type.String({ description: 'Token of the decision body; null where no record says whose meeting it is' })),
  bodyLabel: nullable(Type.String()),
  place: object({ stateId: place, countyId: nullable(place), cityId: nullable(place), label }),
  projectCount: Type.Integer({ minimum: 1, description: 'Matching records that are on' }),
  projectIds: Type.Array(place, {
    maxItems: PROJECT_IDS_MAX,
    description: `Up to ${PROJECT_IDS_MAX} of them: on metered plans only records that your pool holds`,
  }),
  projects: Type.Array(object({ id: place, projectName: nullable(Type.String()) }), {
    maxItems: NAMED_MAX,
    description: `The first ${NAMED_MAX} of them by name: on metered plans only records that your pool was delivered as they are now`,
  }),
});

/** `GET /hearings` and `GET /hearings.ics`. */
export function hearingRoutes(services: HearingServices & Parameters<typeof environmentOf>[0] & { publicUrl: string }): Route[] {
  const query = {
    table: {
      filters: true,
      controls: HEARING_CONTROLS,
      parse: (sent: RawParameters, { principal }: QuerySender) => parseHearings(sent, principal, environmentOf(services)),
    },
  };
  const common = { query, lifetime: { seconds: 60, scope: 'private' } } as const;
  const errors = [...SELECTION_ERRORS, 'service_unavailable'] as const;
  return [
    route('Projects', 'listHearings', 'GET /hearings', {
      ...common,
      summary: 'Hearings ahead: which body meets when, and how many of the matching projects are on',
      description: `The next ${SPAN_DAYS} days unless \`from\` and \`to\` say otherwise, at most ${SPAN_DAYS_MAX} days and ${HEARINGS_MAX} hearings, the first days first. Takes every filter of a search; records of every date count unless a date filter is sent. Free.`,
      answers: [
        json(Type.Array(hearing), {
          meta: object({
            creditsUsed: whole,
            from: day,
            to: day,
            truncated: { ...flag, description: `There are more than ${HEARINGS_MAX} hearings` },
            suppressed: {
              ...flag,
              description: `On metered plans: fewer than ${UNHELD_SHOWN_MIN} projects match that your pool does not hold, or \`projectIds\` were sent, and only those that it holds are shown`,
            },
            ...filterEchoSchemas(...MATCH_WARNINGS),
          }),
        }),
      ],
      errors,
      example: { path: '/v1/hearings?states=CO&to=2026-12-31' },
      handle: ({ actor, query: asked }) => listHearings(services, actor, asked),
    }),
    route('Projects', 'readHearingsCalendar', 'GET /hearings.ics', {
      ...common,
      summary: 'The same as iCalendar: an all-day event for each body and day, cancelled where every matching project left it',
      answers: [file('text/calendar')],
      errors,
      example: { path: '/v1/hearings.ics?states=CO' },
      async handle({ actor, query: asked }) {
        const text = writeHearingCalendar(await listCalendarHearings(services, actor, asked), asked.from, services.publicUrl);
        return { version: text, make: async () => new TextEncoder().encode(text) };
      },
    }),
  ];
}
