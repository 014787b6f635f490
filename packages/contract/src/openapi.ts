// The OpenAPI 3.1 document of the merchant API, generated from the registries of endpoints and events.
import type { TSchema } from 'typebox';
import { codes } from './codes.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints/registry.ts';
import { refusalEnvelope, refusalSchema, successEnvelope, successSchema } from './envelope.ts';
import type { WebhookEvent } from './event.ts';
import { events } from './events/registry.ts';
import { toLegacyData, toLegacyRequest } from './legacy.ts';
import { openApiDescription, webhookDescription } from './openapi-text.ts';
import { httpStatuses } from './http-statuses.ts';
import { idempotencyHeader, idempotencyKeyPattern } from './idempotency-key.ts';
import { headerNames } from './signature.ts';
import { webhookDelivery } from './webhook-delivery.ts';

/** A JSON object of the document. */
export type OpenApiObject = { readonly [key: string]: unknown };

/** Builds the document for a gateway that answers at `serverUrl` (no slash at the end). */
export function openApiDocument(options: { readonly serverUrl: string }): OpenApiObject {
  const all: readonly Endpoint[] = Object.values(endpoints);
  const paths = all.flatMap((endpoint) => [
    [endpoint.path, { post: operation(endpoint, false) }],
    [endpoint.legacyPath, { post: operation(endpoint, true) }],
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ducat merchant API',
      version: '1.0.0',
      description: openApiDescription(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.serverUrl }],
    tags: [
      { name: 'current', description: 'The operations.' },
      { name: 'legacy', description: 'The same operations on their old paths; no longer updated.' },
    ],
    paths: Object.fromEntries(paths),
    webhooks: Object.fromEntries(
      Object.values(events).map((event) => [event.type, { post: webhook(event) }]),
    ),
    components: {
      parameters: authParameters('The request'),
      headers: responseHeaders,
      schemas: { Refusal: plain(refusalSchema), Code: codeSchema },
    },
    'x-codes': codes,
    'x-webhook-delivery': webhookDelivery,
  };
}

const authNames = ['appId', 'timestamp', 'signature'] as const;

const authTexts = {
  appId: { description: 'AppId of the merchant app.', schema: { type: 'string', minLength: 1 } },
  timestamp: {
    description: 'Unix time in seconds, exactly ten digits.',
    schema: { type: 'string', pattern: '^[0-9]{10}$' },
  },
  signature: {
    description: 'HMAC-SHA256 over body + timestamp + AppKey, keyed with the AppKey, in hexadecimal.',
    schema: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
  },
} as const;

const codeSchema = {
  type: 'integer',
  enum: codes.map((entry) => entry.code),
  description: codes.map((entry) => `${entry.code} ${entry.name}: ${entry.meaning}`).join('\n\n'),
};

const responseHeaders: OpenApiObject = {
  ...Object.fromEntries(
    authNames.map((name) => [
      headerNames[name],
      {
        description: `${authTexts[name].description} Over the raw response body; there wherever the request proved the key.`,
        schema: authTexts[name].schema,
      },
    ]),
  ),
  'Retry-After': {
    description: 'With code 20009 only: whole seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
  },
};

function authParameters(subject: string): OpenApiObject {
  return Object.fromEntries(
    authNames.map((name) => [
      headerNames[name],
      {
        name: headerNames[name],
        in: 'header',
        required: true,
        description: `${authTexts[name].description} ${subject} carries it exactly once.`,
        schema: authTexts[name].schema,
      },
    ]),
  );
}

function operation(endpoint: Endpoint, legacy: boolean): OpenApiObject {
  const kind =
    endpoint.appKind === 'ANY' ? 'Any kind of app may call it.' : `Needs a ${endpoint.appKind} app.`;
  const request = legacy ? toLegacyRequest(endpoint.exampleRequest) : endpoint.exampleRequest;
  return {
    operationId: legacy ? `legacy-${endpoint.name}` : endpoint.name,
    tags: [legacy ? 'legacy' : 'current'],
    ...(legacy ? { deprecated: true } : {}),
    summary: endpoint.summary,
    description: `${endpoint.description} ${kind} Codes: 0, ${endpoint.refusals.join(', ')}.`,
    parameters: [
      ...authNames.map((name) => ({ $ref: `#/components/parameters/${headerNames[name]}` })),
      ...(endpoint.takesIdempotencyKey === true ? [idempotencyParameter] : []),
    ],
    requestBody: {
      required: !endpoint.allowsEmptyBody,
      content: {
        'application/json': {
          schema: plain(legacy ? endpoint.legacyRequest : endpoint.request),
          examples: { example: { value: request } },
        },
      },
    },
    responses: { '200': answer(endpoint, legacy), ...transportTroubles },
    'x-codes': [0, ...endpoint.refusals],
    'x-app-kind': endpoint.appKind,
  };
}

const idempotencyParameter: OpenApiObject = {
  name: idempotencyHeader,
  in: 'header',
  required: false,
  description:
    'Names the call: sent again under the same name with the same fields, it answers the same and has no second effect. Without it, X-Sign names the call.',
  schema: { type: 'string', pattern: idempotencyKeyPattern },
};

function answer(endpoint: Endpoint, legacy: boolean): OpenApiObject {
  const data = legacy ? toLegacyData(endpoint.exampleData) : endpoint.exampleData;
  const success = plain(successSchema(legacy ? endpoint.legacyData : endpoint.data));
  const refusal = refusalEnvelope(10008, 'X-Sign does not fit the body, the timestamp and the key');
  return {
    description: 'Success (code 0) or a refusal (any other code).',
    headers: Object.fromEntries(
      Object.keys(responseHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: {
      'application/json': {
        schema: { oneOf: [success, { $ref: '#/components/schemas/Refusal' }] },
        examples: { success: { value: successEnvelope(data) }, refusal: { value: refusal } },
      },
    },
  };
}

const transportTroubles = Object.fromEntries(
  httpStatuses.map(({ status, meaning, hasEnvelope }) => [
    String(status),
    {
      description: meaning,
      ...(hasEnvelope
        ? { content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } } }
        : {}),
    },
  ]),
);

function webhook(event: WebhookEvent): OpenApiObject {
  return {
    operationId: `webhook-${event.type}`,
    summary: event.summary,
    description: `${event.description}\n\n${webhookDescription()}`,
    parameters: [
      ...Object.values(authParameters('The webhook')),
      header(headerNames.eventType, 'The status in the body, for example PAID.'),
      header(headerNames.eventId, 'Stable per event: the same at every attempt.'),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: plain(event.body), examples: { example: { value: event.example } } },
      },
    },
    responses: {
      '200': {
        description: 'Received. Any other status or body makes the gateway try again.',
        content: {
          'text/plain': {
            schema: { type: 'string', const: webhookDelivery.successBody },
            example: webhookDelivery.successBody,
          },
        },
      },
    },
  };
}

function header(name: string, description: string): OpenApiObject {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}

/** The schema as plain JSON. The schema library's own properties are not enumerable, so JSON leaves them out. */
function plain(schema: TSchema): OpenApiObject {
  return JSON.parse(JSON.stringify(schema));
}
