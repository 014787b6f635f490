// The price of a unit of gas or energy on a simulated chain, spikes of it, and a stake that brings energy without cost.
import type { ChainFamily } from '@ducat/core/chain/chain';

/** Wei for a unit of gas, sun for a unit of energy. The prices are low, because coins may be worth thousands here. */
const USUAL: Readonly<Record<ChainFamily, bigint>> = { evm: 1_000_000_000n, tron: 1n };

export class FeeMarket {
  readonly #usual: bigint;
  #factor = 1n;
  /** Sun that the operator has staked for energy; 0 without a stake. */
  stake = 0n;

  constructor(family: ChainFamily) {
    this.#usual = USUAL[family];
  }

  get perUnit(): bigint {
    return this.#usual * this.#factor;
  }

  get isSpiking(): boolean {
    return this.#factor > 1n;
  }

  /** Makes the price so many times the usual one, from now on. */
  spike(factor: number): void {
    this.#factor = BigInt(factor);
  }
}
