// Searches the addresses derived from the words for balances, as far as the gap limits reach.
import type { Currency } from '@ducat/core/chain/currency';
import { type Amount, isPositive } from '@ducat/core/money/amount';
import { GATEWAY_ACCOUNT, type KeyBranch, type KeyPath } from '@ducat/core/signing/key-path';
import type { BlockReference } from '@ducat/gateway/chains/port/reader';
import { Outage } from '@ducat/gateway/runtime/outage';
import { accountPublicKey } from '@ducat/signer/schemes/account-key';
import { schemes } from '@ducat/signer/schemes/schemes';
import { balanceBlock, type Node } from './open-node.ts';

export interface Held {
  readonly currency: Currency;
  readonly amount: Amount;
}

/** One address of ours that holds something. */
export interface Holding {
  readonly key: KeyPath;
  readonly address: string;
  readonly held: readonly Held[];
}

export interface Found {
  readonly holdings: readonly Holding[];
  /** Accounts that were searched, besides the account of the gateway itself. */
  readonly accounts: number;
  readonly addresses: number;
  /** Tokens whose balances the node cannot give, so that nothing is known about them. */
  readonly unknown: readonly Currency[];
}

export interface Gaps {
  readonly gap: number;
  readonly accountGap: number;
}

/** How many wallets of an account are searched. Each account has one, but other software may have made more. */
const WALLETS = 5;

/**
 * Searches the accounts from 0 on, and the account of the gateway itself. An emptied address looks like one that was
 * never used, so a gap limit that is too low misses the addresses after the gap. Throws Outage.
 */
export async function findHoldings(node: Node, seed: Uint8Array, gaps: Gaps): Promise<Found> {
  const search = new Search(node, seed);
  const holdings = [...(await search.wallets(GATEWAY_ACCOUNT))];
  let accounts = 0;
  for (let empty = 0; empty < gaps.accountGap && accounts < GATEWAY_ACCOUNT; accounts++) {
    const found = [...(await search.wallets(accounts)), ...(await search.deposits(accounts, gaps.gap))];
    holdings.push(...found);
    empty = found.length === 0 ? empty + 1 : 0;
  }
  return { holdings, accounts, addresses: search.addresses, unknown: search.unknown };
}

class Search {
  addresses = 0;
  readonly unknown: Currency[] = [];
  #known: readonly Currency[] | null = null;
  readonly #node: Node;
  readonly #seed: Uint8Array;

  constructor(node: Node, seed: Uint8Array) {
    this.#node = node;
    this.#seed = seed;
  }

  wallets(account: number): Promise<readonly Holding[]> {
    return this.#look(account, 'wallet', 0, WALLETS);
  }

  /** Searches in steps of the gap, until a whole gap after the last holding is empty. */
  async deposits(account: number, gap: number): Promise<readonly Holding[]> {
    const holdings: Holding[] = [];
    let end = gap;
    for (let from = 0; from < end; from += gap) {
      const found = await this.#look(account, 'deposit', from, gap);
      holdings.push(...found);
      if (found.length > 0) end = from + 2 * gap;
    }
    return holdings;
  }

  async #look(account: number, branch: KeyBranch, from: number, count: number): Promise<readonly Holding[]> {
    const { definition, scheme } = this.#node;
    const { xpub } = accountPublicKey(this.#seed, schemes[definition.family], account);
    const places = Array.from({ length: count }, (_, step) => {
      const key: KeyPath = { account, branch, index: from + step };
      return { key, address: scheme.derive(xpub, key.index, branch), held: new Array<Held>() };
    });
    this.addresses += count;
    const addresses = places.map(({ address }) => address);
    const at = await balanceBlock(this.#node);
    for (const currency of await this.#currencies(addresses[0] ?? '', at)) {
      const [report] = await this.#node.reader.balances(addresses, currency, at, 1);
      const { amounts } = report ?? { amounts: [] };
      for (const [step, amount] of amounts.entries())
        if (isPositive(amount)) places[step]?.held.push({ currency, amount });
    }
    return places.filter(({ held }) => held.length > 0);
  }

  /**
   * The currencies whose balances the node can give, the coin first. Tokens that are off in the configuration are
   * searched as well, where the chain has them.
   */
  async #currencies(anyone: string, at: BlockReference): Promise<readonly Currency[]> {
    if (this.#known !== null) return this.#known;
    const { reader, definition } = this.#node;
    const known: Currency[] = [];
    for (const currency of definition.currencies) {
      try {
        await reader.balances([anyone], currency, at, 1);
        known.push(currency);
      } catch (error) {
        const isToken = currency.contract !== null;
        if (!isToken || !(error instanceof Outage) || error.kind !== 'unsupported') throw error;
        this.unknown.push(currency);
      }
    }
    this.#known = known;
    return known;
  }
}
