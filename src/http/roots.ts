/** Below which paths routes stand. */
export const API_ROOT = '/v1';
/** of the service itself, for what standards and programs look for there */
export const SERVICE_ROOT = '';
/** of OGC API - Features, below the root of the service */
export const OGC_ROOT = '/ogc';

/** Whether a key may come as user or password of Basic authentication: to GIS programs alone, many of which send nothing else. */
export const takesBasic = (path: string) => path === OGC_ROOT || path.startsWith(`${OGC_ROOT}/`);

export const KEYS_ROOT = '/api/user/api-keys';
