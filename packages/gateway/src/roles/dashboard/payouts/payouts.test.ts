// Payouts on the dashboard over HTTP and PostgreSQL with its walls up: made, listed, approved by a second person, cancelled.
import { generateKeyPairSync, sign } from 'node:crypto';
import { approvalBytes } from '@ducat/core/signing/approval-bytes';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { realWorld } from '../../../runtime/world.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const mine = { merchant_id: 'mer_1' };
const changed = { status: 409, body: { code: 'changed' } };

const approvers = new Map<string, string>();
let shop: DashboardShop;
let appId = '';
let paidOrder = '';
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'), { approvers });
  appId = shop.api.payment.appId;
  paidOrder = await shop.orderPaid('1042', '25.5', 25_500_000n);
});
afterAll(() => shop?.close());

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** What a browser signs and sends, whatever became of the payout. */
async function signedBy(approver: string, tradeNo: string) {
  const which = { ...mine, trade_no: tradeNo, approver };
  const { signed, bytes: shown, bytes_hash } = await shop.ask('payouts.approval', { ...which, hours: 24 });
  approvers.set(approver, publicKey.export({ type: 'spki', format: 'der' }).toString('hex', 12));
  const bytes = approvalBytes({
    kind: 'payout',
    payoutId: signed.payout_id,
    chainId: signed.chain_id,
    contract: signed.contract,
    to: signed.to,
    baseUnits: BigInt(signed.base_units),
    feeCap: BigInt(signed.fee_cap),
    expiry: signed.expiry,
    approver: signed.approver,
  });
  expect(Buffer.from(bytes).toString('hex')).toBe(shown);
  const signature = sign(null, bytes, privateKey).toString('hex');
  return { ...which, until: signed.expiry, fee_cap: signed.fee_cap, bytes_hash, signature };
}

describe('a payout', () => {
  const wish = () => ({ ...mine, app_id: appId, currency_id: 1001, amount: '5', to_address: TO });

  let made = '';

  it('is quoted, and made once at the cost that was shown', async () => {
    const app = (await shop.ask('apps.read', { ...mine, app_id: appId }))['app'];
    const rules = { ...app.payout_rules, approval_above_usd: '1' };
    const stricter = { ...mine, app_id: appId, version: app.version, payout_rules: rules };
    await shop.ask('apps.change-payout-rules', stricter);
    expect(await shop.owner.call('apps.change-payout-rules', stricter)).toMatchObject(changed);

    const quoted = await shop.ask('payouts.quote', wish(), shop.finance);
    expect(quoted).toMatchObject({ receipt: '5', fee_mode: 'on-top', needs_approval: true, refusal: null });
    expect(quoted.now).toBe(Math.floor(shop.api.world.nowMs() / 1_000));
    const cost = String(Number(quoted['service_charge']) + Number(quoted['gas']));
    const request = { ...wish(), request_id: 'click-0000000000001', most_cost: cost } as const;
    const shown = { ...request, fee_mode: 'on-top' } as const;
    for (const other of [{ ...shown, most_cost: '0.000001' }, { ...request, fee_mode: 'deducted' } as const])
      expect(await shop.finance.call('payouts.create', other)).toMatchObject(changed);
    const { payout } = await shop.ask('payouts.create', shown, shop.finance);
    expect((await shop.ask('payouts.create', shown, shop.finance)).payout).toEqual(payout);
    expect(payout).toMatchObject({
      status: 'PROGRESS',
      asked_by: { person_id: shop.finance.personId },
      can_cancel: true,
    });
    expect((await shop.ask('payouts.list', { ...mine, to_approve: true }))['payouts']).toHaveLength(1);
    const [from, day] = [payout.create_time, 86_400];
    for (const [filter, rows] of [
      [{ currency_id: 1001, app_id: appId, from, to: from + 1, to_approve: true }, 1],
      [{ currency_id: 1001, from, to: from + 1 }, 1],
      [{ currency_id: 1000 }, 0],
      [{ to: from }, 0],
      [{ from: from + 1, to: from + day }, 0],
    ] as const)
      expect(
        (await shop.ask('payouts.list', { ...mine, ...filter })).payouts,
        JSON.stringify(filter),
      ).toHaveLength(rows);
    expect(await shop.owner.call('payouts.list', { ...mine, app_id: 'app_other' })).toMatchObject({
      status: 404,
    });
    expect((await shop.ask('payouts.read', { ...mine, trade_no: payout.trade_no }))['waits_for']).toBe(
      'approval',
    );
    made = payout.trade_no;
  });

  it('is known by the request that made it, in its app alone', async () => {
    const request_ids = ['click-0000000000001', 'click-0000000000009'];
    const which = { ...mine, app_id: appId, request_ids };
    expect((await shop.ask('payouts.made', which, shop.finance)).made).toEqual([
      { request_id: 'click-0000000000001', trade_no: made, status: 'PROGRESS' },
    ]);
    const { appId: till } = await shop.api.addApp('QR_CODE');
    expect((await shop.ask('payouts.made', { ...which, app_id: till }, shop.finance)).made).toEqual([]);
    expect(await shop.finance.call('payouts.made', { ...which, app_id: 'app_other' })).toMatchObject({
      status: 404,
    });
  });

  it('is approved by another person, who signs exactly what is shown', async () => {
    const approval = await signedBy('olga', made);
    // hits mark: approver-is-another-person
    const byAsker = await shop.finance.call('payouts.approve', approval);
    expect(byAsker).toMatchObject({ status: 403, body: { code: 'not-permitted' } });
    const [other, forged] = [{ fee_cap: `${approval.fee_cap}0` }, { signature: 'ab'.repeat(64) }];
    expect(await shop.owner.call('payouts.approve', { ...approval, ...other })).toMatchObject(changed);
    expect((await shop.owner.call('payouts.approve', { ...approval, ...forged })).status).toBe(400);
    await shop.ask('payouts.approve', approval);
    const { timeline, waits_for: waits } = await shop.ask('payouts.read', { ...mine, trade_no: made });
    expect(timeline.map(({ kind }) => kind)).toEqual(['created', 'approved', 'ledger']);
    expect(waits).toBe('payer');
  });

  it('is declined by the second person with a reason, once, and not where it is decided', async () => {
    const wanted = { ...wish(), most_cost: '9', fee_mode: 'on-top' as const };
    const request = (click: string, amount: string) => ({ ...wanted, amount, request_id: click });
    const { payout } = await shop.ask('payouts.create', request('click-0000000000003', '2'), shop.finance);
    const declined = { ...mine, trade_no: payout.trade_no, reason: 'nobody knows this supplier' };
    // hits mark: who-declines-is-another-person
    expect(await shop.finance.call('payouts.decline', declined)).toMatchObject({ status: 403 });
    expect((await shop.ask('payouts.decline', declined)).payout.status).toBe('CANCEL');
    expect(await shop.owner.call('payouts.decline', declined)).toMatchObject(changed);
    const late = await signedBy('olga', payout.trade_no);
    expect(await shop.owner.call('payouts.approve', late)).toMatchObject(changed);
    const { timeline } = await shop.ask('payouts.read', { ...mine, trade_no: payout.trade_no });
    expect(timeline).toContainEqual(
      expect.objectContaining({
        kind: 'ended',
        declined: true,
        by: shop.owner.email,
        reason: declined.reason,
      }),
    );
    const [entry] = (await shop.ask('audit-log.list', mine)).entries;
    expect(entry).toMatchObject({
      operation: 'payouts.decline',
      subject: payout.trade_no,
      detail: declined.reason,
    });
    // The one of above was approved, and one of little worth asks nobody.
    expect(await shop.owner.call('payouts.decline', { ...declined, trade_no: made })).toMatchObject(changed);
    const { payout: small } = await shop.ask(
      'payouts.create',
      request('click-0000000000004', '0.5'),
      shop.finance,
    );
    const which = { ...mine, trade_no: small.trade_no };
    expect(await shop.owner.call('payouts.decline', { ...which, reason: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    await shop.ask('payouts.cancel', { ...which, reason: 'not needed' });
  });

  it('waits for another approval where the signer takes none that it has', async () => {
    const write = (sql: string) => shop.api.database.transact((tx) => tx.write(sql, [made]));
    const waitsFor = async () => (await shop.ask('payouts.read', { ...mine, trade_no: made })).waits_for;
    await write('UPDATE payouts SET claimed = true WHERE trade_no = $1');
    await write(`WITH s AS (INSERT INTO senders (chain, address_id)
        SELECT p.chain, (SELECT min(address_id) FROM addresses WHERE app_id = p.app_id) FROM payouts p
        WHERE p.trade_no = $1 RETURNING sender_id, chain)
      INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
        to_address, units, fee_cap, state, next_at_ms, created_at_ms)
      SELECT 'out_refused', s.sender_id, s.chain, 'payout', p.trade_no, '{}', p.currency_id, p.to_address, p.receipt, 1,
        'waiting', 0, 0 FROM s, payouts p WHERE p.trade_no = $1`);
    expect(await waitsFor()).toBe(null);
    await write(`UPDATE outgoing_transactions SET trouble = 'the signer refuses: approval-unknown', trouble_since_ms = 0
      WHERE subject_id = $1`);
    expect(await waitsFor()).toBe('approval');
    // The signer is asked again from time to time. A dialog that is open stays open meanwhile.
    const turn = (state: string) =>
      write(`UPDATE outgoing_transactions SET state = '${state}' WHERE subject_id = $1`);
    await turn('prepared');
    expect(await waitsFor()).toBe('approval');
    const anew = await signedBy('olga', made);
    expect(await shop.owner.call('payouts.approve', anew)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: expect.stringContaining('try again') },
    });
    const approving = shop.owner.call('payouts.approve', anew);
    await realWorld.sleep(100);
    await turn('waiting');
    expect(await approving).toMatchObject({ status: 200 });
    await write(`UPDATE outgoing_transactions SET trouble = 'the signer refuses: approval-unknown', trouble_since_ms = 0
      WHERE subject_id = $1`);
    await turn('signed');
    expect(await waitsFor()).toBe(null);
    await write('DELETE FROM outgoing_transactions WHERE subject_id = $1');
    await write('UPDATE payouts SET claimed = false WHERE trade_no = $1');
  });

  it('is cancelled once, and all of it is free again', async () => {
    const cancelled = { ...mine, trade_no: made, reason: 'not needed' };
    await shop.ask('payouts.cancel', cancelled, shop.finance);
    expect(await shop.finance.call('payouts.cancel', cancelled)).toMatchObject(changed);
    expect(await shop.owner.call('payouts.approve', await signedBy('olga', made))).toMatchObject(changed);
    const { balances } = await shop.ask('balances.read', mine);
    expect(balances).toContainEqual(
      expect.objectContaining({ currency_id: 1001, operable: '25.49235', bound_by_payouts: '0' }),
    );
    const { postings } = await shop.ask('balances.statement', { ...mine, app_id: appId, currency_id: 1001 });
    expect(postings.map(({ fact }) => fact)).toEqual([
      ...Array.from({ length: 12 }, () => expect.stringMatching(/^re(lease|servation)$/)),
      'deposit',
    ]);
  });

  it('is not approved any more once it is paid', async () => {
    await shop.api.database.transact((tx) =>
      tx.write(
        `UPDATE payouts SET status = 'PAID', start_time = 0, end_tx_id = '0xend', ended_by = NULL, end_reason = NULL
         WHERE trade_no = $1`,
        [made],
      ),
    );
    expect(await shop.owner.call('payouts.approve', await signedBy('olga', made))).toMatchObject(changed);
  });
});

describe('a refund of a paid order', () => {
  it('is a payout bound to its order, made once, at most of what the order collected, and each page shows the other', async () => {
    const tradeNo = await shop.orderPaid('1043', '30', 30_000_000n);
    const readOrder = () => shop.ask('orders.read', { ...mine, trade_no: tradeNo });
    expect((await readOrder()).order.refundable).toBe('30');
    const wanted = { ...mine, app_id: appId, currency_id: 1001, amount: '20', to_address: TO };
    const quote = (amount: string, refund_of = tradeNo) =>
      shop.ask('payouts.quote', { ...wanted, amount, refund_of }, shop.finance);
    expect((await quote('30.000001')).refusal).toMatchObject({ field: 'amount' });
    const quoted = await quote('20');
    expect(quoted.refusal).toBeNull();
    const request = {
      ...wanted,
      refund: { trade_no: tradeNo, reason: 'came back by post' },
      request_id: 'click-refund-000001',
      most_cost: String(Number(quoted.service_charge) + Number(quoted.gas)),
      fee_mode: quoted.fee_mode,
    };
    const send = (change: object = {}) => shop.finance.call('payouts.create', { ...request, ...change });
    const [one, other] = await Promise.all([send(), send()]);
    expect(one.body).toEqual(other.body);
    const { payout } = await shop.ask('payouts.create', request, shop.finance);
    // The same click for another order is another thing.
    const twisted = await send({ refund: { ...request.refund, trade_no: paidOrder } });
    expect(twisted).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const tooMuch = await send({ request_id: 'click-refund-000002', amount: '10.000001' });
    expect(tooMuch).toMatchObject({ status: 400, body: { field: 'amount' } });

    const { order, timeline } = await readOrder();
    expect(order.refundable).toBe('10');
    expect(timeline).toContainEqual(
      expect.objectContaining({
        kind: 'refund',
        trade_no: payout.trade_no,
        status: 'PROGRESS',
        amount: '20',
        by: shop.finance.email,
        reason: 'came back by post',
      }),
    );
    const { refund } = await shop.ask('payouts.read', { ...mine, trade_no: payout.trade_no });
    expect(refund).toMatchObject({ order_trade_no: tradeNo, reason: 'came back by post' });
    const [entry] = (await shop.ask('audit-log.list', mine)).entries;
    expect(entry).toMatchObject({ subject: payout.trade_no, detail: expect.stringContaining(tradeNo) });
    await shop.ask('payouts.cancel', { ...mine, trade_no: payout.trade_no, reason: 'not needed' });
    expect((await readOrder()).order.refundable).toBe('30');
  });

  it('is refused for an order that is open, unknown, or of another app', async () => {
    const { tradeNo: open } = await shop.orderPlaced('open', 1001, '2');
    const wanted = { ...mine, app_id: appId, currency_id: 1001, amount: '1', to_address: TO };
    const rest = { request_id: 'click-refund-000003', most_cost: '9', fee_mode: 'on-top' as const };
    const create = (trade_no: string, change: object = {}) =>
      shop.finance.call('payouts.create', {
        ...wanted,
        ...rest,
        refund: { trade_no, reason: 'x' },
        ...change,
      });
    expect(await create(open)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await shop.ask('payouts.quote', { ...wanted, refund_of: open })).refusal).toMatchObject({
      code: 'payout-conflict',
    });
    expect((await shop.ask('orders.read', { ...mine, trade_no: open })).order.refundable).toBe('0');
    expect(await create('ord_none')).toMatchObject({ status: 404, body: { code: 'unknown' } });
    const { appId: till } = await shop.api.addApp('QR_CODE');
    expect(
      (await shop.finance.call('payouts.quote', { ...wanted, app_id: till, refund_of: paidOrder })).status,
    ).toBe(404);
  });
});
