/** Plants defects in modules before they are imported, or in the functions of a schema. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import type { ControlConnection } from './control.ts';
import { DEFECTS, type Defect } from './defects.ts';

const root = path.resolve(import.meta.dirname, '../../..');

function applyReplacements({ name, file, replacements }: Defect, text: string): string {
  return replacements.reduce((changed, [from, to]) => {
    if (changed.split(from).length !== 2)
      throw new Error(`The defect ${name} finds its text ${changed.split(from).length - 1} times in ${file}, not once: ${from}`);
    return changed.replace(from, () => to);
  }, text);
}

export function findDefect(name: string): Defect {
  const found = DEFECTS.find((one) => one.name === name);
  if (!found) throw new Error(`There is no defect ${name}; known are ${DEFECTS.map((one) => one.name).join(', ')}`);
  return found;
}

/** Checks that the code still has the text that each defect replaces. @throws Error */
export function checkDefects(): void {
  for (const one of DEFECTS) applyReplacements(one, readFileSync(path.join(root, one.file), 'utf8'));
}

/** Plants the defect in modules that are imported later. */
export function plantInModules(defect: Defect): void {
  const file = path.join(root, defect.file);
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/${defect.file}`)) return loaded;
      return { ...loaded, source: applyReplacements(defect, readFileSync(file, 'utf8')) };
    },
  });
}

/** Plants the defect in the functions of a schema. */
export async function plantInSchema(defect: Defect, control: ControlConnection): Promise<void> {
  if (defect.file.endsWith('.sql')) await control.query(applyReplacements(defect, readFileSync(path.join(root, defect.file), 'utf8')));
}
