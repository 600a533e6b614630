/** Text that a database stores: Postgres and UTF-8 have no place for a null byte or half a character (a lone surrogate). Pure. */

export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether all texts and keys of a JSON value can be stored, however deeply it is nested. */
export function isStorableJson(value: unknown): boolean {
  const parts: unknown[] = [value];
  for (const part of parts) {
    if (typeof part === 'string' && !isStorableText(part)) return false;
    if (typeof part === 'object' && part !== null) for (const [key, inner] of Object.entries(part)) parts.push(key, inner);
  }
  return true;
}

/** The beginning of a text, cut between two characters. @param unitsMax in UTF-16 units */
export function cutText(text: string, unitsMax: number): string {
  const cut = text.slice(0, unitsMax);
  return cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
