/** Which uses of land a question may mean by the words that define them. Data in `src/catalogue/uses/`: WordNet and the index of industries. */
import { readFileSync } from 'node:fs';
import { lazily } from '../../../core/domain/lazily.ts';
import { stem } from '../../../core/domain/stem.ts';

interface Use {
  names: readonly string[];
  /** stems of the words that define it, its names among them */
  stems: readonly string[];
}

/** Uses that a question may mean. */
const MEANT_MAX = 40;
/** Share of the words, by weight, that has to define a use. */
const SHARE_MIN = 0.25;
/** A word in more definitions names nothing by itself. */
const COMMON_MIN = 60;
/** A definition of so many words says half as much by one of them. */
const LONG_DEFINITION = 40;

const parseUse = (line: string): Use => {
  const [names = '', stems = ''] = line.split('\t');
  return { names: names.split('|'), stems: stems.split(' ') };
};

/** Lines of uses, and by each stem the places of those that it defines. Lines are parsed again where a use is read, which saves 20 MB. */
const catalogue = lazily(() => {
  const file = new URL('../../../catalogue/uses/uses.tsv', import.meta.url);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.split('\t')[1]);
  const usesByStem = new Map<string, number[]>();
  for (const [i, line] of lines.entries()) {
    for (const one of parseUse(line).stems) {
      const found = usesByStem.get(one);
      if (found) found.push(i);
      else usesByStem.set(one, [i]);
    }
  }
  return { lines, usesByStem };
});

/**
 * The uses that share most of these words, the best first. A word weighs as much as it is rare among definitions.
 * @param stems of the words of a question that are neither a place nor a date, a number or a status
 * @returns for each use its names, and those of the stems that define it
 */
export function findUses(stems: readonly string[]): { names: string[]; stems: ReadonlySet<string> }[] {
  const { lines, usesByStem } = catalogue();
  const weightOf = (stem: string) => Math.log(lines.length / ((usesByStem.get(stem)?.length ?? 0) + 1));
  const all = stems.reduce((sum, stem) => sum + weightOf(stem), 0);
  // `maintenance` alone is no use.
  const isTelling = (name: string) => /[ -]/.test(name) || (usesByStem.get(stem(name))?.length ?? 0) <= COMMON_MIN;
  const shares = new Map<number, number>();
  for (const stem of new Set(stems)) for (const i of usesByStem.get(stem) ?? []) shares.set(i, (shares.get(i) ?? 0) + weightOf(stem) / all);
  return [...shares]
    .filter(([, share]) => share >= SHARE_MIN)
    .map(([i, share]) => {
      const use = parseUse(lines[i] as string);
      return { i, use, worth: share / (1 + use.stems.length / LONG_DEFINITION) };
    })
    .sort((a, b) => b.worth - a.worth || a.i - b.i)
    .slice(0, MEANT_MAX)
    .map(({ use }) => ({ names: use.names.filter(isTelling), stems: new Set(use.stems.filter((stem) => stems.includes(stem))) }));
}
