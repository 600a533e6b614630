/** Bytes of a file that somebody sends become text, in any usual encoding. Runs in browsers. Pure. */

/** A text, and how it was read. */
export interface DecodedText {
  text: string;
  encoding: 'utf-8' | 'utf-16' | 'mixed';
  /** lines of a mixed text that are not UTF-8, and were read as Windows-1252 */
  otherLines: number;
}

const SAMPLE_BYTES = 4_096;
/** Of the bytes at even or at odd places, as many at least are 0 in UTF-16, and none of the others. */
const ZERO_SHARE = 0.3;
const LINE_FEED = 10;

/** The UTF-16 that the first bytes show: a mark, or the zero byte that half of most letters is. */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const least = (sample.length / 2) * ZERO_SHARE;
  if (odd > least && even === 0) return 'utf-16le';
  return even > least && odd === 0 ? 'utf-16be' : undefined;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-16 and UTF-8; of another text each line by itself, since files are put together of others: as UTF-8, else as Windows-1252. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = findUtf16(bytes);
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: 'utf-16', otherLines: 0 };
  const whole = decodeUtf8(bytes);
  if (whole !== undefined) return { text: whole, encoding: 'utf-8', otherLines: 0 };
  const other = new TextDecoder('windows-1252');
  const texts: string[] = [];
  let otherLines = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length;
    const line = bytes.subarray(start, end);
    const text = decodeUtf8(line);
    if (text === undefined) otherLines += 1;
    texts.push(text ?? other.decode(line));
    start = end;
  }
  return { text: texts.join(''), encoding: 'mixed', otherLines };
}
