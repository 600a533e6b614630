/** The default root URL of the service. In a package that a service serves, this is its own public URL. */
export const DEFAULT_URL: string = 'http://localhost:8080';

/** The root URL of a service from a typed URL, which may end in the `/v1` of its requests. */
export const serviceRoot = (address: string): string => address.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
