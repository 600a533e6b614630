/** Plants defects in modules before they are imported, or in the functions of a schema. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import type { ControlConnection } from './control.ts';
import { DEFECTS, type Defect, type PlantedChange } from './defects.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const changesOf = (defect: Defect): PlantedChange[] => (defect.second ? [defect, defect.second] : [defect]);

/** The text of a file with the replacements of a change. */
function changeText({ file, replacements }: PlantedChange): string {
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

/** Checks that the code still has the text that each defect replaces. @throws Error */
export function checkDefects(): void {
  for (const change of DEFECTS.flatMap(changesOf)) changeText(change);
}

/** Plants the defect in modules that are imported later. */
export function plantInModules(defect: Defect): void {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const change = changesOf(defect).find(({ file }) => url.endsWith(`/${file}`));
      return change ? { ...loaded, source: changeText(change) } : loaded;
    },
  });
}

/** Plants the defect in the functions of a schema. */
export async function plantInSchema(defect: Defect, control: ControlConnection): Promise<void> {
  for (const change of changesOf(defect)) if (change.file.endsWith('.sql')) await control.query(changeText(change));
}
