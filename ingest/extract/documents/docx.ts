/** Word documents: mammoth makes them a web page, without heads, feet, pictures, deleted text, and the numbers that Word counts by itself. */
import { unzipSync } from 'fflate';
import mammoth from 'mammoth';
import { readHtml } from './html.ts';
import type { PagedText } from './pages.ts';
import { UnreadError } from './unread.ts';

const UNPACKED_BYTES_MAX = 256 * 1024 ** 2;
/** Word's own files are compressed to a tenth; only what is meant to burst is a thousandth. */
const PACKED_SHARE_MIN = 1 / 300;
const TEXT_BYTES_MAX = 64 * 1024 ** 2;

/** @throws UnreadError if the file is no Word document, or one that unpacks to too much */
function throwIfNotDocx(bytes: Uint8Array): void {
  let unpacked = 0;
  let hasText = false;
  let isBomb = false;
  unzipSync(bytes, {
    filter: ({ name, size, originalSize }) => {
      unpacked += originalSize;
      hasText ||= name === 'word/document.xml';
      isBomb ||=
        name.endsWith('.xml') && (originalSize > TEXT_BYTES_MAX || (originalSize > 1024 ** 2 && size < originalSize * PACKED_SHARE_MIN));
      return false;
    },
  });
  if (!hasText) throw new UnreadError('wrong_type');
  if (isBomb || unpacked > UNPACKED_BYTES_MAX) throw new UnreadError('too_large');
}

/** @throws UnreadError */
export async function readDocx(bytes: Uint8Array): Promise<PagedText> {
  throwIfNotDocx(bytes);
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) }, { convertImage });
  const { text, pageStarts } = readHtml(value, { listsNumbered: false });
  return { text, pageStarts };
}
