// Energy of a stake: delegated once, there before its transfer, there until the transfer has ended, and back at the end.
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import type { Findings } from '../checkers/findings.ts';
import { ancestorAt, type SentTransaction } from '../nodes/sim-block.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import { delegatedBy, transactionsUpTo } from './chain/stake.ts';
import type { EnergyRow } from './payout-books.ts';

const ENERGY = '.energy';
const RETURN = /\.return\d+$/;

interface Signed {
  readonly txId: string;
  readonly subject: string;
  readonly expirationMs: number;
  /** Null where the transaction is a transfer. */
  readonly delegated: { readonly type: 'delegate' | 'undelegate'; readonly to: string } | null;
}

/** What may still become of a signed transaction, by the final blocks. */
type Fate = 'open' | 'done' | 'nothing';

export class EnergyChecker {
  readonly #findings: Findings;
  readonly #signed: Signed[] = [];

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Called when the signer has signed. */
  sign(intent: TransferIntent, txId: string): void {
    if (intent.family !== 'tron' || this.#signed.some((one) => one.txId === txId)) return;
    const { subject, expirationMs, action } = intent;
    const delegated = action.type === 'transfer' ? null : action;
    this.#signed.push({ txId, subject: subject.id, expirationMs, delegated });
  }

  /** Called when a node gets bytes of ours, before the node does anything with them. */
  onBroadcast(chain: SimChain, txId: string): void {
    const sent = this.#signed.find((one) => one.txId === txId);
    if (sent === undefined) return;
    const final = transactionsUpTo(ancestorAt(chain.tip, chain.finalFloor));
    const finalTime = (ancestorAt(chain.tip, chain.finalFloor)?.header.time ?? 0) * 1_000;
    const fateOf = ({ txId: id, expirationMs }: Signed): Fate => {
      const held = final.find((one) => one.txId === id);
      if (held !== undefined) return held.failed ? 'nothing' : 'done';
      return finalTime > expirationMs ? 'nothing' : 'open';
    };
    if (sent.delegated?.type === 'delegate') this.#checkDelegation(sent, sent.delegated.to, final, fateOf);
    else if (sent.delegated !== null) this.#checkReturn(sent, fateOf);
    else this.#checkTransfer(sent, fateOf);
  }

  #checkDelegation(
    sent: Signed,
    to: string,
    final: readonly SentTransaction[],
    fateOf: (signed: Signed) => Fate,
  ): void {
    const isThere = delegatedBy(final).has(to);
    const rival = this.#signed.find(
      (one) =>
        one !== sent &&
        one.delegated?.type === 'delegate' &&
        one.delegated.to === to &&
        fateOf(one) === 'open',
    );
    const message = `${sent.subject} delegates to …${to.slice(-6)}, ${isThere ? 'which has energy' : `as ${rival?.subject} may`}`;
    this.#findings.expect(!isThere && rival === undefined, '37 energy is delegated once', message);
  }

  /**
   * The funding and the delegation before a transfer have to be final, even if they were signed and never broadcast.
   */
  #checkTransfer({ subject }: Signed, fateOf: (signed: Signed) => Fate): void {
    for (const before of [`${subject}.gas`, subject + ENERGY]) {
      const own = this.#signed.filter((one) => one.subject === before);
      const isDone = own.length === 0 || own.some((one) => fateOf(one) === 'done');
      this.#findings.expect(
        isDone,
        '37 energy before its transfer',
        `${subject} is sent before ${before} is final`,
      );
    }
  }

  #checkReturn(sent: Signed, fateOf: (signed: Signed) => Fate): void {
    const collection = sent.subject.replace(RETURN, '');
    const of = (subject: string) => this.#signed.filter((one) => one.subject === subject);
    const isOut = of(collection + ENERGY).some((one) => fateOf(one) === 'done');
    this.#findings.expect(
      isOut,
      '37 energy comes back once',
      `${sent.subject}: nothing is delegated by a final block`,
    );
    const moving = of(collection).find((one) => fateOf(one) === 'open');
    const message = `${sent.subject} is sent while ${moving?.txId} may still move the token`;
    this.#findings.expect(moving === undefined, '37 energy until its transfer has ended', message);
    const twin = this.#signed.find(
      (one) =>
        one !== sent &&
        one.subject.replace(RETURN, '') === collection &&
        RETURN.test(one.subject) &&
        fateOf(one) !== 'nothing',
    );
    this.#findings.expect(
      twin === undefined,
      '37 energy comes back once',
      `${sent.subject} is sent while ${twin?.subject} took it back, or may`,
    );
  }
}

/** At the end: for every delegation that stays, the books know that its energy is still to come back. */
export function checkEnergyIsBack(
  chains: readonly SimChain[],
  known: readonly EnergyRow[],
  findings: Findings,
): void {
  for (const chain of chains) {
    for (const [address, { stake }] of delegatedBy(transactionsUpTo(chain.tip))) {
      const isKnown = known.some((row) => row.address === address && row.return_at_ms !== null);
      findings.expect(
        isKnown,
        '37 energy comes back',
        `${stake} sun stay delegated to …${address.slice(-6)}`,
      );
    }
  }
}
