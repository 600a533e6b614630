import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describeConfig } from '../../src/config.ts';
import { assertNone } from '../support/lists.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Variables that Node itself reads, and those that only a unit's command line uses. */
const NOT_OF_THE_SERVICE = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'BACKUP_TO', 'BACKUP_OPTIONS'];

const settings = new Set([...describeConfig().map((setting) => setting.name), ...NOT_OF_THE_SERVICE]);
const compose = read('scripts/deploy/compose.yml');
const { 'x-service': service } = load(compose) as { 'x-service': { environment: object } };

function setBy(files: string[], line: RegExp): string[] {
  return files.flatMap((file) => read(file).match(line) ?? []).flatMap((found) => found.match(/\b[A-Z][A-Z_]+(?==)/g) ?? []);
}

describe('deployment', () => {
  const units = readdirSync(new URL('../../scripts/deploy/systemd', import.meta.url)).map((name) => `scripts/deploy/systemd/${name}`);

  it('sets nothing in Dockerfile, compose file and units that the service does not have', () => {
    const found = {
      image: setBy(['scripts/deploy/Dockerfile'], /^ENV .*$/gm),
      compose: Object.keys(service.environment),
      units: setBy(units, /^Environment=.*$/gm),
    };
    for (const [place, names] of Object.entries(found)) {
      assert(names.length > 2, place);
      assertNone(names, (name) => !settings.has(name), place);
    }
  });

  it('passes every setting on to containers, but those that the image, the volumes and the roles decide', () => {
    const decided = ['HOST', 'PORT', 'METRICS_PORT', 'MAP_TILES_FILE'];
    const ofRoles = ['ELASTICSEARCH_API_KEY', 'INDEX_PREFIX', 'DATABASE_SCHEMA'];
    const known = new Set([...Object.keys(service.environment), ...decided, ...ofRoles]);
    assertNone(
      describeConfig().map(({ name }) => name),
      (name) => !known.has(name),
    );
  });

  it('asks for no secret that the guide does not name, and git ignores the file in which they stand', () => {
    const guide = read('src/docs/install.md');
    const asked = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1] ?? '');
    assert(asked.length >= 7);
    assertNone(asked, (name) => !guide.includes(`\`${name}\``));
    assert(read('.gitignore').split('\n').includes('.env'));
  });
});
