/** The formats of a snapshot's files. */
export const SNAPSHOT_FORMATS = ['ndjson', 'parquet'] as const;
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number];

export const COMPRESSIONS = ['gzip', 'zstd'] as const;
export type Compression = (typeof COMPRESSIONS)[number];
