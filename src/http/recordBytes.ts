/** Answers whose records come as text that is ready: the same bytes that JSON.stringify would make of them, without parsing a record. */
import { joined, type Piece, RecordText } from '../core/domain/record/rendered.ts';

/** Undefined for an answer without such records. */
export function recordBytes({ data, meta }: { data: unknown; meta: object }): Buffer | undefined {
  const records: readonly unknown[] = Array.isArray(data) ? data : [data];
  if (!records.length || !records.every((record) => record instanceof RecordText)) return undefined;
  const pieces: Piece[] = ['{"data":'];
  if (Array.isArray(data)) pieces.push('[');
  for (const [i, record] of records.entries()) {
    if (i) pieces.push(',');
    for (const piece of record.pieces) pieces.push(piece);
  }
  if (Array.isArray(data)) pieces.push(']');
  pieces.push(`,"meta":${JSON.stringify(meta)}}`);
  return joined(pieces);
}
