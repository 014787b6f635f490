// Payouts and their outgoing transactions: checked after every commit, at every signature, and at every broadcast.
import type { Reader } from '@ducat/gateway/db/postgres/tx';
import type { SignedTransfer } from '@ducat/core/signing/sign-answer';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import { simAddress } from '../actors/setup.ts';
import type { Findings } from '../checkers/findings.ts';
import { ancestorAt, balanceAt } from '../nodes/sim-block.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import { holds } from './chain/ground.ts';
import { type OutgoingRows, type PayoutRow, readStored, type StoredBytes } from './payout-books.ts';
import type { ReadBytes } from './chain/pool.ts';
import { accountKeyOf } from './chain/sent-bytes.ts';
import { EnergyChecker } from './energy-checker.ts';
import { checkRefunds } from './refunds/refund-checker.ts';
import { SweepChecker } from './sweep-checker.ts';
import { pricesOf } from './chain/sending-rules.ts';
import { sweptIn } from './chain/sweeping.ts';

/** Which states may follow which. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  PROGRESS: ['PROGRESS', 'CONFIRMING-PROGRESS', 'CANCEL'],
  'CONFIRMING-PROGRESS': ['CONFIRMING-PROGRESS', 'PAID', 'FAIL'],
  PAID: ['PAID'],
  FAIL: ['FAIL'],
  CANCEL: ['CANCEL'],
};

export class PayoutChecker {
  readonly #chains: readonly SimChain[];
  readonly #findings: Findings;
  readonly #reader: Reader;
  #before: ReadonlyMap<string, string> = new Map();
  /** The subject of each nonce of each sender, and the nonce of each subject. */
  readonly #owners = new Map<string, string>();
  readonly #places = new Map<string, string>();
  /** The transactions that were signed for each subject on Tron. */
  readonly #signed = new Map<string, { readonly txId: string; readonly expirationMs: number }[]>();
  readonly #received = new Set<string>();
  readonly #energy: EnergyChecker;
  readonly #sweeps: SweepChecker;

  constructor(chains: readonly SimChain[], findings: Findings, reader: Reader) {
    this.#chains = chains;
    this.#findings = findings;
    this.#reader = reader;
    this.#energy = new EnergyChecker(findings);
    this.#sweeps = new SweepChecker(findings);
  }

  /** Called after a commit. */
  check({ payouts, variants, swept, refunds }: OutgoingRows): void {
    checkRefunds(refunds, this.#findings);
    this.#sweeps.check(swept, this.#chains);
    const signed = new Set(variants.filter(({ tx_id }) => tx_id !== null).map((one) => one.subject_id));
    for (const payout of payouts) {
      const { trade_no: tradeNo, status } = payout;
      const from = this.#before.get(tradeNo) ?? 'PROGRESS';
      const mayFollow = NEXT[from]?.includes(status) === true;
      this.#findings.expect(mayFollow, '36 status moves', `${tradeNo} went from ${from} to ${status}`);
      this.#checkBookings(payout);
      if (status === 'CANCEL')
        this.#findings.expect(
          !signed.has(tradeNo),
          '36 cancelled before it is signed',
          `${tradeNo} was signed`,
        );
      this.#findings.expect(
        !payout.declined || (payout.needs_approval && !payout.is_approved),
        '37 declined by who is asked',
        `${tradeNo} was declined`,
      );
      const isReady = !payout.needs_approval || payout.is_approved || !signed.has(tradeNo);
      this.#findings.expect(
        isReady,
        '37 approved before it is signed',
        `${tradeNo} waits for a second person`,
      );
      if (from !== status && status === 'PAID') this.#checkPaid(payout);
    }
    this.#before = new Map(payouts.map(({ trade_no, status }) => [trade_no, status]));
  }

  /** A payout is reserved once, and then either paid out or released, once. */
  #checkBookings({ trade_no, status, reservations, payouts, releases }: PayoutRow): void {
    const isBack = status === 'CANCEL' || status === 'FAIL';
    const wanted = `1 ${status === 'PAID' ? 1 : 0} ${isBack ? 1 : 0}`;
    this.#findings.expect(
      `${reservations} ${payouts} ${releases}` === wanted,
      '35 reserved and released once',
      `${trade_no} is ${status}: bound ${reservations}, paid ${payouts}, released ${releases} times`,
    );
  }

  #checkPaid({ trade_no, chain: name, end_tx_id: txId, to_address, receipt, currency_id }: PayoutRow): void {
    const chain = this.#chains.find(({ definition }) => definition.name === name);
    if (chain === undefined || txId === null) return;
    const final = ancestorAt(chain.tip, finalHeightOf(chain));
    let paid = 0;
    for (let block = final; block !== null; block = block.parent) {
      for (const one of block.transfers) {
        if (one.txId !== txId || one.to !== to_address || one.currencyId !== currency_id) continue;
        if (one.units === BigInt(receipt)) paid++;
      }
    }
    const message = `${trade_no} is PAID by ${txId}, which is ${paid} transfers of it in final blocks`;
    this.#findings.expect(paid === 1, '36 PAID by a final transfer', message);
  }

  /** Called when the signer has signed. */
  sign(intent: TransferIntent, { txId, from }: SignedTransfer): void {
    const subject = `${intent.subject.kind} ${intent.subject.id}`;
    this.#energy.sign(intent, txId);
    this.#sweeps.sign(intent);
    if (intent.family === 'evm') return this.#signOnEvm(subject, `${intent.chainId} ${from} ${intent.nonce}`);
    const chain = this.#chains.find(({ definition }) => definition.chainId === intent.chainId);
    const before = this.#signed.get(subject) ?? [];
    if (chain === undefined || before.some((one) => one.txId === txId)) return;
    const final = ancestorAt(chain.tip, chain.finalFloor);
    for (const one of before) {
      const isDead = (final?.header.time ?? 0) * 1_000 > one.expirationMs && !holds(final, one.txId);
      const message = `${subject} was signed anew while ${one.txId} could still be included`;
      this.#findings.expect(isDead, '34 rebuilt only after proof', message);
    }
    this.#signed.set(subject, [...before, { txId, expirationMs: intent.expirationMs }]);
  }

  #signOnEvm(subject: string, place: string): void {
    const owner = this.#owners.get(place) ?? subject;
    const own = this.#places.get(subject) ?? place;
    this.#findings.expect(
      owner === subject,
      '33 one nonce, one intent',
      `${place} is of ${owner} and ${subject}`,
    );
    this.#findings.expect(
      own === place,
      '31 one nonce a payout',
      `${subject} was signed at ${own} and ${place}`,
    );
    this.#owners.set(place, owner);
    this.#places.set(subject, own);
  }

  /** Called when a node gets bytes, before the node does anything with them. */
  async onBroadcast(chain: SimChain, bytes: string, sent: ReadBytes): Promise<void> {
    if (this.#received.has(sent.txId)) return;
    this.#received.add(sent.txId);
    const stored = await readStored(this.#reader, chain.definition.name, sent.txId);
    const isStored = stored?.bytes === bytes;
    this.#findings.expect(isStored, '32 stored before it is sent', `${sent.txId} was sent and is not stored`);
    if (stored === null) return;
    const { kind, id } = sent.intent.subject;
    const isOwn = stored.subject_kind === kind && stored.subject_id === id;
    this.#findings.expect(
      isOwn,
      '32 of one payout',
      `${sent.txId} is signed for ${id}, stored for ${stored.subject_id}`,
    );
    this.#energy.onBroadcast(chain, sent.txId);
    if (kind === 'payout') this.#checkPayout(chain, sent, stored);
    else this.#checkOwn(chain, sent);
  }

  #checkPayout(chain: SimChain, { txId, intent }: ReadBytes, stored: StoredBytes): void {
    const { to, units, currencyId } = movedBy(chain, intent);
    const isRight =
      to === stored.to_address && units === BigInt(stored.receipt ?? 0) && currencyId === stored.currency_id;
    const promised = `${stored.receipt} of ${stored.currency_id} to ${stored.to_address}`;
    const message = `${txId} moves ${units} of ${currencyId} to ${to}, promised is ${promised}`;
    this.#findings.expect(isRight, '36 exactly as promised', message);
    if (intent.family === 'evm') {
      const offered = intent.gasLimit * pricesOf(intent).most;
      const cap = BigInt(stored.fee_cap ?? 0);
      this.#findings.expect(
        offered <= cap,
        '36 within its fee cap',
        `${txId} offers ${offered} above ${cap}`,
      );
    }
    const isStarted = stored.status !== 'PROGRESS' && stored.status !== 'CANCEL';
    this.#findings.expect(
      isStarted,
      '36 sent when started',
      `${txId} was sent, its payout is ${stored.status}`,
    );
  }

  /** A transaction between our own addresses. It may collect no more than is final at the address. */
  #checkOwn(chain: SimChain, sent: ReadBytes): void {
    const { txId, from, intent } = sent;
    const { to, units, currencyId } = movedBy(chain, intent);
    const { subject, key } = intent;
    const { family } = chain.definition;
    const recipient = 'recipient' in subject ? subject.recipient : key;
    const named = simAddress(family, accountKeyOf(recipient.account), recipient.index, recipient.branch);
    this.#findings.expect(
      to === named,
      '37 to our own addresses',
      `${txId} goes to ${to} instead of ${named}`,
    );
    if (subject.kind !== 'collection') return;
    const isSweep = intent.family === 'evm' && intent.sweeping !== undefined;
    const ofApp = recipient.account === (isSweep ? recipient.account : key.account);
    const isWallet = recipient.branch === 'wallet' && ofApp && areOf(recipient.account, intent);
    this.#findings.expect(isWallet, '37 to the wallet of its app', `${txId} collects to ${to}`);
    this.#sweeps.onBroadcast(chain, sent, currencyId);
    if (isSweep) return;
    const final = ancestorAt(chain.tip, chain.finalFloor);
    const held = final === null ? 0n : balanceAt(final, from, currencyId);
    const message = `${txId} collects ${units} of ${currencyId}, final there is ${held}`;
    this.#findings.expect(units <= held, '37 only what is known is collected', message);
  }
}

/** Whether the addresses of a sweep are those of the app at their places. */
function areOf(account: number, intent: TransferIntent): boolean {
  return sweptIn(intent).every(
    ({ index, address }) => simAddress('evm', accountKeyOf(account), index, 'deposit') === address,
  );
}

function movedBy({ definition }: SimChain, intent: TransferIntent) {
  const moved = intent.family === 'evm' ? intent : intent.action;
  const contract = 'contract' in moved ? moved.contract : null;
  const currency = definition.currencies.find((one) => one.contract === contract);
  return { to: moved.to, units: moved.baseUnits, currencyId: currency?.currencyId ?? -1 };
}

/** The highest block that was ever final both by the chain's own finality and by the count of confirmations. */
function finalHeightOf({ finalFloor, topHeight, definition }: SimChain): number {
  return Math.min(finalFloor, topHeight - definition.confirmations + 1);
}
