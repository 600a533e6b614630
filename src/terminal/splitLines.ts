/** Lines of a text that arrives in pieces. */
import { StringDecoder } from 'node:string_decoder';

/**
 * Splits at line feeds alone, with or without a carriage return before them; `readline` would also split at U+2028 and U+2029, which JSON may hold
 * as they are.
 * @param input UTF-8 @throws what reading the input throws
 */
export async function* splitLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  const finishLine = (end: string): string => {
    const line = begun.length ? [...begun, end].join('') : end;
    begun = [];
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  };
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      yield finishLine(text.slice(start, end));
      start = end + 1;
    }
    if (start < text.length) begun.push(text.slice(start));
  }
  const last = finishLine(decoder.end());
  if (last) yield last;
}
