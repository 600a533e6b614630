/** Writes records, or other rows, as a Parquet file, one row group at a time. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { PublicRecord } from '../../core/domain/record/represent.ts';
import type { GeoParquet } from './formats.ts';
import { geoMetadata, type ParquetColumn, parquetSchema } from './parquetSchema.ts';

const CREATED_BY = 'Land Use Intelligence API';

/**
 * @param chunks records in order; no chunk is empty
 * @param groupRecords least number of records in a row group, except the last
 * @throws errors of the records
 */
export async function* parquetFile(
  chunks: AsyncIterable<readonly PublicRecord[]>,
  columns: readonly ParquetColumn[],
  groupRecords: number,
  version: GeoParquet = '1.1',
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const kvMetadata = [{ key: 'geo', value: geoMetadata(version) }];
  const writer = new ParquetWriter({ writer: bytes, schema: parquetSchema(columns), kvMetadata, createdBy: CREATED_BY });
  const write = (records: readonly PublicRecord[]): Uint8Array => {
    const columnData = columns.map(({ name, read }) => ({ name, data: records.map(read), offsetIndex: false }));
    writer.write({ columnData, rowGroupSize: records.length });
    return takeWritten(bytes);
  };
  let group: PublicRecord[] = [];
  for await (const records of chunks) {
    group.push(...records);
    if (group.length < groupRecords) continue;
    yield write(group);
    group = [];
  }
  if (group.length) yield write(group);
  writer.finish();
  yield takeWritten(bytes);
}

/** Takes the bytes written since the last call. The writer keeps its position in the file. */
function takeWritten(bytes: ByteWriter): Uint8Array {
  const written = bytes.getBytes().slice();
  bytes.index = 0;
  return written;
}
