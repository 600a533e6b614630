/** Root of the service that a client asks unless told otherwise; in a package that a service hands out, its own public address. */
export const DEFAULT_URL: string = 'http://localhost:8080';

/** Root of a service by an address that somebody typed, who may have copied the `/v1` of its requests, too. */
export const serviceRoot = (address: string): string => address.replace(/\/+$/, '').replace(/\/v1$/, '');
