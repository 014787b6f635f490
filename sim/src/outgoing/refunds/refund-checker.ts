// Refunds: never more of an order than it collected, and each receipt once.
import { referenceOf } from '../../auditor.ts';
import type { Findings } from '../../checkers/findings.ts';
import type { SimChain } from '../../nodes/sim-chain.ts';
import type { PayoutRow } from '../payout-books.ts';
import type { RefundableRow, RefundRow } from './refund-books.ts';

/** A receipt that a person asked to send back. */
export interface ReceiptRefund {
  /** The number of the payout that the refund becomes, if it is made. */
  readonly tradeNo: string;
  readonly appId: string;
  readonly receipt: RefundableRow;
  readonly units: bigint;
  readonly keep: bigint;
  readonly toAddress: string;
  readonly currencyId: number;
}

/**
 * Called after a commit. In a run no transfer of a failed payout ever arrives, so cancelled and failed payouts send
 * nothing back.
 */
export function checkRefunds(refunds: readonly RefundRow[], findings: Findings): void {
  const standing = refunds.filter(({ status }) => status !== 'CANCEL' && status !== 'FAIL');
  const ofOrder = new Map<string, bigint>();
  const receipts = new Set<string>();
  for (const { trade_no, order_trade_no: order, collected, amount, receipt } of standing) {
    if (receipt !== null) {
      findings.expect(!receipts.has(receipt), '18 a receipt goes back once', `${trade_no} sends ${receipt}`);
      receipts.add(receipt);
    }
    if (order === null) continue;
    const sentBack = (ofOrder.get(order) ?? 0n) + BigInt(amount);
    ofOrder.set(order, sentBack);
    const message = `${sentBack} of ${order} go back, ${collected} were collected`;
    findings.expect(sentBack <= BigInt(collected ?? 0), '18 no more goes back than came', message);
  }
}

/** At the end: the payout is the receipt that the chain shows, all of it, less what was to be kept. */
export function checkReceiptRefund(
  payout: PayoutRow,
  asked: ReceiptRefund,
  chains: readonly SimChain[],
  findings: Findings,
): void {
  const { chain: name, tx_id: txId, position } = asked.receipt;
  const chain = chains.find(({ definition }) => definition.name === name);
  const came = chain
    ?.blocks()
    .flatMap(({ transfers }) => transfers)
    .find((one) => one.txId === txId && one.position === position);
  const units = came?.units ?? 0n;
  const wanted = [
    asked.appId,
    asked.toAddress,
    came?.currencyId,
    units,
    0n,
    asked.keep,
    units - asked.keep,
    units,
  ];
  const { app_id, to_address, currency_id, amount, service_charge, gas, receipt, reserved } = payout;
  const booked = [app_id, to_address, currency_id, amount, service_charge, gas, receipt, reserved];
  const reference = referenceOf({ chain: name, txId, position });
  const message = `${payout.trade_no} of ${reference} is ${booked.join(' ')} and must be ${wanted.join(' ')}`;
  findings.expect(booked.join(' ') === wanted.join(' '), '36 promised as asked', message);
}
