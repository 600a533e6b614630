import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { ConfigError, configTable, describeConfig, loadConfig, readConfig } from '../../src/config.ts';
import { pluck } from '../support/lists.ts';

const SECRET = 'k'.repeat(32);
const GOOD = {
  ELASTICSEARCH_URL: 'http://localhost:9200',
  DATABASE_URL: 'postgres://u:p@localhost/x',
  REDIS_URL: 'redis://localhost:6379',
  CURSOR_SECRET: SECRET,
  KEY_PEPPER: SECRET,
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    assert(error instanceof ConfigError);
    assert.equal(error.exitCode, 2);
    return error.problems;
  }
  return [];
}

describe('config', () => {
  it("takes the contract's defaults", () => {
    const config = loadConfig(GOOD);
    const { rateLimitPaid, rateLimitTrial, rateLimitAnonymous, rateLimitHealth, filesPerMinute } = config;
    assert.deepEqual([rateLimitPaid, rateLimitTrial, rateLimitAnonymous, rateLimitHealth, filesPerMinute], [60, 10, 10, 120, 1200]);
    assert.equal(config.port, 8080);
    assert.equal(config.host, null);
    assert.equal(config.refusedCredentialsPerMinute, 60);
    assert.equal(config.publicUrl, 'http://localhost:8080');
    assert.equal(config.syncTieLimit, 10_000);
    assert.equal(config.serviceEnvironment, 'production');
    assert.equal(config.smtpUrl, null);
    assert.equal(config.trustProxy, false);
  });

  it('derives PUBLIC_URL from PORT, and strips its trailing slash', () => {
    assert.equal(loadConfig({ ...GOOD, PORT: '9001' }).publicUrl, 'http://localhost:9001');
    assert.equal(loadConfig({ ...GOOD, PUBLIC_URL: 'https://api.example/' }).publicUrl, 'https://api.example');
  });

  it('reads thresholds of findings by code', () => {
    const FINDING_THRESHOLDS = 'same_case=20/2.5, old_news=200';
    assert.deepEqual(loadConfig({ ...GOOD, FINDING_THRESHOLDS }).findingThresholds, {
      same_case: { records: 20, percent: 2.5 },
      old_news: { records: 200, percent: null },
    });
    assert.match(problemsOf({ ...GOOD, FINDING_THRESHOLDS: 'old_news=0' })[0] ?? '', /^FINDING_THRESHOLDS has to be .*, not 'old_news=0'$/);
  });

  it('names every unusable variable at once', () => {
    const bad = {
      PORT: '80x',
      HOST: '[::1]:80',
      PUBLIC_URL: 'nowhere',
      REDIS_URL: 'http://localhost',
      KEY_PEPPER: 'short',
      RATE_LIMIT_PAID: '0',
      RATE_LIMIT_TRIAL: '-1',
      SYNC_TIE_LIMIT: '1.5',
      LOG_LEVEL: 'loud',
      INDEX_PREFIX: 'LandUse',
      DATABASE_SCHEMA: 'a"; drop',
      TRUST_PROXY: 'yes',
      ELASTICSEARCH_CA: '/no/such/file.pem',
    };
    const missing = ['ELASTICSEARCH_URL', 'DATABASE_URL', 'CURSOR_SECRET'];
    const named = problemsOf(bad).map((problem) => problem.split(' ')[0]);
    assert.deepEqual([...named].sort(), [...Object.keys(bad), ...missing].sort());
  });

  it('takes a bucket only with the key to it, and only by an address without credentials', () => {
    const bucket = { EXPORT_DIR: 'https://s3.example/exports/kept/', EXPORT_BUCKET_KEY: 'id:hid:den' };
    const config = loadConfig({ ...GOOD, ...bucket });
    assert.equal(config.exportDir, 'https://s3.example/exports/kept');
    assert.deepEqual(config.exportBucketKey, { keyId: 'id', secret: 'hid:den' });
    const regional = 'https://s3.example/exports?region=eu-west-1';
    assert.equal(loadConfig({ ...GOOD, ...bucket, EXPORT_DIR: regional }).exportDir, regional);
    assert.deepEqual(problemsOf({ ...GOOD, EXPORT_DIR: 'kept/here' }), []);
    const unset = /^(\w+) is not set; EXPORT_DIR needs it/;
    assert.deepEqual(
      problemsOf({ ...GOOD, EXPORT_DIR: bucket.EXPORT_DIR }).map((problem) => unset.exec(problem)?.[1]),
      ['EXPORT_BUCKET_KEY'],
    );
    for (const key of ['hidden', 'id:', ':hidden', 'id hidden'])
      assert.match(problemsOf({ ...GOOD, ...bucket, EXPORT_BUCKET_KEY: key }).join(), /^EXPORT_BUCKET_KEY has to be (?!.*hidden)/, key);
    for (const url of [
      's3://exports',
      'https://s3.example',
      'https://s3.example/',
      'https://id:hidden@s3.example/exports',
      'https://s3.example/exports?x=1',
    ])
      assert.match(problemsOf({ ...GOOD, ...bucket, EXPORT_DIR: url }).join(), /^EXPORT_DIR has to be (?!.*hidden)/, url);
  });

  it('waits for Elasticsearch as often longer as for the other servers', () => {
    assert.deepEqual(pluck([loadConfig(GOOD), loadConfig({ ...GOOD, SERVER_PATIENCE: '3' })], 'searchTimeoutMs'), [5_000, 15_000]);
  });

  it('takes a number of processes, by default one a core at most', () => {
    const usual = loadConfig(GOOD).apiProcesses;
    assert(usual >= 1 && usual <= availableParallelism());
    if (process.platform === 'linux') assert.equal(loadConfig({ ...GOOD, API_PROCESSES: '3' }).apiProcesses, 3);
    for (const bad of ['0', '-1', '1.5', 'all', '257'])
      assert.deepEqual(problemsOf({ ...GOOD, API_PROCESSES: bad }), [`API_PROCESSES has to be a whole number from 1 to 256, not '${bad}'`]);
  });

  it('says what to do about each', () => {
    const { KEY_PEPPER: _, ...rest } = GOOD;
    assert.match(problemsOf({ ...rest })[0] ?? '', /^KEY_PEPPER is not set/);
    assert.match(problemsOf({ ...rest, KEY_PEPPER: 'short' })[0] ?? '', /at least 32 characters.*openssl/);
    assert.match(problemsOf({ ...GOOD, PORT: '70000' })[0] ?? '', /from 0 to 65535/);
  });

  it('never repeats a secret or an address, which may carry a password', () => {
    const text = problemsOf({ ...GOOD, KEY_PEPPER: 'hunter2', DATABASE_URL: 'mysql://u:hunter2@h/x' }).join();
    assert.equal(text.includes('hunter2'), false);
  });

  it('takes an empty variable for an absent one', () => {
    assert.equal(loadConfig({ ...GOOD, PORT: '', SMTP_URL: ' ' }).port, 8080);
    assert.match(problemsOf({ ...GOOD, REDIS_URL: '' }).join(), /REDIS_URL is not set/);
  });

  it('takes origins as browsers send them, and no others', () => {
    assert.deepEqual(loadConfig(GOOD).corsOrigins, []);
    const origins = ['https://app.example', 'http://localhost:3000'];
    assert.deepEqual(loadConfig({ ...GOOD, CORS_ORIGINS: `${origins.join(' , ')},` }).corsOrigins, origins);
    for (const bad of ['*', 'null', 'app.example', 'https://app.example/', 'https://app.example/x', 'https://APP.example', 'file:///x'])
      assert.match(problemsOf({ ...GOOD, CORS_ORIGINS: `${origins[0]},${bad}` }).join(), /^CORS_ORIGINS has to be origins/, bad);
  });

  it('repeats no password of an origin', () => {
    for (const bad of ['https://user:hunter2@app.example', 'https://user:hun,ter2@app.example', 'user:hunter2@app.example']) {
      const said = problemsOf({ ...GOOD, CORS_ORIGINS: `https://a.example,${bad}` }).join();
      assert.match(said, /^CORS_ORIGINS has to be origins .+; number 2 is none/);
      assert.doesNotMatch(said, /user|hun|ter2/);
    }
  });

  it('takes ports of webhooks, or any', () => {
    const portsOf = (WEBHOOK_PORTS: string) => loadConfig({ ...GOOD, WEBHOOK_PORTS }).webhookPorts;
    assert.deepEqual([portsOf(''), portsOf('443, 9000'), portsOf('any')], [[443, 8443], [443, 9000], null]);
    for (const bad of ['0', '65536', '443,', 'https', '443-8443'])
      assert.match(String(problemsOf({ ...GOOD, WEBHOOK_PORTS: bad })), /^WEBHOOK_PORTS has to be ports from 1 to 65535/, bad);
  });

  it('takes for metrics a port of loopback, or of an address that is named', () => {
    const listen = (METRICS_PORT: string) => loadConfig({ ...GOOD, METRICS_PORT }).metricsAddress;
    assert.deepEqual(listen(''), null);
    assert.deepEqual(listen('9464'), { host: '127.0.0.1', port: 9464 });
    assert.deepEqual(listen('0.0.0.0:9464'), { host: '0.0.0.0', port: 9464 });
    assert.deepEqual(listen('[::1]:0'), { host: '::1', port: 0 });
    for (const bad of ['x', ':9464', '0.0.0.0:', 'a b:1', '70000'])
      assert.match(problemsOf({ ...GOOD, METRICS_PORT: bad }).join(), /^METRICS_PORT has to be/, bad);
  });

  it('takes a style or an archive of tiles for the map, not both, and no other file', () => {
    const style = 'https://tiles.example/style.json?key=secret';
    assert.equal(loadConfig({ ...GOOD, MAP_STYLE_URL: style }).mapStyleUrl, style);
    const [both = ''] = problemsOf({ ...GOOD, MAP_STYLE_URL: style, MAP_TILES_FILE: import.meta.filename });
    assert.equal(both, 'MAP_TILES_FILE is set, and MAP_STYLE_URL is too: unset one of them');
    const [wrong = ''] = problemsOf({ ...GOOD, MAP_TILES_FILE: import.meta.filename });
    assert.match(wrong, /^MAP_TILES_FILE names the file '.+', which is no PMTiles archive of version 3$/);
    assert.match(problemsOf({ ...GOOD, MAP_TILES_FILE: '/no/such.pmtiles' })[0] ?? '', /which does not exist$/);
    assert.match(problemsOf({ ...GOOD, MAP_STYLE_URL: 'style.json' })[0] ?? '', /^MAP_STYLE_URL has to be an address/);
  });

  it('takes addresses to link to, and none that a browser would run', () => {
    const { contactUrl, upgradeUrl } = loadConfig({
      ...GOOD,
      CONTACT_URL: 'mailto:sales@landuse.example',
      UPGRADE_URL: 'https://landuse.example/plans',
    });
    assert.deepEqual([contactUrl, upgradeUrl], ['mailto:sales@landuse.example', 'https://landuse.example/plans']);
    assert.deepEqual([loadConfig(GOOD).contactUrl, loadConfig(GOOD).upgradeUrl], [null, null]);
    for (const bad of ['javascript:alert(1)', 'sales@landuse.example', '/plans'])
      assert.match(problemsOf({ ...GOOD, CONTACT_URL: bad })[0] ?? '', /^CONTACT_URL has to be an address such as https/);
    assert.match(problemsOf({ ...GOOD, UPGRADE_URL: 'mailto:sales@landuse.example' })[0] ?? '', /^UPGRADE_URL has to be an address/);
  });

  it('reads only what a command needs', () => {
    const part = readConfig({ DATABASE_URL: GOOD.DATABASE_URL }, ['databaseUrl', 'databaseSchema']);
    assert.deepEqual({ ...part }, { databaseUrl: GOOD.DATABASE_URL, databaseSchema: 'public' });
  });

  it('is frozen', () => {
    assert(Object.isFrozen(loadConfig(GOOD)));
  });

  it('describes every variable once', () => {
    const names = describeConfig().map((setting) => setting.name);
    assert.equal(new Set(names).size, names.length);
    assert.equal(configTable().split('\n').length, names.length + 2);
    assert.deepEqual(
      describeConfig()
        .filter((setting) => setting.default === 'required')
        .map((setting) => setting.name)
        .sort(),
      Object.keys(GOOD).sort(),
    );
  });
});
