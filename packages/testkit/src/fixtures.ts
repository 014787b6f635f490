// Rows that most flow tests need: a merchant, an app with a filled pool, an order, a block.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { DEFAULT_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { amountOf, unitsOf, zero } from '@ducat/core/money/amount';
import type { EncodePaymentEvent, EncodeTransferEvent } from '@ducat/core/webhook/event';
import type { EncodeQrPaymentEvent } from '@ducat/core/webhook/qr-payment-event';
import { type AcceptedBlocks, acceptBlocks, type ReadBlock } from '@ducat/gateway/flows/blocks/accept-blocks';
import type { Settled } from '@ducat/gateway/flows/blocks/settle';
import { type SettledFinal, settleFinal } from '@ducat/gateway/flows/blocks/settle-final';
import { createQrCode } from '@ducat/gateway/flows/qr/create-qr-code';
import { placeOrders } from '@ducat/gateway/flows/orders/place-orders';
import { fillAddressPool } from '@ducat/gateway/flows/addresses/fill-address-pool';
import type { HeldLease } from '@ducat/gateway/db/tables/leases';
import type { NewOrder } from '@ducat/gateway/db/tables/orders/new-orders';
import type { OrderDetail } from '@ducat/gateway/db/tables/orders/orders';
import type { NewQrCode, QrCodeDetail } from '@ducat/gateway/db/tables/qr/qr-codes';
import type { Database } from '@ducat/gateway/db/postgres/tx';

export const USDT = 1001;
/** The lease under which flow tests watch ETH, once `insertApp` has taken it. */
export const TEST_LEASE: HeldLease = { token: 1, holder: 'test' };
export const START_TIME = 1_700_000_000;

/** Derives addresses that are easy to read in a test: the number of the app, then the index, each in twenty digits. */
export function plainAddress(accountPublicKey: string, index: number): string {
  return `0x${accountPublicKey.replace(/\D/g, '').padStart(20, '0')}${index.toString(16).padStart(20, '0')}`;
}

/** A merchant with one app (`account` distinguishes apps) whose pool holds `addresses` free addresses. */
export async function insertApp(
  database: Database,
  {
    appId = 'app_1',
    account = 1,
    addresses = 20,
    feePpm = Number(DEFAULT_DEPOSIT_FEE_PPM),
    callbackUrl = 'http://shop.test/hook',
  } = {},
): Promise<string> {
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ('watch-ETH', $1, $2, 0, 0)
       ON CONFLICT DO NOTHING`,
      [TEST_LEASE.token, TEST_LEASE.holder],
    );
    await tx.write('INSERT INTO merchants VALUES ($1, $2, $3, 0)', [`mer_${account}`, 'Shop', feePpm]);
    await tx.write(
      `INSERT INTO apps (app_id, merchant_id, name, kind, account, callback_url, sealed_key, created_at_ms)
       VALUES ($1, $2, 'Shop', 'PAYMENT', $3, $4, '\\x00', 0)`,
      [appId, `mer_${account}`, account, callbackUrl],
    );
    await tx.write('INSERT INTO account_keys VALUES ($1, $2, $3)', [appId, 'evm', `key${account}`]);
  });
  await database.transact((tx) =>
    fillAddressPool(tx, { appId, family: 'evm', derive: plainAddress, target: addresses }),
  );
  return appId;
}

type TestOrderChange = Partial<NewOrder> & { readonly units?: bigint };

/** An order for 10 USDT (6 decimals) that runs for half an hour from START_TIME unless said otherwise. */
export function testOrder(change: TestOrderChange = {}): NewOrder {
  const { units = 10_000_000n, ...rest } = change;
  const currencyId = rest.currencyId ?? USDT;
  return {
    tradeNo: 'ord_1',
    appId: 'app_1',
    outTradeNo: rest.tradeNo ?? 'ord_1',
    inputHash: 'hash',
    mode: 'NATIVE',
    chain: 'ETH',
    family: 'evm',
    currencyId,
    terms: { due: amountOf(currencyId, units), collected: zero(currencyId), timeExpire: START_TIME + 1800 },
    tolerancePpm: 0n,
    fiatName: null,
    fiatAmount: null,
    quote: null,
    callbackUrl: null,
    redirectUrl: null,
    createTime: START_TIME,
    ...rest,
  };
}

/** Inserts a `testOrder`. */
export async function insertTestOrder(
  database: Database,
  change: TestOrderChange = {},
): Promise<OrderDetail> {
  const wanted = { order: testOrder(change), hosted: null };
  const [placed] = await placeOrders(database.transact, database.reader, [wanted]);
  if (placed === undefined || !('order' in placed)) {
    throw new Error(`the test order was not written: ${placed?.outcome ?? 'no answer'}`);
  }
  return placed.order;
}

/** A QR code for USDT, made at START_TIME unless said otherwise. */
export async function insertQrCode(
  { transact, reader }: Database,
  change: Partial<NewQrCode> = {},
): Promise<QrCodeDetail> {
  const currencyId = change.currencyId ?? USDT;
  const code: NewQrCode = {
    appId: 'app_1',
    idempotencyKey: 'key:1',
    signature: 'signed',
    inputHash: 'hash',
    name: 'Counter 3',
    chain: 'ETH',
    family: 'evm',
    currencyId,
    defaultAmount: zero(currencyId),
    createTime: START_TIME,
    ...change,
  };
  const created = await createQrCode(transact, reader, code);
  if (!('qrCode' in created)) throw new Error(`no QR code: ${created.outcome}`);
  return created.qrCode;
}

/** The header of block `number` on a branch, on top of the same branch unless `parent` names another. */
export function headerAt(
  number: number,
  { branch = 'a', parent, time }: { branch?: string; parent?: string; time?: number } = {},
): BlockHeader {
  return {
    number,
    hash: `${branch}${number}`,
    parentHash: `${parent ?? branch}${number - 1}`,
    time: time ?? START_TIME + number,
  };
}

/** A transfer of USDT to an address in a block. */
export function transferTo(
  to: string,
  block: BlockHeader,
  change: Partial<Transfer> & { units?: bigint } = {},
): Transfer {
  const { units = 10_000_000n, ...rest } = change;
  return {
    chain: eth.name,
    txId: `tx-${to}-${block.number}`,
    position: 'log:0',
    from: '0xpayer',
    to,
    amount: amountOf(USDT, units),
    block,
    ...rest,
  };
}

export interface BookedBlock extends Partial<ReadBlock> {
  readonly header: BlockHeader;
  readonly final?: { readonly number: number; readonly hash: string } | null;
  readonly encode?: EncodePaymentEvent;
  readonly encodeQrPayment?: EncodeQrPaymentEvent;
  readonly lease?: HeldLease;
  readonly nowMs?: number;
}

/** The outcome of `bookBlock`: of the first flow that does not go through, else of both. */
export type BookedOutcome =
  | Exclude<AcceptedBlocks, { readonly outcome: 'accepted' }>
  | Exclude<SettledFinal, { readonly outcome: 'settled' }>
  | {
      readonly outcome: 'accepted';
      readonly seen: number;
      readonly settled: (Settled & { readonly isBehind: boolean }) | null;
    };

let booked = 0;

/** Accepts a block of ETH and settles what `final` covers, as the walk does in two transactions. */
export async function bookBlock(
  { transact }: Pick<Database, 'transact'>,
  {
    header,
    transfers = [],
    proposals = [],
    inclusions = [],
    isProven = true,
    final = null,
    ...more
  }: BookedBlock,
): Promise<BookedOutcome> {
  const common = { chain: eth, lease: TEST_LEASE, nowMs: header.time * 1000, ...more };
  const blocks = [{ header, transfers, proposals, inclusions, isProven }];
  const accepted = await transact((tx) => acceptBlocks(tx, { ...common, blocks }));
  if (accepted.outcome !== 'accepted') return accepted;
  if (final === null) return { ...accepted, settled: null };
  const input = { ...plainWriting, ...common, final };
  const done = await transact((tx) => settleFinal(tx, input));
  if (done.outcome !== 'settled') return done;
  return { ...accepted, settled: { ...done.settled, isBehind: done.isBehind } };
}

/** As `plainEncode`, for payouts. */
const plainEncodeTransfer: EncodeTransferEvent = (event, payout) =>
  JSON.stringify({ ...event, amount: unitsOf(payout.amount).toString() });

/** Event bodies that show what core decided, without the wire's words. */
export const plainEncode: EncodePaymentEvent = (event, order) =>
  JSON.stringify({
    tradeNo: event.tradeNo,
    status: event.status,
    collected: unitsOf(event.collected).toString(),
    due: unitsOf(order.due).toString(),
    txId: event.txId,
    time: event.time,
  });

/** As `plainEncode`, for a payment to a QR code. */
const plainEncodeQrPayment: EncodeQrPaymentEvent = ({ tradeNo, transfer: { txId, position, amount } }) =>
  JSON.stringify({ tradeNo, txId, position, units: unitsOf(amount).toString() });

/** How tests encode the events that settling writes. Each event gets a new id. */
export const plainWriting = {
  encode: plainEncode,
  encodeTransfer: plainEncodeTransfer,
  encodeQrPayment: plainEncodeQrPayment,
  newEventId: () => `evt_booked${++booked}`,
};
