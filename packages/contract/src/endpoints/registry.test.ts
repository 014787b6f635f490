// Tests of the endpoint registry: order of fields, paths and codes are the published interface, pinned here.
import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { codes } from '../codes.ts';
import type { Endpoint } from '../endpoint.ts';
import { events } from '../events/registry.ts';
import { fiatNames } from '../fields/fiat-names.ts';
import { toLegacyData, toLegacyRequest } from '../legacy.ts';
import { validateRequest } from '../requests/validate.ts';
import { type EndpointName, endpoints } from './registry.ts';

const all: readonly [string, Endpoint][] = Object.entries(endpoints);

describe.each(all)('endpoint %s', (name, endpoint) => {
  it('is registered under its own name with both paths', () => {
    expect(endpoint.name).toBe(name);
    expect(endpoint.legacyPath).toBe(endpoint.path.replace('/api/', '/v1/'));
  });

  it('has examples that fit its schemas, in the current and in the old shape', () => {
    expect(validateRequest(endpoint, false, endpoint.exampleRequest)).toMatchObject({ ok: true });
    expect(Schema.Check(endpoint.data, endpoint.exampleData)).toBe(true);
    expect(validateRequest(endpoint, true, toLegacyRequest(endpoint.exampleRequest))).toMatchObject({
      ok: true,
    });
    expect(Schema.Check(endpoint.legacyData, toLegacyData(endpoint.exampleData))).toBe(true);
  });

  it('says what each request field must be', () => {
    for (const [field, schema] of Object.entries(endpoint.request.properties)) {
      expect(schema, field).toHaveProperty('x-expects');
      expect(schema, field).toHaveProperty('description');
    }
  });

  it('refuses only with codes of the list', () => {
    const known = codes.map((entry) => entry.code);
    for (const code of endpoint.refusals) expect(known).toContain(code);
    expect(new Set(endpoint.refusals).size).toBe(endpoint.refusals.length);
    // Every endpoint can fail because the database is unreachable.
    expect(endpoint.refusals).toContain(10002);
  });

  it('writes its example data in the order of its schema', () => {
    const example: unknown = Array.isArray(endpoint.exampleData)
      ? endpoint.exampleData[0]
      : endpoint.exampleData;
    const schema: unknown = JSON.parse(JSON.stringify(endpoint.data));
    const object = 'items' in Object(schema) ? (schema as { items: object }).items : schema;
    expect(Object.keys(Object(example))).toEqual(Object.keys((object as { properties: object }).properties));
  });
});

/** The names of the response's fields, in their order. */
function responseFields(name: EndpointName): string {
  const { data } = endpoints[name];
  return 'properties' in data ? Object.keys(Object(data.properties)).join(' ') : '';
}

describe('the published interface', () => {
  it('has these response fields in this order', () => {
    expect(responseFields('create-order')).toBe(
      'trade_no chain token contract amount mode pay_address time_expire decimal chain_id equity create_time amount_collected need_confirms already_confirms entrust_url chain_info',
    );
    expect(responseFields('order-detail')).toBe(
      'trade_no out_trade_no chain token contract fiat_name fiat_amount amount mode pay_address status time_expire decimal chain_id equity create_time amount_collected need_confirms already_confirms entrust_url redirect_url chain_info',
    );
    expect(responseFields('account-balance')).toBe(
      'currency_id balance balance_usdt operable_balance operable_balance_usdt chain network token contract',
    );
    expect(responseFields('create-payout')).toBe('cost actual_receipt trade_no estimated_transfer');
    expect(responseFields('payout-detail')).toBe(
      'trade_no service_charge gas token amount target_address start_time created_time status',
    );
    expect(responseFields('create-qr-code')).toBe('id address');
  });

  it('needs a payment app for orders only; quotes, lists, balances and payouts are for every kind', () => {
    const ofPaymentApps = all.filter(([, { appKind }]) => appKind === 'PAYMENT').map(([name]) => name);
    expect(ofPaymentApps).toEqual(['create-order', 'pre-create', 'order-detail']);
    const ofQrApps = all.filter(([, { appKind }]) => appKind === 'QR_CODE').map(([name]) => name);
    expect(ofQrApps).toEqual(['create-qr-code']);
  });

  it('shows a trade_no as it really is', () => {
    const { trade_no: tradeNo, entrust_url: page } = endpoints['create-order'].exampleData;
    expect(tradeNo).toMatch(/^ord_[0-9a-hjkmnp-tv-z]{30}$/);
    expect(page.endsWith(`/${tradeNo}`)).toBe(true);
    expect([endpoints['order-detail'].exampleRequest.trade_no, events.PAYMENT.example.trade_no]).toEqual([
      tradeNo,
      tradeNo,
    ]);
  });

  it('has 23 different fiat names', () => {
    expect(fiatNames).toHaveLength(23);
    expect(new Set(fiatNames).size).toBe(23);
  });

  it('has these codes for ever', () => {
    expect(codes.map((entry) => entry.code)).toEqual([
      0, 10002, 10003, 10004, 10006, 10007, 10008, 20003, 20009,
    ]);
    expect(new Set(codes.map((entry) => entry.name)).size).toBe(codes.length);
  });

  it('leaves redirect_url out of old answers and writes currency_id as text, also inside lists', () => {
    const detail = toLegacyData(endpoints['order-detail'].exampleData);
    expect(detail).not.toHaveProperty('redirect_url');
    expect(toLegacyData(endpoints['token-list'].exampleData)).toMatchObject([
      { currency_id: '1000' },
      { currency_id: '1001' },
    ]);
  });
});
