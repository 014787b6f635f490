// At the end: every payout has exactly its transfer and its event, and the books hold what was sent, moved and paid.
import { decimalText } from '../auditor.ts';
import type { AddressRow, EventRow, PostingRow } from '../checkers/books.ts';
import type { Findings } from '../checkers/findings.ts';
import type { SentTransaction, SimTransfer } from '../nodes/sim-block.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { PayoutRow } from './payout-books.ts';
import type { PayoutPlan } from './payout-plans.ts';
import { checkReceiptRefund, type ReceiptRefund } from './refunds/refund-checker.ts';

export interface PayoutEvidence {
  readonly chains: readonly SimChain[];
  readonly payoutPlans: readonly PayoutPlan[];
  readonly receiptRefunds: readonly ReceiptRefund[];
  readonly payouts: readonly PayoutRow[];
  readonly addresses: readonly AddressRow[];
  readonly postings: readonly PostingRow[];
  readonly events: readonly EventRow[];
  readonly findings: Findings;
}

/** The facts that are booked when money is received, which the auditor checks. */
export const ARRIVALS: ReadonlySet<string> = new Set(['deposit', 'unassigned-receipt', 'assignment']);

interface Left {
  readonly chain: SimChain;
  readonly transaction: SentTransaction;
  readonly transfer: SimTransfer;
}

export function checkPayouts(evidence: PayoutEvidence): void {
  const left = leftIn(evidence);
  for (const payout of evidence.payouts) {
    const own = left.filter(({ transaction }) => payoutIn(transaction) === payout.trade_no);
    checkTransfers(payout, own, evidence.findings);
    const sentBack = evidence.receiptRefunds.find(({ tradeNo }) => tradeNo === payout.trade_no);
    if (sentBack === undefined) checkTerms(payout, evidence);
    else checkReceiptRefund(payout, sentBack, evidence.chains, evidence.findings);
    checkEvent(payout, evidence);
  }
  const known = new Set(evidence.payouts.map(({ trade_no }) => trade_no));
  for (const { transaction, transfer } of left) {
    const message = `${transfer.units} of ${transfer.currencyId} left to ${transfer.to} in ${transfer.txId}`;
    evidence.findings.expect(known.has(payoutIn(transaction) ?? ''), '31 only payouts leave', message);
  }
  checkEntries(evidence);
}

/** Every transfer from an address of ours to a stranger in the canonical blocks. */
function leftIn({ chains, addresses }: PayoutEvidence): readonly Left[] {
  return chains.flatMap((chain) => {
    const own = ownIn(chain, addresses);
    return chain.blocks().flatMap(({ transactions, transfers }) =>
      transfers
        .filter(({ from, to }) => own.has(from) && !own.has(to))
        .flatMap((transfer) => {
          const transaction = transactions.find(({ txId }) => txId === transfer.txId);
          return transaction === undefined ? [] : [{ chain, transaction, transfer }];
        }),
    );
  });
}

function ownIn({ definition }: SimChain, addresses: readonly AddressRow[]): ReadonlyMap<string, AddressRow> {
  const ofFamily = addresses.filter(({ family }) => family === definition.family);
  return new Map(ofFamily.map((row) => [row.address, row]));
}

function payoutIn({ outgoing }: SentTransaction): string | null {
  return outgoing?.intent.subject.kind === 'payout' ? outgoing.intent.subject.id : null;
}

/** A payout that is PAID has one transfer, exactly as promised. Any other has none. */
function checkTransfers(payout: PayoutRow, own: readonly Left[], findings: Findings): void {
  const { trade_no: name, status, chain, currency_id, to_address, receipt } = payout;
  const wanted = status === 'PAID' ? 1 : 0;
  findings.expect(
    own.length === wanted,
    '31 one transfer a payout',
    `${name} is ${status}, ${own.length} transfers`,
  );
  for (const { transfer, chain: where } of own) {
    const { to, currencyId, units } = transfer;
    const moved = `${units} of ${currencyId} to ${to} on ${where.definition.name}`;
    const promised = `${receipt} of ${currency_id} to ${to_address} on ${chain}`;
    findings.expect(
      moved === promised,
      '36 exactly as promised',
      `${name} moved ${moved}, promised ${promised}`,
    );
  }
}

/** The promise is what the merchant asked for, with the costs added or deducted. */
function checkTerms(payout: PayoutRow, { payoutPlans, findings }: PayoutEvidence): void {
  const {
    trade_no: name,
    app_id,
    idempotency_key: key,
    amount,
    service_charge,
    gas,
    receipt,
    reserved,
  } = payout;
  const plan = payoutPlans.find((one) => one.key === key && one.app.appId === app_id);
  if (plan === undefined) return findings.add('31 one payout a call', `nobody asked for ${name}`);
  const { currency, app } = plan;
  const asked = BigInt(amount);
  const charge = (asked * BigInt(app.payoutFeePpm ?? 0)) / 1_000_000n;
  const cost = charge + BigInt(gas);
  const isDeducted = app.feesDeducted === true;
  const wanted = [
    plan.amount,
    plan.toAddress,
    currency.currencyId,
    charge,
    isDeducted ? asked - cost : asked,
    isDeducted ? asked : asked + cost,
  ].join(' ');
  const shown = decimalText(asked, currency.decimals);
  const booked = [shown, payout.to_address, payout.currency_id, service_charge, receipt, reserved].join(' ');
  findings.expect(wanted === booked, '36 promised as asked', `${name} is ${booked} and must be ${wanted}`);
  const answered = plan.answer?.trade_no ?? name;
  findings.expect(
    answered === name,
    '31 one payout a call',
    `${key} was answered ${answered} and is ${name}`,
  );
}

/** A payout that a chain ended has one event. A payout that a person cancelled has none. */
function checkEvent(payout: PayoutRow, { events, chains, findings }: PayoutEvidence): void {
  const {
    trade_no: name,
    app_id,
    chain: chainName,
    currency_id,
    status,
    amount,
    end_tx_id,
    end_time,
  } = payout;
  const own = events.filter(({ trade_no }) => trade_no === name);
  const wanted = status === 'PAID' || status === 'FAIL' ? 1 : 0;
  findings.expect(
    own.length === wanted,
    '26 one final event',
    `${name} is ${status} and has ${own.length} events`,
  );
  const [event] = own;
  const chain = chains.find(({ definition }) => definition.name === chainName);
  const currency = chain?.definition.currencies.find((one) => one.currencyId === currency_id);
  if (event === undefined || chain === undefined || currency === undefined) return;
  const block = chain
    .blocks()
    .find(({ transactions }) => transactions.some(({ txId }) => txId === end_tx_id));
  const body = {
    appid: app_id,
    chain: chainName,
    chain_id: chain.definition.series === 'ETH' ? chain.definition.chainId : 0,
    contract: currency.contract ?? currency.symbol,
    currency_id,
    status,
    time: block?.header.time ?? -1,
    token_amount: decimalText(BigInt(amount), currency.decimals),
    trade_no: name,
    txid: end_tx_id,
    type: 'TRANSFER',
  };
  const text = JSON.stringify(body);
  findings.expect(event.body === text, '25 events say what happened', `${event.body} must be ${text}`);
  findings.expect(
    end_time === body.time,
    '36 ended by its block',
    `${name} ended at ${end_time}, not ${body.time}`,
  );
}

/** All entries but those of received money, by reference: each is as it must be, and there are no others. */
function checkEntries(evidence: PayoutEvidence): void {
  const { postings, findings } = evidence;
  const wanted = wantedEntries(evidence);
  const booked = new Map<string, string[]>();
  for (const { fact, reference, kind, owner, currency_id, units } of postings) {
    if (ARRIVALS.has(fact)) continue;
    const key = `${fact} ${reference}`;
    booked.set(key, [...(booked.get(key) ?? []), `${kind} ${owner} ${currency_id} ${units}`]);
  }
  for (const key of new Set([...wanted.keys(), ...booked.keys()])) {
    const [must, is] = [wanted, booked].map((entries) => (entries.get(key) ?? []).toSorted().join(', '));
    findings.expect(
      must === is,
      '6 and 7 booked as it left',
      `${key} is booked as "${is}" and must be "${must}"`,
    );
  }
}

function wantedEntries(evidence: PayoutEvidence): ReadonlyMap<string, readonly string[]> {
  const wanted = new Map<string, readonly string[]>();
  for (const chain of evidence.chains) {
    const own = ownIn(chain, evidence.addresses);
    for (const { transactions, transfers } of chain.blocks()) {
      for (const one of transfers) addMove(wanted, chain, own, one);
      for (const one of transactions) addFee(wanted, chain, own, one);
    }
  }
  for (const payout of evidence.payouts) addBookings(wanted, payout);
  return wanted;
}

type Wanted = Map<string, readonly string[]>;

/** One line of an entry; nothing where it is zero. */
function line(account: string, currencyId: number, units: bigint): readonly string[] {
  return units === 0n ? [] : [`${account} ${currencyId} ${units}`];
}

function custody({ definition }: SimChain, { address, purpose }: AddressRow): string {
  return `custody ${definition.name}${purpose === 'wallet' ? `/${address}` : ''}`;
}

function addMove(
  wanted: Wanted,
  chain: SimChain,
  own: ReadonlyMap<string, AddressRow>,
  { txId, position, from, to, currencyId, units }: SimTransfer,
): void {
  const [source, target] = [own.get(from), own.get(to)];
  const watched = chain.definition.currencies.some((one) => one.currencyId === currencyId);
  if (source === undefined || units === 0n || !watched) return;
  const reference = `${chain.definition.name}/${txId}/${position}`;
  const left = line(custody(chain, source), currencyId, units);
  if (target !== undefined) {
    wanted.set(`move ${reference}`, [...left, ...line(custody(chain, target), currencyId, -units)]);
    return;
  }
  wanted.set(`sent ${reference}`, [...left, ...line(`sent ${chain.definition.name}`, currencyId, -units)]);
}

function addFee(
  wanted: Wanted,
  chain: SimChain,
  own: ReadonlyMap<string, AddressRow>,
  { txId, outgoing }: SentTransaction,
): void {
  const fee = outgoing?.fee ?? null;
  const payer = own.get(fee?.from ?? '');
  if (fee === null || payer === undefined) return;
  wanted.set(`network-fee ${chain.definition.name}/${txId}/fee`, [
    ...line(custody(chain, payer), fee.currencyId, fee.units),
    ...line('network-fee gateway', fee.currencyId, -fee.units),
  ]);
}

function addBookings(wanted: Wanted, payout: PayoutRow): void {
  const { trade_no: name, app_id, chain, currency_id: id, status } = payout;
  const [receipt, charge] = [BigInt(payout.receipt), BigInt(payout.service_charge)];
  const [gas, reserved] = [BigInt(payout.gas), BigInt(payout.reserved)];
  const [source, frozen] = [`${payout.source} ${app_id}`, `frozen ${app_id}`];
  wanted.set(`reservation ${name}`, [...line(source, id, -reserved), ...line(frozen, id, reserved)]);
  if (status === 'PAID') {
    wanted.set(`payout ${name}`, [
      ...line(frozen, id, -reserved),
      ...line(`sent ${chain}`, id, receipt),
      ...line('fee gateway', id, charge),
      ...line('network-charge gateway', id, gas),
    ]);
  }
  if (status === 'FAIL' || status === 'CANCEL') {
    wanted.set(`release ${name}`, [...line(frozen, id, -reserved), ...line(source, id, reserved)]);
  }
}
