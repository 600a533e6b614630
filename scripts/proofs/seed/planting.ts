/** Plants defects in modules before they are imported, or in the functions of a schema. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import type { ControlConnection } from './control.ts';
import defects from './defects.json' with { type: 'json' };
import { MOTIFS, type MotifName } from './moneyMotifs.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/**
 * A defect that the code had or that a line of it prevents, as replacements of source text. The proof has to find it when it is planted. If the text is
 * no longer in the code, `checkDefects` fails, so that the list stays up to date.
 */
export interface Defect {
  name: string;
  /** what goes wrong, in a clause */
  about: string;
  /** the motif by which the defect is found in minutes; only a thirtieth of the usual plans contain it */
  motif: MotifName;
  file: string;
  /** text to be found once: the text in its place */
  replacements: Readonly<Record<string, string>>;
}

export const DEFECTS = Object.entries(defects).map(([name, defect]) => ({ name, ...defect })) as unknown as readonly Defect[];

function changeText({ file, replacements }: Defect): string {
  return Object.entries(replacements).reduce(
    (changed, [from, to]) => {
      if (changed.split(from).length !== 2)
        throw new Error(`A defect finds its text ${changed.split(from).length - 1} times in ${file}, not once: ${from}`);
      return changed.replace(from, () => to);
    },
    readFileSync(path.join(root, file), 'utf8'),
  );
}

export function findDefect(name: string): Defect {
  const found = DEFECTS.find((one) => one.name === name);
  if (!found) throw new Error(`There is no defect ${name}; known are ${DEFECTS.map((one) => one.name).join(', ')}`);
  return found;
}

/** Checks that the code still has the text that each defect replaces, and that its motif is known. @throws Error */
export function checkDefects(): void {
  DEFECTS.forEach(changeText);
  for (const { name, motif } of DEFECTS) if (!(motif in MOTIFS)) throw new Error(`The defect ${name} names no motif: ${motif}`);
}

export function plantInModules(defect: Defect): void {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      return url.endsWith(`/${defect.file}`) ? { ...loaded, source: changeText(defect) } : loaded;
    },
  });
}

export async function plantInSchema(defect: Defect, control: ControlConnection): Promise<void> {
  if (defect.file.endsWith('.sql')) await control.query(changeText(defect));
}
