/** Applies pages to a copy in a file, from where it was left, and folds it; killed by its test at any moment. */
import { CopyFile } from '../../src/clients/cli/copyFile.ts';

/** Page `n` of a made-up walk: records of the last pages again, and a removal. */
export const pageOf = (n: number) => ({
  removed: n % 3 ? [] : [{ id: n }],
  records: Array.from({ length: 20 }, (_, i) => ({ id: n * 10 + i, page: n, text: 'x'.repeat(500) })),
  cursor: String(n),
});

/** What the copy holds after so many pages. */
export function modelOf(pages: number): Map<number, number> {
  const model = new Map<number, number>();
  for (let n = 1; n <= pages; n++) {
    const { removed, records } = pageOf(n);
    for (const { id } of removed) model.delete(id);
    for (const { id } of records) model.set(id, n);
  }
  return model;
}

const [, , role, file, upTo] = process.argv;
if (role === 'copy-child' && file) {
  const copy = await CopyFile.open(file, { url: 'http://x', query: {}, rebuild: false });
  for (let n = Number(copy.cursor ?? 0) + 1; n <= Number(upTo); n++) await copy.add(pageOf(n));
  console.log(await copy.finish());
}
