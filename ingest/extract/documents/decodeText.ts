/** Bytes become characters. Pure. */

const LIGATURES: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' };
const UTF16_SAMPLE_BYTES = 4096;
const ZERO_SHARE = 0.3;

/** The encoding of a text: of its mark, else UTF-16 where every other byte is 0, else UTF-8 where that is valid, else Windows-1252. */
function findEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, UTF16_SAMPLE_BYTES);
  const zeros = [0, 1].map((at) => sample.filter((byte, index) => byte === 0 && index % 2 === at).length / (sample.length / 2));
  if ((zeros[1] ?? 0) > ZERO_SHARE && zeros[0] === 0) return 'utf-16le';
  if ((zeros[0] ?? 0) > ZERO_SHARE && zeros[1] === 0) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export const decodeText = (bytes: Uint8Array): string => new TextDecoder(findEncoding(bytes)).decode(bytes);

/** Characters that look alike or are not seen become one: line ends, blanks, hyphens, ligatures, soft hyphens, marks of direction. */
export const tidyCharacters = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029\u0085\v]/g, '\n')
    .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t]/g, (blank) => (blank === '\t' ? '    ' : ' '))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
    .replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replaceAll(/[\u2010\u2011]/g, '-')
    .replaceAll(/[ﬀ-ﬆ]/g, (ligature) => LIGATURES[ligature] ?? ligature);
