/** Below which paths routes stand. */
export const API_ROOT = '/v1';
export const KEYS_ROOT = '/api/user/api-keys';
