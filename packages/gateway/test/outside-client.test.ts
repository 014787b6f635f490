// A client that knows nothing but the served OpenAPI document takes payments, by an order and by a QR code, to the webhook.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@ducat/devnet/net/free-port';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Address } from '@ducat/testkit/system/dev-chains';
import { changeApp } from '../src/flows/merchants/change-app.ts';
import { startSystem, type System } from '@ducat/testkit/system/system';

let system: System;
let apiPort: number;
beforeAll(async () => {
  // The document names the address of the API, so that has to be known before the gateway starts.
  apiPort = await freePort();
  system = await startSystem(inject('postgresAdminUrl'), { apiPort });
});
afterAll(() => system?.close());

// Loose on purpose: a client that has only the document has no types.
type Json = Readonly<Record<string, never>>;

/** A client that signs, sends and reads everything by the document alone. */
class OutsideClient {
  readonly #document: Json;
  readonly #appId: string;
  readonly #appKey: string;

  constructor(document: unknown, appId: string, appKey: string) {
    this.#document = document as Json;
    this.#appId = appId;
    this.#appKey = appKey;
  }

  /** Whether the client signs the document's test vector correctly, and so as the document describes. */
  signsTheVector(): boolean {
    const text: string = at(this.#document, 'info', 'description');
    const [, key = '', timestamp = '', body = '', signature = ''] =
      /AppKey `(.+?)`, timestamp `(.+?)`, body `(.+?)` sign to `(.+?)`/.exec(text) ?? [];
    return signature.length === 64 && hmac(key, body + timestamp + key) === signature;
  }

  async call(operationId: string, request: object): Promise<Json> {
    const [path, operation] = this.#operation(operationId);
    const media: Json = at(operation, 'requestBody', 'content', 'application/json');
    if (!Value.Check(at(media, 'schema'), request)) throw new Error(`${operationId}: not a valid request`);
    const body = JSON.stringify(request);
    const response = await fetch(`${at<string>(this.#document, 'servers', '0', 'url')}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.#sign(body, at(operation, 'parameters')) },
      body,
    });
    const raw = await response.text();
    const answer: Json = at(operation, 'responses', String(response.status));
    const headers = Object.fromEntries(response.headers);
    this.#verify(raw, headers, Object.keys(at<Json>(answer, 'headers')));
    const [success] = at<readonly Json[]>(answer, 'content', 'application/json', 'schema', 'oneOf');
    const envelope: { readonly data: Json } = JSON.parse(raw);
    if (!Value.Check(success!, envelope)) throw new Error(`${operationId} answered ${raw}`);
    return envelope.data;
  }

  /** Checks one webhook and gives its body; throws where anything is not as the document promises. */
  readWebhook(type: string, raw: string, headers: IncomingHttpHeaders): Json {
    const webhook: Json = at(this.#document, 'webhooks', type, 'post');
    const names = at<readonly Json[]>(webhook, 'parameters').map((parameter) =>
      at<string>(parameter, 'name'),
    );
    for (const name of names) {
      if (headers[name.toLowerCase()] === undefined) throw new Error(`the webhook lacks ${name}`);
    }
    this.#verify(raw, headers, names);
    const body: Json = JSON.parse(raw);
    const schema: Json = at(webhook, 'requestBody', 'content', 'application/json', 'schema');
    if (!Value.Check(schema, body)) throw new Error(`the webhook has another shape: ${raw}`);
    return body;
  }

  /** The body with which a webhook has to be answered, by the document. */
  successBody(type: string): string {
    const responses: Json = at(this.#document, 'webhooks', type, 'post', 'responses');
    return at(responses, '200', 'content', 'text/plain', 'schema', 'const');
  }

  #operation(operationId: string): readonly [string, Json] {
    for (const [path, item] of Object.entries(at<Record<string, Json>>(this.#document, 'paths'))) {
      const operation: Json = at(item, 'post');
      if (at(operation, 'operationId') === operationId) return [path, operation];
    }
    throw new Error(`the document has no operation ${operationId}`);
  }

  /** The headers of a signed request. The pattern of a parameter's value shows what the parameter is for. */
  #sign(body: string, parameters: readonly Json[]): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const values = [timestamp, hmac(this.#appKey, body + timestamp + this.#appKey)];
    // A parameter without $ref is an optional header of this operation alone.
    const common = parameters.filter((parameter) => '$ref' in parameter);
    const headers = common.map((reference) => {
      const steps = at<string>(reference, '$ref').split('/').slice(1);
      const parameter: Json = at(this.#document, ...steps);
      const { pattern } = at<{ pattern?: string }>(parameter, 'schema');
      const value = pattern === undefined ? this.#appId : values.find((one) => new RegExp(pattern).test(one));
      return [at<string>(parameter, 'name'), value ?? ''];
    });
    return Object.fromEntries(headers);
  }

  #verify(raw: string, headers: IncomingHttpHeaders, names: readonly string[]): void {
    const [appId, timestamp, signature] = names.map((name) => String(headers[name.toLowerCase()]));
    const expected = hmac(this.#appKey, raw + timestamp + this.#appKey);
    const fits = signature?.length === 64 && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
    const isCurrent = Math.abs(Number(timestamp) - Date.now() / 1000) <= 120;
    if (!fits || !isCurrent || appId !== this.#appId) throw new Error(`not signed by the gateway: ${raw}`);
  }
}

describe('a client built from the served document alone', () => {
  it('completes a payment', async () => {
    const { appId, appKey } = await system.newShop();
    const base = `http://127.0.0.1:${apiPort}`;
    const document = await (await fetch(`${base}/openapi.json`)).json();
    const page = await (await fetch(`${base}/docs/api`)).text();
    expect(page).toContain('X-Sign');
    const client = new OutsideClient(document, appId, appKey);
    expect(client.signsTheVector()).toBe(true);
    await expect(client.call('create-order', { currency_id: 'x' })).rejects.toThrow('not a valid request');

    const inbox = await startInbox(client, 'PAYMENT');
    const tokens = await client.call('token-list', {});
    const token = Object.values(tokens as Record<string, Json>).find(
      (one) => at(one, 'network') === 'ERC20' && at(one, 'token') === 'USDT',
    );
    const order = await client.call('create-order', {
      out_trade_no: 'outside-1',
      currency_id: at(token!, 'currency_id'),
      token_amount: '12.5',
      callback_url: inbox.url,
    });
    const units = 125n * 10n ** (BigInt(at<number>(order, 'decimal')) - 1n);
    const pay = { token: at<Address>(order, 'contract'), to: at<Address>(order, 'pay_address') };
    const txid = await system.eth.payer().sendToken(pay.token, pay.to, units);
    await system.mine(system.eth);
    await system.makeFinal(system.eth);

    await expect.poll(() => inbox.received.length, { timeout: 10_000 }).toBe(1);
    expect(inbox.troubles).toEqual([]);
    const trade_no: string = at(order, 'trade_no');
    expect(inbox.received[0]).toMatchObject({ trade_no, status: 'PAID', amount_collected: '12.5', txid });
    const detail = await client.call('order-detail', { trade_no });
    expect(detail).toMatchObject({ status: 'PAID', amount_collected: '12.5', out_trade_no: 'outside-1' });
    const balance = await client.call('account-balance', { currency_id: at(token!, 'currency_id') });
    expect(balance).toMatchObject({ operable_balance: '12.49625' });
    await expect
      .poll(async () => (await system.events(trade_no)).map(({ state }) => state))
      .toEqual(['delivered']);
    inbox.server.close();
  });

  it('makes a QR code and takes a payment by it', async () => {
    const document = await (await fetch(`http://127.0.0.1:${apiPort}/openapi.json`)).json();
    const { appId, appKey } = await system.newShop({ kind: 'QR_CODE' });
    const client = new OutsideClient(document, appId, appKey);
    const inbox = await startInbox(client, 'QR_PAYMENT');
    await system.database.transact((tx) => changeApp(tx, { appId, callbackUrl: inbox.url }));
    const code = await client.call('create-qr-code', { name: 'Counter 3', currency_id: 1000, amount: '0' });
    const to = at<Address>(code, 'address');
    const txid = await system.eth.payer().sendNative(to, 10n ** 17n);
    await system.mine(system.eth);
    await system.makeFinal(system.eth);
    await expect.poll(() => inbox.received.length, { timeout: 10_000 }).toBe(1);
    expect(inbox.troubles).toEqual([]);
    const paid = { type: 'QR_PAYMENT', contract: 'ETH', token_amount: '0.1', to_address: to, txid };
    expect(inbox.received[0]).toMatchObject(paid);
    inbox.server.close();
  });
});

interface Inbox {
  readonly url: string;
  readonly server: Server;
  readonly received: Json[];
  readonly troubles: string[];
}

/** The client's own endpoint for webhooks. */
async function startInbox(client: OutsideClient, type: string): Promise<Inbox> {
  const received: Json[] = [];
  const troubles: string[] = [];
  const server = createServer((request, response) => {
    let raw = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk));
    request.on('end', () => {
      try {
        received.push(client.readWebhook(type, raw, request.headers));
        response.writeHead(200, { 'content-type': 'text/plain' }).end(client.successBody(type));
      } catch (error) {
        troubles.push(String(error));
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/webhooks`, server, received, troubles };
}

/** Follows names into the document; an entry that is not there is an error of the document. */
function at<Wanted = never>(from: object, ...steps: readonly string[]): Wanted {
  let value: unknown = from;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !(step in value)) {
      throw new Error(`the document has no ${steps.join('.')}`);
    }
    value = Object.entries(value).find(([name]) => name === step)?.[1];
  }
  // A client can only trust that the document has this shape.
  return value as Wanted;
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('hex');
}
