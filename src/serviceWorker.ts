/** The worker's clients and what it can do, wired together: for `npm run worker`, and for a process that serves and works. */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { SEND_MAIL_KIND } from './domain/mail.ts';
import { SecretBox } from './domain/webhooks.ts';
import { composeWorker, type Worker } from './jobs/compose.ts';
import { enrichJob } from './jobs/enrich.ts';
import { exportCsvJob } from './jobs/exportCsv.ts';
import { runAlertsJob } from './jobs/runAlerts.ts';
import { screenJob } from './jobs/screen.ts';
import { sendMailJob } from './jobs/sendMail.ts';
import { sendWebhooksJob } from './jobs/sendWebhooks.ts';
import type { RunnerSettings } from './jobs/settings.ts';
import type { Observers } from './metrics/observers.ts';
import { builtinScreener } from './operations/aiSearch/builtinScreener.ts';
import { alertStores } from './operations/alerts/stores.ts';
import { screenerOf } from './screenerOf.ts';
import type { ContactFinder } from './store/contactFinder.ts';
import { ChangeFeed } from './store/elastic/changeFeed.ts';
import { makeElastic } from './store/elastic/client.ts';
import { ContactDirectory } from './store/elastic/contactDirectory.ts';
import { IndexNames } from './store/elastic/indices.ts';
import { ProjectSets } from './store/elastic/projectSets.ts';
import { ProjectStore } from './store/elastic/projects.ts';
import { RelevanceStore } from './store/elastic/relevance.ts';
import { SyncedNames } from './store/elastic/syncedNames.ts';
import { exportFilesOf } from './store/files/exportFiles.ts';
import { loadPlaces } from './store/files/places.ts';
import { LineageWatch } from './store/lineageWatch.ts';
import { type Look, lookAt } from './store/look.ts';
import { AccountStore } from './store/postgres/accounts.ts';
import { ScreeningStore } from './store/postgres/aiScreening.ts';
import { AiSearchStore } from './store/postgres/aiSearches.ts';
import { EnrichmentStore } from './store/postgres/enrichments.ts';
import { ExportStore } from './store/postgres/exports.ts';
import { HoldingStore } from './store/postgres/holdings.ts';
import { IdempotencyStore } from './store/postgres/idempotency.ts';
import { Ledger } from './store/postgres/ledger.ts';
import { LineageStore } from './store/postgres/lineage.ts';
import { ModelAnswers } from './store/postgres/modelAnswers.ts';
import { OutboxStore } from './store/postgres/outbox.ts';
import { Suppressions } from './store/postgres/suppressions.ts';
import { UnlockStore } from './store/postgres/unlocks.ts';
import { WebhookMessageStore } from './store/postgres/webhookMessages.ts';
import { ContactProvider } from './store/provider/contactProvider.ts';
import { MailServer } from './store/smtp/mailServer.ts';
import { WebhookSender } from './store/webhook/webhookSender.ts';

/** No client waits for a job's search. */
const SEARCH_TIMEOUT_MS = 30_000;
/** Well below the time after which a run counts as dead. */
const ALERT_JUDGING_MS = 20_000;

export interface ServiceWorker extends Worker {
  /** how metrics ask the servers; to be closed by whoever asks for it */
  look(): Look;
}

/** A worker on every kind of job of the service. @param now the clock, for tests @param settings for tests */
export function serviceWorker(
  config: Config,
  log: Logger,
  now = () => new Date(),
  settings: Partial<RunnerSettings> = {},
  { watch, attempt, charged, pool }: Observers = {},
): ServiceWorker {
  const { elasticsearchUrl: url, elasticsearchApiKey, elasticsearchCa, indexPrefix, publicUrl } = config;
  const elastic = makeElastic({
    url,
    apiKey: elasticsearchApiKey ?? undefined,
    ca: elasticsearchCa ?? undefined,
    timeoutMs: SEARCH_TIMEOUT_MS,
    retries: 1,
    watch: watch?.elasticsearch,
  });
  const [names, synced] = [new IndexNames(indexPrefix), new SyncedNames(indexPrefix)];
  const mailServer = config.smtpUrl === null ? null : new MailServer({ url: config.smtpUrl });
  const worker = composeWorker({
    ...{ watch: watch?.postgres, observe: attempt, pool },
    ...{ databaseUrl: config.databaseUrl, databaseSchema: config.databaseSchema, patience: config.serverPatience, log, settings },
    connections: config.databaseConnections,
    definitions: (database, jobs, control) => {
      const idempotency = new IdempotencyStore(database);
      const lineages = new LineageStore(control, indexPrefix);
      const lineage = new LineageWatch({ elastic, names, lineages, timeoutMs: SEARCH_TIMEOUT_MS });
      const ledger = new Ledger(database, { guard: lineage, charged });
      const suppressions = new Suppressions(control, config.keyPepper);
      const unlocks = new UnlockStore(database);
      const finder = finderOf(config, elastic, names);
      const enrichments = new EnrichmentStore(jobs, { idempotency, suppressions, unlocks, charged });
      const accounts = new AccountStore(database);
      const outbox = new OutboxStore(jobs);
      const screener = screenerOf(config, { builtin: builtinScreener, database, log });
      const relevance = new RelevanceStore(elastic, names, SEARCH_TIMEOUT_MS);
      const services = {
        store: new ProjectStore(elastic, names, SEARCH_TIMEOUT_MS),
        sets: new ProjectSets(elastic, names, SEARCH_TIMEOUT_MS),
        holdings: new HoldingStore(database),
        places: loadPlaces(),
        ...{ publicUrl, now, log, ledger, idempotency, suppressions, unlocks, enrichments, finder, lineage },
      };
      return [
        exportCsvJob({ ...services, exports: new ExportStore(jobs, idempotency, enrichments, charged), files: exportFilesOf(config) }),
        enrichJob(services),
        screenJob({
          ...services,
          searches: new AiSearchStore(jobs, idempotency, enrichments),
          screening: new ScreeningStore(database),
          relevance,
          screener,
          answers: new ModelAnswers(database),
          accounts: new AccountStore(database),
          outbox: new OutboxStore(jobs),
          ceilings: {
            dailyScreened: config.aiDailyScreened,
            jobReviewed: config.aiJobReviewed,
            jobConfirmed: config.aiJobConfirmed,
          },
        }),
        runAlertsJob({
          ...services,
          ...alertStores({ database, jobs, ledger, idempotency }),
          changes: new ChangeFeed(elastic, synced, SEARCH_TIMEOUT_MS),
          sets: new ProjectSets(elastic, synced, SEARCH_TIMEOUT_MS),
          accounts,
          relevance: new RelevanceStore(elastic, synced, SEARCH_TIMEOUT_MS),
          screener,
          judgingMs: ALERT_JUDGING_MS,
        }),
        sendWebhooksJob({
          ...{ accounts, outbox, publicUrl, now },
          messages: new WebhookMessageStore(jobs, new SecretBox(config.keyPepper)),
          sender: new WebhookSender({ allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts }),
        }),
        // Without a server mails wait in the outbox.
        ...(mailServer ? [sendMailJob({ outbox, server: mailServer, from: config.mailFrom, publicUrl })] : []),
      ];
    },
    alsoQueued: [SEND_MAIL_KIND.name],
    close: async () => {
      mailServer?.close();
      await elastic.close();
    },
  });
  const onError = (error: Error) => log.warn({ err: error }, 'A Postgres connection of the metrics broke');
  const { databaseUrl, databaseSchema: schema, serverPatience: patience, searchTimeoutMs } = config;
  const postgres = { url: databaseUrl, schema, patience, onError };
  return { ...worker, look: () => lookAt({ elastic, prefix: indexPrefix, searchTimeoutMs, postgres, now }) };
}

/** null where contact finding is switched off */
function finderOf(
  { contactProviderUrl: url, contactProviderKey: key }: Config,
  elastic: ReturnType<typeof makeElastic>,
  names: IndexNames,
): ContactFinder | null {
  if (url === 'off') return null;
  return url === 'builtin' ? new ContactDirectory(elastic, names, SEARCH_TIMEOUT_MS) : new ContactProvider({ url, key });
}
