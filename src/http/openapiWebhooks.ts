/** The webhooks of the OpenAPI document: what is sent of each type of event, as its declaration makes it. Pure. */
type Json = Record<string, unknown>;

/** What the document says of a type of event, and webhooks are sent. */
export interface DocumentedEvent {
  type: string;
  /** when it is sent */
  summary: string;
  /** id of what one is about */
  example: string;
  /** What is sent: ids, and the address that has the rest; nothing of a record is ever in it. @param apiUrl root of the API, without a trailing slash */
  data(event: { id: string; alertId: string | null }, apiUrl: string): Record<string, string>;
}

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'Id of the message, the same at every attempt: leave out one that you have seen',
  'webhook-timestamp': 'Unix seconds of this attempt',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of id, timestamp and body in base64; two with a space between while a secret is replaced',
};

const ALERT_ID = 'alr_6DgkSdWpLLJ1c43Cx0AQpR';

const operationId = (type: string) => `on${type.replaceAll(/(^|[._])(\w)/g, (_, __, letter: string) => letter.toUpperCase())}`;

/** A field of what is sent is an id or an address. */
const fieldSchema = (value: string): Json => ({ type: 'string', ...(URL.canParse(value) ? { format: 'uri' } : {}) });

function messageOf({ type, example: id, data }: DocumentedEvent, publicUrl: string): Json {
  const sample = data({ id, alertId: ALERT_ID }, `${publicUrl}/v1`);
  const schema = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
      data: {
        type: 'object',
        required: Object.keys(sample),
        properties: Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, fieldSchema(value)])),
      },
    },
  };
  return { schema, example: { type, timestamp: '2026-11-22T05:06:01.300Z', data: sample } };
}

/** @param events all types that may be sent @param publicUrl root of the service */
export const webhooksOf = (events: readonly DocumentedEvent[], publicUrl: string): Json =>
  Object.fromEntries(
    events.map((event) => [
      event.type,
      {
        post: {
          operationId: operationId(event.type),
          tags: ['Webhooks'],
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
          requestBody: { required: true, content: { 'application/json': messageOf(event, publicUrl) } },
          responses: {
            '2XX': { description: 'Taken. Answer within 15 seconds' },
            '4XX': { description: 'Anything else is a failure: it is tried again, ten times in three days' },
          },
        },
      },
    ]),
  );
