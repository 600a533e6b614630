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

/** The uses, and by each stem those that it defines. */
const catalogue = lazily(() => {
  const file = new URL('../../../catalogue/uses/uses.tsv', import.meta.url);
  const uses = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line): Use[] => {
      const [names = '', stems = ''] = line.split('\t');
      return stems ? [{ names: names.split('|'), stems: stems.split(' ') }] : [];
    });
  const usesByStem = Map.groupBy(
    uses.flatMap(({ stems }, i) => stems.map((stem) => ({ stem, i }))),
    (one) => one.stem,
  );
  return { uses, usesByStem };
});

/**
 * The uses that share most of these words, the best first. A word weighs as much as it is rare among definitions.
 * @param stems of the words of a question that are neither a place nor a date, a number or a status
 * @returns for each use its names, and those of the stems that define it
 */
export function findUses(stems: readonly string[]): { names: string[]; stems: ReadonlySet<string> }[] {
  const { uses, usesByStem } = catalogue();
  const weightOf = (stem: string) => Math.log(uses.length / ((usesByStem.get(stem)?.length ?? 0) + 1));
  const all = stems.reduce((sum, stem) => sum + weightOf(stem), 0);
  // `maintenance` alone is no use.
  const isTelling = (name: string) => /[ -]/.test(name) || (usesByStem.get(stem(name))?.length ?? 0) <= COMMON_MIN;
  const shares = new Map<number, number>();
  for (const stem of new Set(stems))
    for (const { i } of usesByStem.get(stem) ?? []) shares.set(i, (shares.get(i) ?? 0) + weightOf(stem) / all);
  const worth = (i: number, share: number) => share / (1 + (uses[i] as Use).stems.length / LONG_DEFINITION);
  return [...shares]
    .filter(([, share]) => share >= SHARE_MIN)
    .sort(([a, shareA], [b, shareB]) => worth(b, shareB) - worth(a, shareA) || a - b)
    .slice(0, MEANT_MAX)
    .map(([i]) => {
      const { names, stems: defining } = uses[i] as Use;
      return { names: names.filter(isTelling), stems: new Set(defining.filter((stem) => stems.includes(stem))) };
    });
}
