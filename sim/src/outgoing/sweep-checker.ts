// Sweeps: each nonce authorised once, each address in one sweep at a time, each emptied by its own transfers.
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import type { Findings } from '../checkers/findings.ts';
import { ancestorAt, balanceAt } from '../nodes/sim-block.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import { nonceAt } from './chain/ground.ts';
import type { ReadBytes } from './chain/pool.ts';
import { sweptIn } from './chain/sweeping.ts';
import type { SweptRow } from './payout-books.ts';

interface Sent {
  readonly subject: string;
  readonly chain: SimChain;
  readonly from: string;
  readonly nonce: number;
  readonly addresses: readonly string[];
}

export class SweepChecker {
  readonly #findings: Findings;
  /** The sweep for which each nonce of each address was authorised. */
  readonly #authorised = new Map<string, string>();
  readonly #sent: Sent[] = [];
  readonly #proven = new Set<string>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Called when the signer has signed. */
  sign(intent: TransferIntent): void {
    const { subject, chainId } = intent;
    for (const { address, nonce } of sweptIn(intent)) {
      if (nonce === null) continue;
      const place = `${chainId} ${address} ${nonce}`;
      const owner = this.#authorised.get(place) ?? subject.id;
      const message = `${place} is authorised for ${owner} and for ${subject.id}`;
      this.#findings.expect(owner === subject.id, '33 one nonce, one authorisation', message);
      this.#authorised.set(place, owner);
    }
  }

  /**
   * Called when a node gets bytes of ours, before the node does anything with them. `currencyId` is the currency that
   * they move.
   */
  onBroadcast(chain: SimChain, { from, intent }: ReadBytes, currencyId: number): void {
    if (intent.family !== 'evm' || intent.subject.kind !== 'collection') return;
    const swept = sweptIn(intent).map(({ address }) => address);
    const addresses = swept.length === 0 ? [from] : swept;
    const final = ancestorAt(chain.tip, chain.finalFloor);
    const subject = intent.subject.id;
    for (const address of addresses) {
      // An earlier sweep can still be included until a final block has used its nonce of the gas wallet.
      const rival = this.#sent.find(
        (one) =>
          one.chain === chain &&
          one.subject !== subject &&
          one.addresses.includes(address) &&
          nonceAt(final, one.from) <= one.nonce,
      );
      const message = `…${address.slice(-6)} is in ${subject} and in ${rival?.subject}`;
      this.#findings.expect(rival === undefined, '37 an address in one sweep', message);
    }
    if (swept.length === 0) return;
    const held = addresses.reduce(
      (sum, one) => sum + (final === null ? 0n : balanceAt(final, one, currencyId)),
      0n,
    );
    const known = `${subject} is to sweep ${intent.baseUnits}, final there is ${held}`;
    this.#findings.expect(intent.baseUnits <= held, '37 only what is known is collected', known);
    this.#sent.push({ subject, chain, from, nonce: intent.nonce, addresses });
  }

  /** Called after a commit: each address that counts as emptied was emptied by the sweep, in a final block. */
  check(swept: readonly SweptRow[], chains: readonly SimChain[]): void {
    for (const row of swept) {
      if (this.#proven.has(row.collection_id)) continue;
      this.#proven.add(row.collection_id);
      const chain = chains.find(({ definition }) => definition.name === row.chain);
      let units = 0n;
      const final = chain === undefined ? null : ancestorAt(chain.tip, chain.finalFloor);
      for (let block = final; block !== null; block = block.parent)
        for (const { txId, from, to, currencyId, units: moved } of block.transfers)
          if (
            txId === row.tx_id &&
            from === row.address &&
            to === row.wallet &&
            currencyId === row.currency_id
          )
            units += moved;
      const message = `${row.collection_id} counts ${row.units} as swept, ${row.tx_id} moved ${units}`;
      this.#findings.expect(units === BigInt(row.units), '37 swept by its own transfers', message);
    }
  }
}
