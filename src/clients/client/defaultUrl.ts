/** Root of the service that a client asks unless told otherwise; in a package that a service hands out, its own public address. */
export const DEFAULT_URL: string = 'http://localhost:8080';
