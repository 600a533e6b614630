/** Characters of a text as the readers want them. Pure. */

const LIGATURES: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' };

/** Characters that look alike or are not seen become one: line ends, blanks, hyphens, ligatures, soft hyphens, marks of direction. */
export const tidyCharacters = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029\u0085\v]/g, '\n')
    .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t]/g, (blank) => (blank === '\t' ? '    ' : ' '))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
    .replaceAll(/[\u0000-\u0008\u000e-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replaceAll(/[\u2010\u2011]/g, '-')
    .replaceAll(/[ﬀ-ﬆ]/g, (ligature) => LIGATURES[ligature] ?? ligature);
