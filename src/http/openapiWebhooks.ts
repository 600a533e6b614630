/** The webhooks in the OpenAPI document: the message of each event type, as its declaration makes it. Pure. */
type Json = Record<string, unknown>;

/** Ids, numbers and addresses; an object groups some of them. */
export type Payload = string | number | null | { [name: string]: Payload };

/** An event type, as the document and the messages need it. */
export interface DocumentedEvent {
  type: string;
  /** when the event occurs */
  summary: string;
  /** example id of its subject */
  example: string;
  /** example of what is recorded with it besides */
  exampleDetails?: object;
  /** names of the payload's fields that may be null */
  nullable?: readonly string[];
  /**
   * The payload: ids and a URL for the details, never content of records.
   * @param apiUrl root of the API, without a trailing slash
   */
  data(event: { id: string; alertId: string | null; details: object | null }, apiUrl: string): Record<string, Payload>;
}

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'Id of the message, the same at every attempt: leave out one that you have seen',
  'webhook-timestamp': 'Unix seconds of this attempt',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of id, timestamp and body in base64; two with a space between while a secret is replaced',
};

const ALERT_ID = 'alr_6DgkSdWpLLJ1c43Cx0AQpR';

const operationId = (type: string) => `on${type.replaceAll(/(^|[._])(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Schema of a payload's field as its example shows it; an example that is null is the id of a place that is none. */
function fieldSchema(value: Payload, mayBeNull: boolean, nullable: readonly string[]): Json {
  const type = (name: string) => ({ type: mayBeNull ? [name, 'null'] : name });
  if (value === null || typeof value === 'number') return type('integer');
  if (typeof value === 'object') return { ...type('object'), ...objectSchema(value, nullable) };
  if (DAY.test(value)) return { ...type('string'), format: 'date' };
  return { ...type('string'), ...(URL.canParse(value) ? { format: 'uri' } : {}) };
}

const objectSchema = (value: Record<string, Payload>, nullable: readonly string[]): Json => ({
  required: Object.keys(value),
  properties: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fieldSchema(one, nullable.includes(name), nullable)])),
});

function describeMessage(
  { type, example: id, exampleDetails: details = {}, nullable = [], data }: DocumentedEvent,
  publicUrl: string,
): Json {
  const sample = data({ id, alertId: ALERT_ID, details }, `${publicUrl}/v1`);
  const schema = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
      data: { type: 'object', ...objectSchema(sample, nullable) },
    },
  };
  return { schema, example: { type, timestamp: '2026-11-22T05:06:01.300Z', data: sample } };
}

/**
 * The `webhooks` section.
 * @param events all event types
 * @param publicUrl root of the service
 */
export const describeWebhooks = (events: readonly DocumentedEvent[], publicUrl: string): Json =>
  Object.fromEntries(
    events.map((event) => [
      event.type,
      {
        post: {
          operationId: operationId(event.type),
          summary: `${event.type}: ${event.summary}`,
          description: 'Signed as [the guide](/docs/guides/webhooks) says; no record, name or contact is ever in it.',
          security: [],
          parameters: Object.entries(HEADERS).map(([name, description]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: { 'application/json': describeMessage(event, publicUrl) } },
          responses: {
            '2XX': { description: 'Taken. Answer within 15 seconds' },
            '4XX': { description: 'Anything else is a failure: it is tried again, ten times in three days' },
          },
        },
      },
    ]),
  );
