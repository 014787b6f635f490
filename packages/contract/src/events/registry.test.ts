// Tests of the webhook events and of the promise about their delivery.
import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { webhookDelivery } from '../webhook-delivery.ts';
import { events } from './registry.ts';

describe.each(Object.entries(events))('event %s', (type, event) => {
  it('has an example that fits its schema, in the order of the schema', () => {
    expect(event.type).toBe(type);
    expect(Schema.Check(event.body, event.example)).toBe(true);
    expect(Object.keys(event.example)).toEqual(Object.keys(event.body.properties));
  });

  it('refuses unknown and missing fields', () => {
    expect(Schema.Check(event.body, { ...event.example, extra: 1 })).toBe(false);
    for (const field of Object.keys(event.example)) {
      const { [field as 'appid']: _gone, ...rest } = event.example;
      expect(Schema.Check(event.body, rest), field).toBe(false);
    }
  });
});

describe('the published interface', () => {
  it('has these PAYMENT fields in this order', () => {
    expect(Object.keys(events.PAYMENT.body.properties).join(' ')).toBe(
      'appid trade_no out_trade_no amount_collected amount token_amount chain chain_id type currency_id txid status time redirect_url',
    );
  });

  it('has these TRANSFER fields in this order', () => {
    expect(Object.keys(events.TRANSFER.body.properties).join(' ')).toBe(
      'appid chain chain_id contract currency_id status time token_amount trade_no txid type',
    );
  });

  it('has these QR_PAYMENT fields in this order', () => {
    expect(Object.keys(events.QR_PAYMENT.body.properties).join(' ')).toBe(
      'appid trade_no type chain chain_id contract txid currency_id from_address to_address token_amount status time',
    );
  });

  it('tries again 15 times within 24 h 3 min 50 s', () => {
    const total = webhookDelivery.retrySeconds.reduce<number>((sum, seconds) => sum + seconds, 0);
    expect(webhookDelivery.retrySeconds).toHaveLength(15);
    expect(total).toBe(24 * 3600 + 3 * 60 + 50);
  });
});
