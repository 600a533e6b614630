/** Cases of a test in a text file. */

/** The parts of a text that begin with a line of the mark: the rest of that line, and what follows it. */
export function splitAt(text: string, mark: string): [head: string, body: string][] {
  return `\n${text}`
    .split(`\n${mark} `)
    .slice(1)
    .map((part) => {
      const [head = '', ...body] = part.split('\n');
      return [head, body.join('\n').replace(/\n$/, '')];
    });
}
