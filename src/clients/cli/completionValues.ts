/** Values for completion: vocabularies, places, and ids of the team's alerts and lists. Limited in time and number; errors yield no values. */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { LandUseClient } from '../client/index.ts';
import type { Settings } from './settings.ts';

export interface Completion {
  value: string;
  /** shown next to the value, if the shell supports it */
  meaning: string;
}

interface Term {
  token: string;
  label: string;
}

interface Words extends Readonly<Record<string, unknown>> {
  version: string;
  taxonomy: readonly (Term & { subtypes: readonly (Term & { assetClasses: readonly Term[] })[] })[];
  states: readonly { name: string; abbreviation: string }[];
}

/** Together with the start of the process this stays below 1.5 s, after which a shell seems to hang. */
const ASKING_MS = 1_200;
const KEPT_MS = 86_400_000;
const CATALOG_PATH = '/.well-known/api-catalog';
const PLACES_SHOWN = 20;
const IDS_SHOWN = 100;

const subtypes = ({ taxonomy }: Words) => taxonomy.flatMap((type) => type.subtypes);
const assetClasses = (words: Words) => subtypes(words).flatMap((subtype) => subtype.assetClasses);
const listed = (name: string) => (words: Words) => words[name] as readonly Term[];

/** The vocabulary of each filter. */
const TERMS: Readonly<Record<string, (words: Words) => readonly Term[]>> = {
  propertyTypes: ({ taxonomy }) => taxonomy,
  propertySubtypes: subtypes,
  excludePropertySubtypes: subtypes,
  assetClasses,
  excludeAssetClasses: assetClasses,
  status: listed('statuses'),
  decisionBodies: listed('decisionBodies'),
  requestTypes: listed('requestTypes'),
  decisionTypes: listed('decisionTypes'),
  constructionTypes: listed('constructionTypes'),
  projectSizes: listed('projectSizes'),
};

const KINDS: Readonly<Record<string, 'city' | 'county'>> = { cities: 'city', counties: 'county' };

const beginsWith = (text: string) => (value: string) => value.toLowerCase().startsWith(text.toLowerCase());

const asCompletions = (terms: readonly Term[]): Completion[] => terms.map(({ token, label }) => ({ value: token, meaning: label }));

/** Abbreviations of states; names, if the typed text begins no abbreviation. */
function stateCompletions({ states }: Words, typed: string): Completion[] {
  const short = states.filter(({ abbreviation }) => beginsWith(typed)(abbreviation));
  if (short.length) return short.map(({ abbreviation, name }) => ({ value: abbreviation, meaning: name }));
  return states.map(({ abbreviation, name }) => ({ value: name, meaning: abbreviation }));
}

async function readJson(url: URL | string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response.json();
}

/** The path of the current vocabularies, from the link in the service's catalogue. */
async function vocabulariesPath(url: string, signal: AbortSignal): Promise<string> {
  const { linkset } = (await readJson(`${url}${CATALOG_PATH}`, signal)) as { linkset: Record<string, { href: string }[]>[] };
  const links = linkset.flatMap((context) => context['service-meta'] ?? []);
  const [found] = links.filter(({ href }) => /\/vocabularies\/\w+\.json$/.test(href));
  if (!found) throw new Error(`${url}${CATALOG_PATH} names no vocabularies`);
  return new URL(found.href).pathname; // the service may be reached by another name than its public one
}

function readKept(file: string): { words: Words; fresh: boolean } | undefined {
  try {
    return { words: JSON.parse(readFileSync(file, 'utf8')), fresh: Date.now() - statSync(file).mtimeMs < KEPT_MS };
  } catch {
    return undefined; // not there or damaged: asked for again
  }
}

function keepWords(file: string, words: Words): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(words));
  renameSync(`${file}.${process.pid}`, file);
}

/** The vocabularies of a service, cached for a day, and longer if their path has not changed. No key is needed. */
async function wordsOf(url: string, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Words> {
  const folder = path.join(environment.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'landuse');
  const file = path.join(folder, `vocabularies-${hash('sha256', url).slice(0, 16)}.json`);
  const kept = readKept(file);
  if (kept?.fresh) return kept.words;
  const current = await vocabulariesPath(url, signal);
  if (kept && current.endsWith(`/${kept.words.version}.json`)) {
    utimesSync(file, new Date(), new Date());
    return kept.words;
  }
  const words = (await readJson(new URL(current, url), signal)) as Words;
  keepWords(file, words);
  return words;
}

async function placesBeginning(client: LandUseClient, kind: 'city' | 'county', typed: string, signal: AbortSignal): Promise<Completion[]> {
  if (!typed.trim()) return [];
  const { data } = await client.call('searchPlaces', { q: typed, kinds: [kind], limit: PLACES_SHOWN }, { signal });
  return data.map(({ label, recordCount }) => ({ value: label, meaning: recordCount === null ? kind : `${recordCount} records` }));
}

export class CompletionValues {
  readonly #settings: Settings;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #signal = AbortSignal.timeout(ASKING_MS);

  constructor(settings: Settings, environment: NodeJS.ProcessEnv) {
    this.#settings = settings;
    this.#environment = environment;
  }

  /** undefined without a key */
  #client(): LandUseClient | undefined {
    const { key, url } = this.#settings;
    return key ? new LandUseClient({ key, url, retries: 0 }) : undefined;
  }

  /** Values of a filter; those of a list that are already typed stay in front. @param text after `name=` */
  async filterValues(name: string, text: string): Promise<Completion[]> {
    // In "Boulder, CO" the comma is part of the name.
    const [, before = '', typed = ''] = /^(.*,(?! ))?(.*)$/s.exec(text) ?? [];
    const found = await this.#valuesOf(name, typed);
    return found.filter(({ value }) => beginsWith(typed)(value)).map(({ value, meaning }) => ({ value: `${before}${value}`, meaning }));
  }

  async #valuesOf(name: string, typed: string): Promise<Completion[]> {
    const kind = KINDS[name];
    const client = this.#client();
    if (kind) return client ? placesBeginning(client, kind, typed, this.#signal) : [];
    const terms = TERMS[name];
    if (!terms && name !== 'states') return [];
    const words = await wordsOf(this.#settings.url, this.#environment, this.#signal);
    return terms ? asCompletions(terms(words)) : stateCompletions(words, typed);
  }

  /** Ids of the alerts or lists that the key may see, with their names. */
  async idsOf(group: string): Promise<Completion[]> {
    const client = this.#client();
    if (!client || (group !== 'alerts' && group !== 'lists')) return [];
    const page = { limit: IDS_SHOWN };
    const options = { signal: this.#signal };
    const { data } = await (group === 'alerts' ? client.call('listAlerts', page, options) : client.call('listLists', page, options));
    return data.map(({ id, name }) => ({ value: id, meaning: name }));
  }
}
