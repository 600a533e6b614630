/** The file of `--bodies`: which body each document of a folder is of, and the place of that body. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findNearestPlaces, readNames } from '../../../src/core/domain/nearestNames.ts';
import type { Places } from '../../../src/core/domain/places.ts';
import { decisionBodies } from '../../../src/core/domain/vocabulary.ts';
import { UserError } from '../../../src/terminal/program.ts';
import type { BodyEntry } from '../types.ts';
import bodyWords from './bodies.json' with { type: 'json' };

export interface BodyPlaceNames {
  state: string;
  stateId: number;
  county: string | null;
  countyId: number | null;
  city: string | null;
  cityId: number | null;
}

/** A body of a place. */
export interface DocumentBody {
  entry: BodyEntry;
  place: BodyPlaceNames;
  /** token of the vocabulary */
  decisionBody: string;
}

/** A document of the folder. */
export interface BodyFile {
  /** relative to the folder, with slashes */
  file: string;
  /** null if no pattern names it */
  body: DocumentBody | null;
  /** a link, or otherwise no file of its own: what it leads to is not read */
  isLink: boolean;
}

const REQUIRED = ['files', 'state', 'body'] as const;
const OPTIONAL = ['county', 'city'] as const;

/** @throws UserError for a file that is missing, no JSON or no list of entries, and for an unknown place */
export async function readBodies(file: string, places: Places): Promise<DocumentBody[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UserError(`The file '${file}' of --bodies cannot be read; does it exist?`);
  });
  const entries = parseJson(file, text);
  if (!Array.isArray(entries) || !entries.length)
    throw new UserError(`${file}: it has to be a list of bodies, [{"files": "provo/*.pdf", "state": "UT", "city": "Provo", "body": "…"}]`);
  return entries.map((entry, i) => {
    const checked = checkEntry(`${file}: entry ${i + 1}`, entry);
    return { entry: checked, place: findPlace(`${file}: entry ${i + 1}`, checked, places), decisionBody: findBodyToken(checked.body) };
  });
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    const line = text.slice(0, at === undefined ? text.length : Number(at)).split('\n').length;
    throw new UserError(`${file}:${line}: not JSON (${message})`);
  }
}

function checkEntry(where: string, entry: unknown): BodyEntry {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) throw new UserError(`${where} is not an object`);
  const known: readonly string[] = [...REQUIRED, ...OPTIONAL];
  const unknown = Object.keys(entry).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UserError(`${where} has the unknown field '${unknown}'; known are ${known.join(', ')}`);
  const given = entry as Record<string, unknown>;
  const isText = (name: string) => typeof given[name] === 'string' && given[name].trim() !== '';
  const missing = REQUIRED.find((name) => !isText(name));
  if (missing) throw new UserError(`${where} needs '${missing}', a text`);
  const wrong = OPTIONAL.find((name) => given[name] !== undefined && given[name] !== null && !isText(name));
  if (wrong) throw new UserError(`${where}: '${wrong}' has to be a text`);
  return entry as BodyEntry;
}

type Named = { name: string };

const hint = (text: string, all: readonly Named[]) => {
  const { didYouMean, nearest = [] } = findNearestPlaces(text, readNames(all.map(({ name }) => ({ value: name, names: [name] }))));
  return didYouMean ? `; did you mean '${didYouMean}'?` : nearest.length ? `; the nearest are ${nearest.join(', ')}` : '';
};

/** @throws UserError for a place that the gazetteer does not know, or of which it knows several */
function findPlace(where: string, entry: BodyEntry, places: Places): BodyPlaceNames {
  const state = places.findState(entry.state);
  if (!state) throw new UserError(`${where}: the state '${entry.state}' is unknown${hint(entry.state, places.states)}`);
  const stateIds = [state.id];
  const county = entry.county
    ? only(where, 'county', entry.county, places.findCounties(entry.county, { stateIds }), places.countiesOf(state.id))
    : null;
  const cities = places.cities.filter(({ stateId }) => stateId === state.id);
  const within = { stateIds, ...(county ? { countyIds: [county.id] } : {}) };
  const city = entry.city ? only(where, 'city', entry.city, places.findCities(entry.city, within), cities) : null;
  const home = county ?? (city && city.furtherCountyIds.length === 0 ? places.county(city.countyId) : undefined) ?? null;
  return {
    state: state.abbreviation,
    stateId: state.id,
    county: home?.name ?? null,
    countyId: home?.id ?? null,
    city: city?.name ?? null,
    cityId: city?.id ?? null,
  };
}

function only<T extends Named>(where: string, level: string, text: string, found: readonly T[], all: readonly T[]): T {
  const [first, ...others] = found;
  if (!first) throw new UserError(`${where}: the ${level} '${text}' is unknown there${hint(text, all)}`);
  if (others.length) throw new UserError(`${where}: there are ${found.length} places called '${text}' there; name the county, too`);
  return first;
}

/** Words of a body's name, and the body that they mean; the first that fits counts. */
const BODIES = Object.entries(bodyWords).map(([token, words]) => ({ token, words: new RegExp(words, 'i') }));

/** The token of a body by its name; `other_body` for one that the vocabulary lacks. */
export const findBodyToken = (name: string): string =>
  decisionBodies.find(name)?.token ?? BODIES.find(({ words }) => words.test(name))?.token ?? 'other_body';

/** Whether a text has the words of a body, wherever. */
export const namesBody = (text: string, token: string): boolean => BODIES.some((one) => one.token === token && one.words.test(text));

/**
 * The documents of a folder in the order of their names, without hidden files. Links are listed, and no pattern names them.
 * @param own files and folders of the run itself, which are no documents
 * @throws UserError for a folder that is missing, a pattern that names no file, and a file that two patterns name
 */
export async function listBodyFiles(folder: string, bodies: readonly DocumentBody[], own: readonly string[] = []): Promise<BodyFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new UserError(`The folder '${folder}' does not exist.`);
  });
  const left = own.map((one) => path.relative(folder, one).replaceAll(path.sep, '/'));
  const listed = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({
      file: path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
      isLink: !entry.isFile(),
    }))
    .filter(({ file }) => !/(?:^|\/)\./.test(file) && !left.some((one) => file === one || file.startsWith(`${one}/`)))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const files = listed.flatMap(({ file, isLink }) => (isLink ? [] : [file]));
  const owner = new Map<string, DocumentBody>();
  for (const body of bodies) {
    const pattern = path.posix.normalize(body.entry.files);
    const named = files.filter((file) => file === pattern || path.posix.matchesGlob(file, pattern));
    if (!named.length) throw new UserError(`The pattern '${body.entry.files}' of --bodies names no file in '${folder}'.`);
    const twice = named.find((file) => owner.has(file));
    if (twice)
      throw new UserError(
        `The file '${twice}' is named by two patterns of --bodies, '${owner.get(twice)?.entry.files}' and '${body.entry.files}'; a document is of one body.`,
      );
    for (const file of named) owner.set(file, body);
  }
  return listed.map(({ file, isLink }) => ({ file, isLink, body: owner.get(file) ?? null }));
}
