// A merchant's client written from the served OpenAPI document alone. It imports nothing of Ducat.
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';

/** The data that a merchant gets from the operator. */
export interface Credentials {
  readonly baseUrl: string;
  readonly appId: string;
  readonly appKey: string;
}

export interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly requestBody: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

type Content = Readonly<Record<'application/json', { readonly schema: Schema }>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
}

/** Fetches the document from the gateway. */
export async function fetchDocument(url: string): Promise<Document> {
  return (await (await fetch(url)).json()) as Document;
}

/** Makes the function that calls an operation by its id and returns the `data` of a verified answer. */
export function outsideClient(document: Document, { appId, appKey }: Credentials) {
  const [server] = document.servers;
  return async (operationId: string, request: object): Promise<Readonly<Record<string, unknown>>> => {
    const found = Object.entries(document.paths).find(([, { post }]) => post.operationId === operationId);
    if (found === undefined || server === undefined) throw new Error(`the document has no ${operationId}`);
    const [path, { post }] = found;
    complain(document, post.requestBody.content['application/json'].schema, request, 'request');
    const body = JSON.stringify(request);
    const time = now();
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'X-Appid': appId,
        'X-Timestamp': time,
        'X-Sign': sign(appKey, body, time),
      },
      body,
    });
    const text = await answer.text();
    const header = (name: string) => answer.headers.get(name) ?? '';
    mustBeSigned(appId, appKey, text, header);
    const envelope: unknown = JSON.parse(text);
    const documented = post.responses[String(answer.status)]?.content['application/json'].schema;
    if (documented === undefined) throw new Error(`HTTP ${answer.status} is not in the document`);
    complain(document, documented, envelope, 'answer');
    const { code, msg, data } = envelope as { code: number; msg: string; data: Record<string, unknown> };
    if (code !== 0) throw new Error(`${operationId}: ${code} ${msg}`);
    return data;
  };
}

/** Listens for webhooks of these apps on any free port and gives each verified body to `onBody`. */
export async function outsideShop(
  document: Document,
  apps: readonly Credentials[],
  onBody: (body: Readonly<Record<string, unknown>>) => void,
): Promise<{ readonly server: Server; readonly url: string; readonly refused: readonly string[] }> {
  const refused: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      try {
        const header = (name: string) => String(request.headers[name.toLowerCase()] ?? '');
        const app = apps.find(({ appId }) => appId === header('X-Appid'));
        if (app === undefined) throw new Error(`no app of ours: ${text}`);
        mustBeSigned(app.appId, app.appKey, text, header);
        const body = JSON.parse(text) as Record<string, unknown>;
        const documented =
          document.webhooks[String(body.type)]?.post.requestBody.content['application/json'].schema;
        if (documented === undefined) throw new Error(`the document has no webhook ${String(body.type)}`);
        complain(document, documented, body, 'webhook');
        if (body.appid !== app.appId || body.status !== header('X-EventType'))
          throw new Error('headers and body differ');
        onBody(body);
        response.end('Success');
      } catch (error) {
        refused.push(String(error));
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, url: `http://127.0.0.1:${port}/hook`, refused };
}

function sign(appKey: string, body: string, time: string): string {
  return createHmac('sha256', appKey)
    .update(body + time + appKey, 'utf8')
    .digest('hex');
}

function mustBeSigned(appId: string, appKey: string, text: string, header: (name: string) => string): void {
  const time = header('X-Timestamp');
  const isOurs = header('X-Appid') === appId && /^[0-9]{10}$/.test(time);
  const isFresh = Math.abs(Number(time) - Number(now())) <= 120;
  if (!isOurs || !isFresh || header('X-Sign') !== sign(appKey, text, time))
    throw new Error(`not signed: ${text}`);
}

function now(): string {
  return String(Math.floor(Date.now() / 1000));
}

/** Throws where the value does not match the document's schema. */
function complain(document: Document, schema: Schema, value: unknown, at: string): void {
  const trouble = troubleOf(document, schema, value, at);
  if (trouble !== undefined) throw new Error(`${trouble} in ${JSON.stringify(value)}`);
}

function troubleOf(document: Document, schema: Schema, value: unknown, at: string): string | undefined {
  if (schema.$ref !== undefined) return troubleOf(document, resolve(document, schema.$ref), value, at);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) {
    const troubles = choices.map((choice) => troubleOf(document, choice, value, at));
    if (!troubles.includes(undefined)) return troubles.join(' or ');
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${at} is none of the enumeration`;
  if ('const' in schema && schema.const !== value) return `${at} is not ${JSON.stringify(schema.const)}`;
  if (schema.type !== undefined && !isOfType(schema.type, value)) return `${at} is no ${schema.type}`;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(String(value)))
    return `${at} breaks its pattern`;
  if (Array.isArray(value)) {
    const { items } = schema;
    return (
      items && value.map((item, place) => troubleOf(document, items, item, `${at}[${place}]`)).find(Boolean)
    );
  }
  return schema.properties === undefined ? undefined : fieldTrouble(document, schema, value, at);
}

function fieldTrouble(document: Document, schema: Schema, value: unknown, at: string): string | undefined {
  const { properties = {}, required = [] } = schema;
  const fields = new Map<string, unknown>(Object.entries(value as object));
  const missing = required.find((name) => !fields.has(name));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  for (const [name, inner] of fields) {
    const documented = properties[name];
    if (documented === undefined) return `${at}.${name} is not in the document`;
    const trouble = troubleOf(document, documented, inner, `${at}.${name}`);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function resolve(document: Document, ref: string): Schema {
  let place: unknown = document;
  for (const step of ref.replace('#/', '').split('/')) place = (place as Record<string, unknown>)[step];
  return place as Schema;
}
