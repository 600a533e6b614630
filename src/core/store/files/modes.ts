/** Mode of files that only the process's user may read, since they contain customers' data or secrets. */
export const OWNER_ONLY_FILE = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;
