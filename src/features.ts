/** Every feature of the service, in the order of the reference: a line each. */
import type { MetricDeclaration } from './core/domain/metric.ts';
import type { TeamSubscriber } from './core/identity/teamChanges.ts';
import type { MailAudience } from './core/mail/sendMails.ts';
import type { SuppressionHooks } from './core/people/suppressions.ts';
import { account } from './features/account/index.ts';
import { aiSearch } from './features/aiSearch/index.ts';
import { alerts } from './features/alerts/index.ts';
import { analytics } from './features/analytics/index.ts';
import { briefs } from './features/briefs/index.ts';
import { clients } from './features/clients/index.ts';
import { contacts } from './features/contacts/index.ts';
import { documents } from './features/documents/index.ts';
import { csvExports } from './features/exports/index.ts';
import type { EventDeclaration, Feature } from './features/feature.ts';
import { freshness } from './features/freshness/index.ts';
import { hearings } from './features/hearings/index.ts';
import { lists } from './features/lists/index.ts';
import { mailLinks } from './features/mailLinks/index.ts';
import { map } from './features/map/index.ts';
import { match } from './features/match/index.ts';
import { oauth } from './features/oauth/index.ts';
import { ogc } from './features/ogc/index.ts';
import { places } from './features/places/index.ts';
import { projects } from './features/projects/index.ts';
import { greeting, reference } from './features/reference/index.ts';
import { releases } from './features/releases/index.ts';
import { restrictions } from './features/restrictions/index.ts';
import { snapshots } from './features/snapshots/index.ts';
import { sync } from './features/sync/index.ts';
import { webhooks } from './features/webhooks/index.ts';

export const FEATURES: readonly Feature[] = [
  reference,
  clients,
  map,
  mailLinks,
  projects,
  match,
  sync,
  aiSearch,
  csvExports,
  snapshots,
  lists,
  alerts,
  webhooks,
  contacts,
  analytics,
  documents,
  releases,
  freshness,
  hearings,
  restrictions,
  briefs,
  places,
  account,
  oauth,
  ogc,
  greeting,
];

export const FEATURE_METRICS: readonly MetricDeclaration[] = FEATURES.flatMap(({ metrics = [] }) => metrics);

/** What features do when a team changes, in reverse order: a feature that builds on another locks its rows before the other's. */
export const TEAM_SUBSCRIBERS: readonly TeamSubscriber[] = FEATURES.flatMap(({ team }) => team ?? []).reverse();

/** What features do about people who asked not to be found. */
export const SUPPRESSION_HOOKS: readonly SuppressionHooks[] = FEATURES.flatMap(({ people }) => people ?? []);

/** For each kind of mail, the feature that knows its recipients. */
export const MAIL_AUDIENCES: readonly MailAudience[] = FEATURES.flatMap(({ mails }) => mails ?? []);

const placeOf = ({ place = Number.MAX_SAFE_INTEGER }: EventDeclaration) => place;

/** Declarations of all features that each of them gets: event types, those with a `place` first, and what to do when a team changes. */
export const FEATURE_DECLARATIONS = {
  events: FEATURES.flatMap(({ events = [] }) => events).sort((a, b) => placeOf(a) - placeOf(b)),
  subscribers: TEAM_SUBSCRIBERS,
};
