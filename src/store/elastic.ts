import { Client } from '@elastic/elasticsearch';

export interface ElasticOptions {
  url: string;
  apiKey?: string | undefined;
  /** path of a certificate authority's PEM file */
  ca?: string | undefined;
  /** how long one attempt of a request may take */
  timeoutMs: number;
  /** attempts after the first */
  retries: number;
}

/** The Elasticsearch client as this product uses it; made only by `compose` and by command-line programs. */
export function makeElastic(options: ElasticOptions): Client {
  return new Client({
    node: options.url,
    ...(options.apiKey ? { auth: { apiKey: options.apiKey } } : {}),
    ...(options.ca ? { tls: { ca: options.ca } } : {}),
    requestTimeout: options.timeoutMs,
    maxRetries: options.retries,
    compression: false,
  });
}
