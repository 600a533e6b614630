/**
 * The service's configuration: environment variables only, checked at start.
 * `VARIABLES` is the one list of them; the types, the checks, the error and the table of src/docs/settings.md follow from it.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { isMailAddress } from './core/mail/mail.ts';
import { BUCKET_ADDRESS, type BucketKey, IS_ADDRESS } from './core/store/files/fileStore.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Turns the text of a variable into its value, or throws an Error that says what the text has to be. */
type Parse<T> = (text: string) => T;

interface Variable<T> {
  name: string;
  doc: string;
  parse: Parse<T>;
  /** a text that is parsed like a given one; null where the variable may be absent; undefined where it is required */
  default?: string | null | ((env: Environment) => string);
  /** the default as the table in settings.md shows it, if it is computed */
  defaultDoc?: string;
  /** name of another variable: if that one is an address, this one must be set */
  neededBy?: string;
  /** name of another variable: only one of the two may be set */
  excludes?: string;
}

const SECRET_LENGTH_MIN = 32;
const PORT_MAX = 65_535;
const LOOPBACK = '127.0.0.1';
const RATE_MAX_PER_MINUTE = 1_000_000_000;
const AI_CEILING_MAX = 1_000_000_000;
/** Elasticsearch ranks at most this many in one answer. */
const AI_REVIEWED_MAX = 10_000;
/** The most that one job delivers, whatever the settings. */
const AI_CONFIRMED_MAX = 100;
const TEAM_JOBS_WAITING_MAX = 1_000_000;
const SYNC_TIE_LIMIT_MAX = 1_000_000;
const TIMEOUT_MAX_MS = 600_000;
const PATIENCE_MAX = 100;
const CONNECTIONS_MAX = 1_000;
const PROCESSES_MAX = 256;
/** What a process has to have at least (src/operate/preflight/checkMachine.ts), with room for the servers beside it. */
const MEMORY_A_PROCESS_BYTES = 1024 ** 3;
const SHARDS_MAX = 64;
const LOST_MINIMUM_MAX = 1_000_000;
const REPLICAS_MAX = 9;

function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`has to be a whole number from ${min} to ${max}, not '${text}'`);
    return value;
  };
}

/** The value is never repeated in the message: such an address often carries a password. */
function url(...protocols: string[]): Parse<string> {
  return (text) => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    const wanted = protocols.map((p) => `${p}://…`).join(' or ');
    if (!parsed || !protocols.includes(parsed.protocol.slice(0, -1))) throw new Error(`has to be an address such as ${wanted}`);
    return text.replace(/(?<!\/)\/+$/, '');
  };
}

/** Addresses, separated by commas. */
function urls(...protocols: string[]): Parse<string[]> {
  return (list) => [...new Set(list.split(',').map((entry) => url(...protocols)(entry.trim())))];
}

function matching(pattern: RegExp, wanted: string): Parse<string> {
  return (text) => {
    if (!pattern.test(text)) throw new Error(`has to be ${wanted}, not '${text}'`);
    return text;
  };
}

function oneOf<const T extends string>(...choices: T[]): Parse<T> {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new Error(`has to be one of ${choices.join(', ')}, not '${text}'`);
    return found;
  };
}

const secret: Parse<string> = (text) => {
  if (text.length >= SECRET_LENGTH_MIN) return text;
  throw new Error(
    `has to be a secret of at least ${SECRET_LENGTH_MIN} characters (this one has ${text.length}); make one with: openssl rand -hex 32`,
  );
};

/** Origins as browsers send them, separated by commas. */
const origins: Parse<string[]> = (list) => {
  const given = list.split(',').flatMap((entry) => entry.trim() || []);
  const bad = given.findIndex((entry) => !/^https?:/.test(entry) || !URL.canParse(entry) || new URL(entry).origin !== entry);
  if (bad < 0) return given;
  // The value is not repeated in the message: people put passwords into addresses.
  throw new Error(
    `has to be origins such as https://app.example, without a path or credentials and separated by commas; number ${bad + 1} is none`,
  );
};

const host = matching(/^[A-Za-z0-9.:_%-]{1,255}$/, 'an address or name of this machine, without port or brackets');

/** A folder or the address of a bucket. The message does not repeat the address: people put passwords into it. */
const filePlace: Parse<string> = (text) => {
  if (!IS_ADDRESS.test(text)) return folder(text);
  const address = text.replace(/(?<!\/)\/+$/, '');
  if (BUCKET_ADDRESS.test(address) && URL.canParse(address)) return address;
  throw new Error(
    'has to be a folder, https://endpoint/bucket or https://endpoint/bucket/folder, without credentials and without a query but ?region=name',
  );
};

/** The id and secret of an access key; the message does not repeat them. */
const bucketKey: Parse<BucketKey> = (text) => {
  const [, keyId, secret] = /^([^:\s]+):(\S+)$/.exec(text) ?? [];
  if (keyId && secret) return { keyId, secret };
  throw new Error('has to be the id of an access key, a colon and its secret');
};

/** `9464` listens on loopback, `0.0.0.0:9464` on an address of the machine. */
const listenAddress: Parse<{ host: string; port: number }> = (text) => {
  const [, given, port = ''] = /^(?:(.+):)?([^:]*)$/.exec(text) ?? [];
  const address = given?.replace(/^\[(.*)\]$/, '$1');
  return { host: address === undefined ? LOOPBACK : host(address), port: integer(0, PORT_MAX)(port) };
};

/** Ports, separated by commas; null for `any`. */
const ports: Parse<number[] | null> = (list) => {
  if (list.trim() === 'any') return null;
  const given = list.split(',').map((entry) => entry.trim());
  const bad = given.find((entry) => !/^\d{1,5}$/.test(entry) || Number(entry) < 1 || Number(entry) > PORT_MAX);
  if (bad !== undefined) throw new Error(`has to be ports from 1 to ${PORT_MAX}, separated by commas, or any, not '${bad}'`);
  return given.map(Number);
};

/** Headers as `name=value`, separated by commas. The message never repeats the values, which are mostly keys. */
const headers: Parse<Record<string, string>> = (list) => {
  const pairs = list.split(',').flatMap((entry) => (entry.trim() ? [/^([A-Za-z0-9_-]+)\s*=\s*(\S.*)$/.exec(entry.trim())] : []));
  if (pairs.includes(null)) throw new Error('has to be name=value, separated by commas');
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]));
};

/** A finding is made from so many records on, or from such a percentage of a place's records. */
interface FindingThreshold {
  records: number;
  percent: number | null;
}

/** `code=records` or `code=records/percent`, separated by commas. */
const thresholds: Parse<Record<string, FindingThreshold>> = (text) => {
  const entries = text.split(',').flatMap((entry) => entry.trim() || []);
  const pairs = entries.map((entry) => {
    const [, code = '', records, percent] = /^([a-z_]+)=([1-9]\d{0,8})(?:\/(\d{1,2}(?:\.\d+)?|100))?$/.exec(entry) ?? [];
    if (!code) throw new Error(`has to be CODE=RECORDS or CODE=RECORDS/PERCENT, separated by commas, not '${entry}'`);
    return [code, { records: Number(records), percent: percent === undefined ? null : Number(percent) }] as const;
  });
  return Object.fromEntries(pairs);
};

const mailAddress: Parse<string> = (text) => {
  if (isMailAddress(text)) return text;
  throw new Error(`has to be one bare address, such as no-reply@landuse.example, not '${text}'`);
};

const pageLink: Parse<string> = (value) => {
  const { protocol = '' } = URL.canParse(value) ? new URL(value) : {};
  if (['https:', 'http:', 'mailto:'].includes(protocol)) return value;
  throw new Error('has to be an address such as https://… or mailto:sales@landuse.example');
};

/** Only Linux distributes connections among processes that listen on one port. */
const canShareAPort = process.platform === 'linux';

const processes: Parse<number> = (value) => {
  const count = integer(1, PROCESSES_MAX)(value);
  if (count > 1 && !canShareAPort) throw new Error('has to be 1 here: only Linux distributes connections among processes on one port');
  return count;
};

function usualProcesses(): string {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return String(canShareAPort ? Math.max(1, Math.min(availableParallelism(), Math.floor(memory / MEMORY_A_PROCESS_BYTES))) : 1);
}

const boolean: Parse<boolean> = (text) => oneOf('true', 'false')(text) === 'true';
const text: Parse<string> = (value) => value;
const folder: Parse<string> = (path) => resolve(path);

const file: Parse<string> = (path) => {
  if (!existsSync(path)) throw new Error(`names the file '${path}', which does not exist`);
  return resolve(path);
};

/** The first bytes of a PMTiles archive of version 3. */
const PMTILES_START = Buffer.from('PMTiles\u0003', 'latin1');

/** A PMTiles archive (specification version 3), which programs such as planetiler, tippecanoe and `pmtiles extract` write. */
const tileArchive: Parse<string> = (path) => {
  const found = file(path);
  const start = Buffer.alloc(PMTILES_START.length);
  const opened = openSync(found, 'r');
  try {
    readSync(opened, start, 0, start.length, 0);
  } finally {
    closeSync(opened);
  }
  if (start.equals(PMTILES_START)) return found;
  throw new Error(`names the file '${path}', which is no PMTiles archive of version 3`);
};

/** 'builtin' (the loaded contact directory), 'off' (enrichment answers 501), or the address of an HTTP provider. */
const contactProvider: Parse<string> = (value) => (value === 'builtin' || value === 'off' ? value : url('http', 'https')(value));

const variable = <T>(v: Variable<T>) => v;

const perMinute = (name: string, fallback: number, doc: string) =>
  variable({ name, default: String(fallback), parse: integer(1, RATE_MAX_PER_MINUTE), doc });

const VARIABLES = {
  port: variable({ name: 'PORT', default: '8080', parse: integer(0, PORT_MAX), doc: 'TCP port to listen on; 0 takes any free one' }),
  host: optional('HOST', host, 'address to listen on, e.g. 127.0.0.1; by default every address of the machine'),
  metricsAddress: optional(
    'METRICS_PORT',
    listenAddress,
    'TCP port, on loopback, on which Prometheus reads /metrics without a key; each process needs its own. 0.0.0.0:9464 listens on an address',
  ),
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url('http', 'https'),
    'OpenTelemetry collector, e.g. http://localhost:4318, for spans as OTLP over HTTP',
  ),
  otlpHeaders: variable({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: '',
    defaultDoc: 'none',
    parse: headers,
    doc: 'headers for it: name=value, separated by commas, percent-encoded where needed',
  }),
  publicUrl: variable({
    name: 'PUBLIC_URL',
    default: (env) => `http://localhost:${/^\d+$/.test(env.PORT ?? '') ? env.PORT : 8080}`,
    defaultDoc: 'http://localhost:PORT',
    parse: url('http', 'https'),
    doc: 'address under which clients reach the service; the API root is this + /v1',
  }),
  contactUrl: optional(
    'CONTACT_URL',
    pageLink,
    'contact that /map shows when an allowance ends, https://… or mailto:sales@landuse.example',
  ),
  upgradeUrl: optional('UPGRADE_URL', url('https', 'http'), 'page on which they change their plan'),
  corsOrigins: variable({
    name: 'CORS_ORIGINS',
    default: '',
    defaultDoc: 'none',
    parse: origins,
    doc: 'origins whose pages may call the API from a browser, besides PUBLIC_URL',
  }),
  elasticsearchUrls: variable({
    name: 'ELASTICSEARCH_URL',
    parse: urls('http', 'https'),
    doc: 'Elasticsearch, e.g. http://localhost:9200; of a cluster, addresses of several nodes, separated by commas',
  }),
  elasticsearchApiKey: optional('ELASTICSEARCH_API_KEY', text, 'API key for Elasticsearch, where it asks for one'),
  elasticsearchCa: optional('ELASTICSEARCH_CA', file, "PEM file with the authority that signed Elasticsearch's certificate"),
  databaseUrl: variable({
    name: 'DATABASE_URL',
    parse: url('postgres', 'postgresql'),
    doc: 'Postgres, e.g. postgres://user:password@localhost:5432/landuse',
  }),
  redisUrl: variable({ name: 'REDIS_URL', parse: url('redis', 'rediss'), doc: 'Redis, e.g. redis://localhost:6379' }),
  smtpUrl: optional('SMTP_URL', url('smtp', 'smtps'), 'mail server; without one, mails wait in the outbox'),
  mailFrom: variable({
    name: 'MAIL_FROM',
    default: (env) => `no-reply@${URL.canParse(env.PUBLIC_URL ?? '') ? new URL(env.PUBLIC_URL ?? '').hostname : 'localhost'}`,
    defaultDoc: 'no-reply@ the host of PUBLIC_URL',
    parse: mailAddress,
    doc: 'address that mails are sent from',
  }),
  exportDir: variable({
    name: 'EXPORT_DIR',
    default: 'exports',
    parse: filePlace,
    doc: 'files of exports: a folder, or an S3-compatible bucket, https://endpoint/bucket/folder, with ?region=name if it is not us-east-1 (not needed for Amazon)',
  }),
  exportBucketKey: optional('EXPORT_BUCKET_KEY', bucketKey, 'access key to that bucket, id:secret', 'EXPORT_DIR'),
  backupBucketKey: optional(
    'BACKUP_BUCKET_KEY',
    bucketKey,
    'access key to the bucket of `npm run backup` and `npm run restore`, id:secret',
  ),
  indexShards: variable({
    name: 'INDEX_SHARDS',
    default: '1',
    parse: integer(1, SHARDS_MAX),
    doc: 'shards of new indices; `npm run ingest -- renew` applies it to what is served',
  }),
  indexReplicas: variable({
    name: 'INDEX_REPLICAS',
    default: '1',
    parse: integer(0, REPLICAS_MAX),
    doc: 'copies of each shard besides the first, if there are nodes for them',
  }),
  generationsDir: variable({
    name: 'GENERATIONS_DIR',
    default: 'generations',
    parse: (place) => (place === 'off' ? null : filePlace(place)),
    doc: "folder or bucket, as in EXPORT_DIR, in which loads keep what `npm run ingest -- rebuild` needs; 'off' keeps nothing",
  }),
  generationsBucketKey: optional('GENERATIONS_BUCKET_KEY', bucketKey, 'access key to that bucket, id:secret', 'GENERATIONS_DIR'),
  lostPercent: variable({
    name: 'LOST_PERCENT',
    default: '30',
    parse: integer(1, 100),
    doc: 'a load that states so many percent fewer records of a place, or values of one of its fields, than are served is refused unless that is accepted',
  }),
  lostMinimum: variable({
    name: 'LOST_MINIMUM',
    default: '5',
    parse: integer(1, LOST_MINIMUM_MAX),
    doc: 'and at least so many fewer',
  }),
  recordsLostPercent: variable({
    name: 'RECORDS_LOST_PERCENT',
    default: '10',
    parse: integer(1, 100),
    doc: 'the same of all records, and of all filled fields',
  }),
  findingThresholds: variable({
    name: 'FINDING_THRESHOLDS',
    default: '',
    defaultDoc: 'those of the guide',
    parse: thresholds,
    doc: 'from how many records of a place on a load makes a finding: CODE=RECORDS or CODE=RECORDS/PERCENT, separated by commas, e.g. same_case=20/5,old_news=200',
  }),
  cursorSecret: variable({ name: 'CURSOR_SECRET', parse: secret, doc: 'signs sync cursors; at least 32 characters' }),
  keyPepper: variable({
    name: 'KEY_PEPPER',
    parse: secret,
    doc: 'keys the hash under which API keys are stored; at least 32 characters',
  }),
  rateLimitPaid: perMinute('RATE_LIMIT_PAID', 60, 'requests per trailing 60 seconds of a key on a paid plan'),
  rateLimitTrial: perMinute('RATE_LIMIT_TRIAL', 10, 'the same of a free-trial key'),
  rateLimitAnonymous: perMinute(
    'RATE_LIMIT_ANONYMOUS',
    10,
    'the same without a credential (per source address) or with an unusable one (per credential)',
  ),
  rateLimitHealth: perMinute('RATE_LIMIT_HEALTH', 120, 'the same to unauthenticated routes, per source address'),
  trustProxy: variable({
    name: 'TRUST_PROXY',
    default: 'false',
    parse: boolean,
    doc: 'true takes the source address from the last entry of X-Forwarded-For; only behind your own proxy',
  }),
  syncTieLimit: variable({
    name: 'SYNC_TIE_LIMIT',
    default: '10000',
    parse: integer(1, SYNC_TIE_LIMIT_MAX),
    doc: 'records that may share one lastUpdated before sync answers sync_tie_unresolved',
  }),
  teamJobsWaiting: variable({
    name: 'TEAM_JOBS_WAITING',
    default: '10',
    parse: integer(1, TEAM_JOBS_WAITING_MAX),
    doc: 'exports, AI searches and look-ups (each) that one team may have waiting',
  }),
  apiProcesses: variable({
    name: 'API_PROCESSES',
    default: usualProcesses,
    defaultDoc: 'one a core, and 1 GiB',
    parse: processes,
    doc: 'processes of npm start behind its one port; more than 1 on Linux alone',
  }),
  databaseConnections: variable({
    name: 'DATABASE_CONNECTIONS',
    default: '20',
    parse: integer(1, CONNECTIONS_MAX),
    doc: 'connections to Postgres for requests (of all processes of one npm start together) or jobs; each process opens a few more',
  }),
  serverPatience: variable({
    name: 'SERVER_PATIENCE',
    default: '1',
    parse: integer(1, PATIENCE_MAX),
    doc: 'factor on the timeouts of Elasticsearch (5 s), Postgres and Redis (2.5 s); raise it for distant servers',
  }),
  bodyArrivalMs: variable({
    name: 'BODY_ARRIVAL_MS',
    default: '15000',
    parse: integer(1, TIMEOUT_MAX_MS),
    doc: 'milliseconds after the head of a request in which its body has to arrive; else 408',
  }),
  shutdownGraceMs: variable({
    name: 'SHUTDOWN_GRACE_MS',
    default: '5000',
    parse: integer(0, TIMEOUT_MAX_MS),
    doc: 'milliseconds in which a process still serves after SIGTERM, with a failing /ready; SIGINT stops at once',
  }),
  contactProviderUrl: variable({
    name: 'CONTACT_PROVIDER_URL',
    default: 'builtin',
    parse: contactProvider,
    doc: "'builtin' looks contacts up in the loaded directory, 'off' switches enrichment off, an http(s) address asks a provider",
  }),
  contactProviderKey: optional('CONTACT_PROVIDER_KEY', text, 'bearer token for the contact provider'),
  mapStyleUrl: optional(
    'MAP_STYLE_URL',
    url('https', 'http'),
    'a MapLibre style, e.g. https://tiles.example/style.json, which /map draws below outlines and projects',
  ),
  mapTilesFile: variable({
    name: 'MAP_TILES_FILE',
    default: null,
    parse: tileArchive,
    doc: 'a PMTiles archive of version 3 on this machine, which /map draws instead; it is public',
    excludes: 'MAP_STYLE_URL',
  }),
  webhookAllowPrivate: variable({
    name: 'WEBHOOK_ALLOW_PRIVATE',
    default: 'false',
    parse: boolean,
    doc: 'true lets webhooks go to plain http and to addresses of this machine and its networks',
  }),
  webhookPorts: variable({
    name: 'WEBHOOK_PORTS',
    default: '443,8443',
    parse: ports,
    doc: "TCP ports that webhooks go to, separated by commas, or 'any'; plain http needs its port here, too",
  }),
  languageModelUrl: optional(
    'LANGUAGE_MODEL_URL',
    url('http', 'https'),
    'root of an OpenAI-compatible API for AI search, e.g. https://host/v1',
  ),
  languageModelKey: optional('LANGUAGE_MODEL_KEY', text, 'bearer token for the language model'),
  languageModelName: optional('LANGUAGE_MODEL_NAME', text, 'model to ask for', 'LANGUAGE_MODEL_URL'),
  languageModelDailyCalls: variable({
    name: 'LANGUAGE_MODEL_DAILY_CALLS',
    default: '5000',
    parse: integer(1, AI_CEILING_MAX),
    doc: 'calls of the language model in a day, by all processes; a team has a fifth of them, one AI search, or one alert, a twentieth',
  }),
  geocoderUrl: optional(
    'GEOCODER_URL',
    url('http', 'https'),
    'search of a Pelias or Nominatim server, e.g. https://host/v1/search, by which `npm run extract` and site briefs find the points of addresses',
  ),
  aiDailyScreened: variable({
    name: 'AI_DAILY_SCREENED',
    default: '5000',
    parse: integer(1, AI_CEILING_MAX),
    doc: 'records whose text AI searches of one team may look at in a day',
  }),
  aiJobReviewed: variable({
    name: 'AI_JOB_REVIEWED',
    default: '1000',
    parse: integer(1, AI_REVIEWED_MAX),
    doc: 'records that one AI search judges at most',
  }),
  aiJobConfirmed: variable({
    name: 'AI_JOB_CONFIRMED',
    default: '100',
    parse: integer(1, AI_CONFIRMED_MAX),
    doc: 'confirmed records that one AI search delivers at most',
  }),
  alertNewlyReadDays: variable({
    name: 'ALERT_NEWLY_READ_DAYS',
    default: '180',
    parse: integer(1, 36_500),
    doc: 'a record that is new to an alert is an old case, newly read, if its last hearing was more days before the run',
  }),
  serviceEnvironment: variable({
    name: 'SERVICE_ENVIRONMENT',
    default: 'production',
    parse: matching(/^[a-z][a-z0-9_-]{0,39}$/, 'a lower-case word'),
    doc: 'sent as X-Service-Environment',
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    default: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    doc: 'fatal, error, warn, info, debug, trace or silent',
  }),
  indexPrefix: variable({
    name: 'INDEX_PREFIX',
    default: 'landuse',
    parse: matching(/^[a-z][a-z0-9_-]{0,59}$/, 'a lower-case word (letters, digits, _ and -)'),
    doc: 'begins the names of the Elasticsearch indices and, with a colon, of the Redis keys',
  }),
  databaseSchema: variable({
    name: 'DATABASE_SCHEMA',
    default: 'public',
    parse: matching(/^[a-z_][a-z0-9_]{0,62}$/, 'a lower-case word (letters, digits and _)'),
    doc: 'Postgres schema that holds the tables',
  }),
};

function optional<T>(name: string, parse: Parse<T>, doc: string, neededBy?: string) {
  return { name, parse, doc, default: null, ...(neededBy ? { neededBy } : {}) };
}

type Variables = typeof VARIABLES;
type ValueOf<V> = V extends { parse: Parse<infer T>; default: null } ? T | null : V extends { parse: Parse<infer T> } ? T : never;

/** Every setting, checked; `null` where an optional one is absent. */
export type ServiceSettings = { readonly [K in keyof Variables]: ValueOf<Variables[K]> };

/** Limits that are the same in every installation. */
export const LIMITS = {
  /** different unusable credentials per source address in trailing 60 seconds; further ones are refused without a look-up */
  refusedCredentialsPerMinute: 60,
  /** requests per source address in trailing 60 seconds for files that pages load */
  filesPerMinute: 1_200,
  /** records that a CSV export holds at most: Elasticsearch sorts no more in one answer */
  exportRowsMax: 10_000,
  /** bytes that the kept export files of one team take at most; beyond them no export is accepted until some expire */
  teamExportBytes: 2 * 1024 ** 3,
  /** bytes that the kept snapshots of one team take at most; beyond them no snapshot is accepted until some are deleted or expire */
  teamSnapshotBytes: 100 * 1024 ** 3,
  /** records of a file of a snapshot at most */
  snapshotFileRecords: 100_000,
  /** compact records that a build of a snapshot reads at once, and fewer larger ones; divides the records of a file */
  snapshotPageRecords: 2_500,
  /** longest wait for an answer while Elasticsearch is away; SERVER_PATIENCE times as long where that is set */
  searchTimeoutMs: 5_000,
  /** longest wait for one answer of the language model; then the built-in rules answer */
  languageModelTimeoutMs: 30_000,
};
type ProcessLimits = Readonly<typeof LIMITS>;

/** What a process works with: its settings, and the limits that are the same everywhere. */
export type Config = ServiceSettings & ProcessLimits & { readonly redisPrefix: string };

export const redisPrefixOf = ({ indexPrefix }: Pick<ServiceSettings, 'indexPrefix'>): string => `${indexPrefix}:`;

/** What is wrong with the environment, all of it at once. Callers print the message and exit with `exitCode`. */
export class ConfigError extends Error {
  readonly exitCode = 2;
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const head = problems.length === 1 ? 'One setting is unusable:' : `${problems.length} settings are unusable:`;
    super(
      `${head}\n${problems.map((p) => `  - ${p}`).join('\n')}\nSettings are environment variables; src/docs/settings.md lists them all.`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

function readVariable(v: Variable<unknown>, env: Environment): unknown {
  const given = env[v.name]?.trim() || undefined;
  const source = given ?? (typeof v.default === 'function' ? v.default(env) : v.default);
  if (given && v.excludes && env[v.excludes]?.trim()) throw new Error(`is set, and ${v.excludes} is too: unset one of them`);
  if (source === null && v.neededBy && IS_ADDRESS.test(env[v.neededBy]?.trim() ?? ''))
    throw new Error(`is not set; ${v.neededBy} needs it: ${v.doc}`);
  if (source === null) return null;
  if (source === undefined) throw new Error(`is not set; it is needed: ${v.doc}`);
  return v.parse(source);
}

/** Reads only the named settings, for a command that needs no others. @throws ConfigError naming every unusable one of them */
export function readConfig<K extends keyof ServiceSettings>(env: Environment, keys: readonly K[]): Readonly<Pick<ServiceSettings, K>> {
  const problems: string[] = [];
  const values = new Map<string, unknown>();
  for (const key of keys) {
    const v: Variable<unknown> = VARIABLES[key];
    try {
      values.set(key, readVariable(v, env));
    } catch (error) {
      problems.push(`${v.name} ${(error as Error).message}`);
    }
  }
  if (problems.length) throw new ConfigError(problems);
  return Object.freeze(Object.fromEntries(values)) as Readonly<Pick<ServiceSettings, K>>;
}

/** Reads every setting, for an API process or a worker. @param limits replace the usual ones in tests @throws ConfigError naming every unusable one */
export function loadConfig(env: Environment, limits: Partial<ProcessLimits> = {}): Config {
  const settings = readConfig(env, Object.keys(VARIABLES) as (keyof ServiceSettings)[]);
  const same = { ...LIMITS, ...limits };
  const searchTimeoutMs = same.searchTimeoutMs * settings.serverPatience;
  return Object.freeze({ ...same, ...settings, searchTimeoutMs, redisPrefix: redisPrefixOf(settings) });
}

interface SettingDescription {
  name: string;
  /** 'required', 'none', or the default */
  default: string;
  doc: string;
}

/** One description for each variable, in the order of the table in src/docs/settings.md. */
export function describeConfig(): SettingDescription[] {
  return Object.values<Variable<unknown>>(VARIABLES).map(({ name, doc, default: fallback, defaultDoc }) => ({
    name,
    doc,
    default: defaultDoc ?? (fallback === undefined ? 'required' : fallback === null ? 'none' : String(fallback)),
  }));
}

/** The same as a Markdown table. */
export function configTable(): string {
  const rows = describeConfig().map((s) => `| \`${s.name}\` | ${s.default} | ${s.doc.replaceAll('|', '\\|')} |`);
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}
