// What a unit of gas or energy costs on a chain of the simulator now, spikes of it, and a stake that spares its cost.
import type { ChainFamily } from '@ducat/core/chain/chain';

/** Wei for a unit of gas, sun for a unit of energy: little, as coins may be worth thousands here. */
const USUAL: Readonly<Record<ChainFamily, bigint>> = { evm: 1_000_000_000n, tron: 1n };

export class FeeMarket {
  readonly #usual: bigint;
  #factor = 1n;
  /** Sun that the operator has staked for energy; 0 where nobody stakes. */
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

  /** So many times the usual price, from now on. */
  spike(factor: number): void {
    this.#factor = BigInt(factor);
  }
}
