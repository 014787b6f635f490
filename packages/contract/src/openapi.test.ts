// Tests of the OpenAPI document: valid by the 3.1 rules, complete, and with examples that fit.
import { Validator } from '@seriousme/openapi-schema-validator';
import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { endpoints } from './endpoints/registry.ts';
import { events } from './events/registry.ts';
import { openApiDocument } from './openapi.ts';
import { signatureVectors } from './signature-vectors.ts';

const document = JSON.parse(JSON.stringify(openApiDocument({ serverUrl: 'https://pay.example' })));

interface Body {
  readonly content?: Record<string, { schema: unknown; examples?: Record<string, { value: unknown }> }>;
}
interface Item {
  readonly post: { readonly requestBody: Body; readonly responses: Record<string, Body> };
}

/** Replaces `#/components/schemas/…` references by what they point to, for a checker without the document. */
function resolved(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    typeof value?.$ref === 'string' ? document.components.schemas[value.$ref.split('/').at(-1)] : value,
  );
}

describe('openApiDocument', () => {
  it('is valid by the rules of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(document.openapi).toBe('3.1.0');
  });

  it('has every endpoint on both paths, the old one marked deprecated', () => {
    const expected = Object.values(endpoints).flatMap((endpoint) => [endpoint.path, endpoint.legacyPath]);
    expect(Object.keys(document.paths).toSorted()).toEqual(expected.toSorted());
    for (const [path, item] of Object.entries<{ post: { deprecated?: boolean } }>(document.paths)) {
      expect(item.post.deprecated ?? false).toBe(path.startsWith('/v1/'));
    }
  });

  it('has request and response examples that fit their schemas', () => {
    const paths: Item[] = Object.values(document.paths);
    const webhooks: Item[] = Object.values(document.webhooks);
    const bodies = [...paths, ...webhooks].flatMap(({ post }) => [
      post.requestBody,
      ...Object.values(post.responses),
    ]);
    const media = bodies.flatMap(({ content = {} }) => Object.values(content));
    const examples = media.flatMap(({ schema, examples = {} }) =>
      Object.values(examples).map(({ value }) => ({ schema, value })),
    );
    for (const { schema, value } of examples) {
      expect(Schema.Check(resolved(schema), value), JSON.stringify(value)).toBe(true);
    }
    expect(examples).toHaveLength(Object.keys(endpoints).length * 2 * 3 + Object.keys(events).length);
  });

  it('says that codes are integers, and lists every status', () => {
    for (const { post } of Object.values<Item>(document.paths)) {
      const answer = resolved(post.responses['200']?.content?.['application/json']?.schema);
      const code = { properties: { code: { type: 'integer' } } };
      expect(answer).toMatchObject({ oneOf: [code, code] });
      const statuses = [200, 400, 404, 405, 408, 413, 415, 417, 431, 503];
      expect(Object.keys(post.responses).map(Number)).toEqual(statuses);
    }
  });

  it.each([
    [{}, false, false],
    [{ token_amount: '5' }, true, false],
    [{ token_amount: '5', currency_id: 1001 }, true, true],
    [{ fiat_amount: '5' }, false, false],
    [{ fiat_name: 'USD' }, false, false],
    [{ fiat_name: 'USD', fiat_amount: '5' }, true, true],
    [{ token_amount: '5', currency_id: 1001, fiat_amount: '5' }, false, false],
    [{ token_amount: '5', currency_id: 1001, fiat_name: 'USD' }, true, true],
  ])('knows which amounts an order needs: %o', (amounts, isOrder, isHosted) => {
    const fits = (path: string, body: object) =>
      Schema.Check(document.paths[path].post.requestBody.content['application/json'].schema, body);
    const order = { out_trade_no: 'o', ...amounts };
    expect(fits('/api/order/create', { ...order, currency_id: 1001 })).toBe(isOrder);
    expect(fits('/api/entrust/pre-create', order)).toBe(isHosted);
  });

  it('names the headers of every answer, and the wait of 20009 among them', () => {
    const headers = ['X-Appid', 'X-Timestamp', 'X-Sign', 'Retry-After'];
    expect(Object.keys(document.components.headers)).toEqual(headers);
    for (const item of Object.values<{ post: { responses: { 200: { headers: object } } } }>(document.paths)) {
      expect(Object.keys(item.post.responses[200].headers)).toEqual(headers);
    }
  });

  it('offers a name for a call where the call has no number of its own', () => {
    const named = Object.entries<{ post: { parameters: { name?: string }[] } }>(document.paths)
      .filter(([, { post }]) => post.parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(([path]) => path);
    expect(named.toSorted()).toEqual([
      '/api/payment-qr-code/create',
      '/api/payout/create',
      '/v1/payment-qr-code/create',
      '/v1/payout/create',
    ]);
  });

  it('shows an outsider how to sign, how to answer a webhook and when it is repeated', () => {
    const { description } = document.info;
    for (const part of ['X-Appid', 'X-Timestamp', 'X-Sign', 'HMAC-SHA256', signatureVectors[0]!.signature]) {
      expect(description).toContain(part);
    }
    const webhook = document.webhooks.PAYMENT.post;
    expect(webhook.description).toContain(
      '5s, 15s, 30s, 3m, 10m, 20m, 30m, 30m, 30m, 1h, 3h, 3h, 3h, 6h, 6h',
    );
    // As webhooks.md says: events are identified by signed fields.
    expect(webhook.description).toMatch(
      /keep trade_no with status and amount_collected .* X-Event-Id is not/,
    );
    expect(webhook.responses['200'].content['text/plain'].schema.const).toBe('Success');
    expect(webhook.parameters.map((header: { name: string }) => header.name)).toEqual([
      'X-Appid',
      'X-Timestamp',
      'X-Sign',
      'X-EventType',
      'X-Event-Id',
    ]);
  });
});
