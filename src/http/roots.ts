/** Below which paths routes stand. */
export const API_ROOT = '/v1';
/** of the service itself, for what standards and programs look for there */
export const SERVICE_ROOT = '';
export const KEYS_ROOT = '/api/user/api-keys';
