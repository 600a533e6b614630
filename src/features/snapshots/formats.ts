/** The formats of a snapshot's files. */
export const SNAPSHOT_FORMATS = ['ndjson', 'parquet'] as const;
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number];

/** Versions of GeoParquet. */
export const GEOPARQUETS = ['1.1', '2.0'] as const;
export type GeoParquet = (typeof GEOPARQUETS)[number];

export const COMPRESSIONS = ['gzip', 'zstd'] as const;
export type Compression = (typeof COMPRESSIONS)[number];
