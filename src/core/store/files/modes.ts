/** Modes of what only this process' user may read: it belongs to customers, or opens their accounts. */
export const OWNER_ONLY_FILE = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;
