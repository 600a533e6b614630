/** Serialises answers whose records are already text: the same bytes as JSON.stringify, without parsing a record. */
import { joinPieces, type Piece, RecordText } from '../core/domain/record/rendered.ts';
import { takeBuffer } from './answerBuffers.ts';

/** The bytes of an answer, to be given back; undefined if its records are not text. */
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
  return joinPieces(pieces, takeBuffer);
}
