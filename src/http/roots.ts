/** The prefixes under which routes are served. */
export const API_ROOT = '/v1';
/** paths of the service itself, fixed by standards and other programs */
export const SERVICE_ROOT = '';
/** prefix of OGC API - Features */
export const OGC_ROOT = '/ogc';

/** @param hostname as in a URL */
export const isLoopbackHost = (hostname: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** the endpoint of MCP clients */
export const MCP_PATH = '/mcp';

/** Whether a path accepts the key as user or password of Basic authentication, as many GIS programs can send nothing else. */
export const acceptsBasicAuth = (path: string) => path === OGC_ROOT || path.startsWith(`${OGC_ROOT}/`);

/** A path as routes declare it: clients may send one slash more at its end. */
export const removeEndSlash = (path: string) => path.replace(/(?<=.)\/$/, '');

export const KEYS_ROOT = '/api/user/api-keys';
