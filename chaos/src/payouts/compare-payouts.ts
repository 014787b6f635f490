// Compares the payouts that were asked for with books, chains, webhooks and signatures; pure, so that it can be tested.
import { unitsOf } from '../reader/checks/check-answer.ts';
import type { Finding } from '../reader/finding.ts';
import { groupBy } from '../reader/group-by.ts';
import type { SentOnChain, SentTransfer } from './sent-on-chain.ts';

/** A payout that a merchant asked for, once or many times under one key. */
export interface AskedPayout {
  readonly appId: string;
  readonly key: string;
  readonly chain: string;
  readonly currencyId: number;
  readonly decimals: number;
  readonly to: string;
  /** The amount that was asked for, in base units. */
  readonly units: bigint;
  /** What the answer promised the recipient; null where no answer came. */
  readonly receipt: bigint | null;
  /** The number in the answer; null where no answer came. */
  readonly tradeNo: string | null;
  /** The payout was refused, and every request under this key was answered. */
  readonly isRefused: boolean;
}

export interface PayoutRow {
  readonly trade_no: string;
  readonly app_id: string;
  /** The key as the merchant chose it. */
  readonly idempotency_key: string;
  readonly chain: string;
  readonly currency_id: number;
  readonly to_address: string;
  readonly amount: string;
  readonly receipt: string;
  readonly status: string;
  readonly end_tx_id: string | null;
}

/** An event of type TRANSFER. */
export interface TransferEventRow {
  readonly event_id: string;
  readonly trade_no: string;
  readonly status: string;
  readonly body: string;
}

export interface PayoutReadings {
  readonly asked: readonly AskedPayout[];
  readonly payouts: readonly PayoutRow[];
  readonly events: readonly TransferEventRow[];
  readonly sent: SentOnChain;
  /** Every address that the gateway has a key of. */
  readonly ours: ReadonlySet<string>;
  /** Transactions that were signed, by the signer's log: their ids as `plainHash` writes them. */
  readonly signed: ReadonlySet<string>;
}

/** Everything that does not fit together; empty when all is well. Each recipient's address is of one payout. */
export function comparePayouts(readings: PayoutReadings): readonly Finding[] {
  const arrivals = groupBy(readings.sent.transfers, ({ chain, to }) => `${chain} ${to}`);
  const reached: Reached = ({ chain, to_address }) => arrivals.get(`${chain} ${to_address}`) ?? [];
  return [
    ...checkAsked(readings),
    ...readings.payouts.flatMap((row) => checkEnd(row, reached(row), readings.sent)),
    ...checkStrays(readings),
    ...checkEvents(readings, reached),
  ];
}

/** The transfers that reached a payout's recipient on its chain. */
type Reached = (row: PayoutRow) => readonly SentTransfer[];

/** A hash without the prefix 0x, which hashes of EVM chains have in some places and not in others. */
export function plainHash(hash: string): string {
  return hash.toLowerCase().replace(/^0x/, '');
}

function checkAsked({ asked, payouts }: PayoutReadings): readonly Finding[] {
  const findings: Finding[] = [];
  const rows = groupBy(payouts, ({ app_id, idempotency_key }) => `${app_id} ${idempotency_key}`);
  const keys = new Set(asked.map(({ appId, key }) => `${appId} ${key}`));
  for (const one of asked) {
    const say = (fault: Finding['fault'], what: string) =>
      void findings.push({ fault, what: `the payout ${one.key} ${what}` });
    const [row, ...more] = rows.get(`${one.appId} ${one.key}`) ?? [];
    if (more.length > 0) say('doubled', `stands in the books ${more.length + 1} times`);
    if (row === undefined) {
      if (one.tradeNo !== null) say('lost', `was acknowledged as ${one.tradeNo} and is not in the books`);
      continue;
    }
    if (one.isRefused) say('invented', `was refused and stands in the books as ${row.trade_no}`);
    if (one.tradeNo !== null && row.trade_no !== one.tradeNo)
      say('wrong', `was acknowledged as ${one.tradeNo} and is ${row.trade_no}`);
    const receipt = one.receipt ?? BigInt(row.receipt);
    const wanted = [one.chain, one.currencyId, one.to, one.units, receipt].join(' ');
    const kept = [row.chain, row.currency_id, row.to_address, row.amount, row.receipt].join(' ');
    if (wanted !== kept) say('wrong', `was asked as ${wanted} and is kept as ${kept}`);
  }
  for (const { app_id, idempotency_key, trade_no } of payouts)
    if (!keys.has(`${app_id} ${idempotency_key}`))
      findings.push({ fault: 'invented', what: `no merchant asked for the payout ${trade_no}` });
  return findings;
}

function checkEnd(
  row: PayoutRow,
  found: readonly SentTransfer[],
  { transactions }: SentOnChain,
): readonly Finding[] {
  const { trade_no: tradeNo, status, end_tx_id: endTxId } = row;
  const [transfer] = found;
  const of = `the payout ${tradeNo} of ${row.receipt} of ${row.currency_id}`;
  if (found.length > 1) return [{ fault: 'doubled', what: `${of} was paid ${found.length} times` }];
  if (status === 'PAID') {
    if (transfer === undefined)
      return [{ fault: 'lost', what: `${of} is PAID and nothing reached its recipient` }];
    const isExact = transfer.units === BigInt(row.receipt) && transfer.currencyId === row.currency_id;
    const isNamed = plainHash(endTxId ?? '') === plainHash(transfer.hash);
    if (isExact && isNamed) return [];
    const paid = `${transfer.units} of ${transfer.currencyId} by ${transfer.hash}`;
    return [{ fault: 'wrong', what: `${of}, ended by ${endTxId}, was paid ${paid}` }];
  }
  if (transfer !== undefined) return [{ fault: 'doubled', what: `${of} is ${status} and was paid` }];
  if (status !== 'FAIL') return [{ fault: 'lost', what: `${of} is ${status} at the end` }];
  const isProven = transactions.some(
    ({ hash, succeeded }) => !succeeded && plainHash(hash) === plainHash(endTxId ?? ''),
  );
  return isProven ? [] : [{ fault: 'wrong', what: `${of} is FAIL and nothing on its chain proves it` }];
}

function checkStrays({ payouts, sent, ours, signed }: PayoutReadings): readonly Finding[] {
  const findings: Finding[] = [];
  const recipients = new Set(payouts.map(({ chain, to_address }) => `${chain} ${to_address}`));
  for (const { chain, hash, to, units, currencyId } of sent.transfers)
    if (!ours.has(to) && !recipients.has(`${chain} ${to}`))
      findings.push({
        fault: 'invented',
        what: `${units} of ${currencyId} left for ${to} on ${chain} by ${hash}, for no payout`,
      });
  for (const { chain, hash } of [...sent.transactions, ...sent.transfers])
    if (!signed.has(plainHash(hash)))
      findings.push({ fault: 'invented', what: `${hash} on ${chain} is not in the signer's log` });
  return findings;
}

function checkEvents({ asked, payouts, events }: PayoutReadings, reached: Reached): readonly Finding[] {
  const findings: Finding[] = [];
  const byPayout = new Map(groupBy(events, ({ trade_no }) => trade_no));
  const decimals = new Map(asked.map((one) => [one.currencyId, one.decimals]));
  for (const row of payouts) {
    const { trade_no: tradeNo, status } = row;
    const own = byPayout.get(tradeNo) ?? [];
    byPayout.delete(tradeNo);
    const say = (fault: Finding['fault'], what: string) =>
      void findings.push({ fault, what: `the payout ${tradeNo}, which is ${status}, ${what}` });
    if (own.length === 0 && (status === 'PAID' || status === 'FAIL')) say('lost', 'has no webhook');
    if (own.length > 1) say('doubled', `has ${own.length} webhooks`);
    const [transfer] = reached(row);
    for (const { body } of own) {
      const fields: Readonly<Record<string, unknown>> = JSON.parse(body);
      const units = unitsOf(String(fields['token_amount']), decimals.get(row.currency_id) ?? 0);
      const wanted = [row.app_id, 'TRANSFER', status, row.chain, row.currency_id, tradeNo, row.amount];
      const said = [
        fields['appid'],
        fields['type'],
        fields['status'],
        fields['chain'],
        fields['currency_id'],
        fields['trade_no'],
        units,
      ];
      const hash = plainHash(transfer?.hash ?? row.end_tx_id ?? '');
      if (wanted.join(' ') !== said.join(' ') || plainHash(String(fields['txid'])) !== hash)
        say('wrong', `was reported to the merchant as ${body}`);
    }
  }
  for (const [tradeNo] of byPayout)
    findings.push({ fault: 'invented', what: `a webhook speaks of the payout ${tradeNo}, which is none` });
  return findings;
}
