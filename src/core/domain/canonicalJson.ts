/** A value as JSON that is the same whatever the order of the keys of its objects: what is hashed, signed or compared. Pure. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(compareKeys)) : inner,
  );
}

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object' && !Array.isArray(value);
const compareKeys = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
