/** Puts defects back: into modules that are imported from then on, or into the functions of a schema. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import type { ControlConnection } from './control.ts';
import { DEFECTS, type Defect } from './defects.ts';

const root = path.resolve(import.meta.dirname, '../../..');

function replaced({ name, file, replacements }: Defect, text: string): string {
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

/** Throws where the code no longer has the text of a defect. */
export function checkDefects(): void {
  for (const one of DEFECTS) replaced(one, readFileSync(path.join(root, one.file), 'utf8'));
}

/** Has modules that are imported from now on contain the defect. */
export function plantInModules(defect: Defect): void {
  const file = path.join(root, defect.file);
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/${defect.file}`)) return loaded;
      return { ...loaded, source: replaced(defect, readFileSync(file, 'utf8')) };
    },
  });
}

/** Puts the defect into the functions of a schema. */
export async function plantInSchema(defect: Defect, control: ControlConnection): Promise<void> {
  if (defect.file.endsWith('.sql')) await control.query(replaced(defect, readFileSync(path.join(root, defect.file), 'utf8')));
}
