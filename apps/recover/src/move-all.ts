// Moves the holdings to one address: first gas to addresses that lack it, then tokens, then the coin itself.
import { nativeCurrency } from '@ducat/core/chain/chain';
import {
  add,
  type Amount,
  amountOf,
  compare,
  isPositive,
  share,
  subtract,
  zero,
} from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import { offerAll } from '@ducat/core/outgoing/offer-all';
import { GATEWAY_ACCOUNT, walletPath } from '@ducat/core/signing/key-path';
import type { TransferEstimate } from '@ducat/gateway/chains/port/writer';
import type { Keyring } from '@ducat/signer/signing/keyring';
import type { Held, Holding } from './find-holdings.ts';
import type { Node } from './open-node.ts';
import { RecoverError } from './recover-error.ts';
import { submitAll, type Transfer } from './submit.ts';

export interface Mover {
  readonly node: Node;
  readonly keyring: Keyring;
  /** Canonical. */
  readonly to: string;
  /** The most that one transaction may cost. */
  readonly feeCap: Amount;
  /** False for a dry run. */
  readonly send: boolean;
  /** A line for the person. */
  readonly say: (line: string) => void;
}

/** How many addresses are emptied together. They share the wait for a block in each step. */
const GROUP = 16;
/** An amount that no account holds. The estimate for it falls short, and reports what the account does hold. */
const ABSURD = 2n ** 200n;
const HALF_PPM = 500_000n;

/** `holdings` are those of one chain. The holding with the most coin pays gas for the others and is emptied last. */
export async function moveAll(mover: Mover, holdings: readonly Holding[]): Promise<void> {
  const richest = funderOf(mover, holdings);
  const others = holdings.filter((holding) => holding !== richest);
  const run = new Run(mover, richest);
  for (let start = 0; start < others.length; start += GROUP)
    await run.empty(others.slice(start, start + GROUP));
  if (richest !== null) await run.empty([richest]);
}

function coinOf(holding: Holding, { node }: Mover): Amount {
  const { currencyId } = nativeCurrency(node.definition);
  return holding.held.find(({ currency }) => currency.contract === null)?.amount ?? zero(currencyId);
}

function funderOf(mover: Mover, holdings: readonly Holding[]): Holding | null {
  let richest: Holding | null = null;
  for (const holding of holdings) {
    const least = richest === null ? null : coinOf(richest, mover);
    const coin = coinOf(holding, mover);
    if (isPositive(coin) && (least === null || compare(coin, least) > 0)) richest = holding;
  }
  return richest;
}

type Possible = Extract<TransferEstimate, { readonly outcome: 'possible' }>;

/** A planned transfer. `lacks` is the coin that its sender still needs, null where it has enough. */
interface Plan extends Transfer {
  readonly lacks: Amount | null;
}

class Run {
  readonly #mover: Mover;
  readonly #funder: Holding | null;
  #isDestinationUsed = false;

  constructor(mover: Mover, funder: Holding | null) {
    this.#mover = mover;
    this.#funder = funder;
  }

  async empty(group: readonly Holding[]): Promise<void> {
    const tokens = group.map(({ held }) => held.filter(({ currency }) => currency.contract !== null));
    const rounds = Math.max(0, ...tokens.map(({ length }) => length));
    for (let round = 0; round < rounds; round++) {
      const plans: Plan[] = [];
      for (const [place, holding] of group.entries()) {
        const held = tokens[place]?.[round];
        const plan = held === undefined ? null : await this.#planToken(holding, held);
        if (plan !== null) plans.push(plan);
      }
      await this.#submit(await this.#fund(plans), 'sent as gas');
      await this.#submit(plans, 'moved');
    }
    await this.#emptyCoins(group);
  }

  /**
   * The very first coin transfer is sent alone: it may create the account at the destination, and its sender pays for
   * that.
   */
  async #emptyCoins(group: readonly Holding[]): Promise<void> {
    let coins: Transfer[] = [];
    for (const holding of group) {
      const coin = await this.#planCoin(holding);
      if (coin === null) continue;
      coins.push(coin);
      if (this.#isDestinationUsed) continue;
      this.#isDestinationUsed = true;
      await this.#submit(coins, 'moved');
      coins = [];
    }
    await this.#submit(coins, 'moved');
  }

  async #planToken(holding: Holding, { currency, amount }: Held): Promise<Plan | null> {
    const estimate = await this.#estimate(holding, { currency, amount });
    if (estimate === null) return null;
    if (estimate.shortOf.some(({ needed }) => needed.currencyId === currency.currencyId)) {
      this.#skip(holding, { currency, amount }, 'it holds less by now; list again');
      return null;
    }
    const short = estimate.shortOf[0];
    const lacks = short === undefined ? null : subtract(short.needed, short.held);
    const { address: from, key } = holding;
    return {
      key,
      from,
      to: this.#mover.to,
      currency,
      amount,
      terms: estimate.terms,
      most: estimate.most,
      lacks,
    };
  }

  /**
   * The transfer of an address's coin less its own fee. Nothing is left at the address where the family allows that.
   * Null where nothing can be moved.
   */
  async #planCoin(holding: Holding): Promise<Transfer | null> {
    const { node, send } = this.#mover;
    const currency = nativeCurrency(node.definition);
    if (!send && !isPositive(coinOf(holding, this.#mover))) return null;
    const { address: from, key } = holding;
    const more = { from, to: this.#mover.to, currency, amount: amountOf(currency.currencyId, ABSURD) };
    const all = await node.writer.estimate(more);
    const held = all.outcome === 'possible' ? all.shortOf[0]?.held : undefined;
    if (held === undefined || !isPositive(held)) return null;
    const { part } = share(held, HALF_PPM, 'up');
    const estimate = await this.#estimate(holding, { currency, amount: part });
    if (estimate === null) return null;
    const amount = subtract(held, estimate.most);
    if (!isPositive(amount)) {
      this.#skip(holding, { currency, amount: held }, 'it is less than its fee');
      return null;
    }
    const terms = offerAll(estimate.terms, estimate.most) ?? estimate.terms;
    return { key, from, to: this.#mover.to, currency, amount, terms, most: estimate.most };
  }

  async #estimate(holding: Holding, { currency, amount }: Held): Promise<Possible | null> {
    const { node, to, feeCap } = this.#mover;
    const estimate = await node.writer.estimate({ from: holding.address, to, currency, amount });
    if (estimate.outcome === 'impossible') {
      this.#skip(holding, { currency, amount }, `the chain would not do it: ${estimate.text}`);
      return null;
    }
    if (compare(estimate.most, feeCap) <= 0) return estimate;
    const native = nativeCurrency(node.definition);
    const fee = `${formatAmount(estimate.most, native)} ${native.symbol}`;
    this.#skip(holding, { currency, amount }, `its fee may be ${fee}, above --fee-cap`);
    return null;
  }

  /** Transfers of coin to the senders that lack it, from the address that has the most. */
  async #fund(plans: readonly Plan[]): Promise<readonly Transfer[]> {
    const { node } = this.#mover;
    const currency = nativeCurrency(node.definition);
    const short = plans.filter((plan): plan is Plan & { lacks: Amount } => plan.lacks !== null);
    const fundings: Transfer[] = [];
    let total = zero(currency.currencyId);
    for (const { from: to, lacks: amount } of short) {
      const funder = this.#funder;
      if (funder === null || funder.address === to) throw this.#noGas(add(total, amount));
      const estimate = await node.writer.estimate({ from: funder.address, to, currency, amount });
      if (estimate.outcome !== 'possible')
        throw new RecoverError(`${to} cannot be given gas: ${estimate.text}`);
      total = add(total, add(amount, estimate.most));
      if (this.#mover.send && estimate.shortOf.length > 0) throw this.#noGas(total);
      const { address: from, key } = funder;
      fundings.push({ key, from, to, currency, amount, terms: estimate.terms, most: estimate.most });
    }
    return fundings;
  }

  async #submit(transfers: readonly Transfer[], what: string): Promise<void> {
    const { node, keyring, send, say } = this.#mover;
    if (!send) {
      const { symbol, decimals } = nativeCurrency(node.definition);
      for (const transfer of transfers)
        say(
          `not yet ${what}: ${this.#text(transfer)}, for up to ${formatAmount(transfer.most, { decimals })} ${symbol}`,
        );
      return;
    }
    for (const one of await submitAll(node, keyring, transfers)) {
      const outcome = one.status === 'succeeded' ? what : 'FAILED, nothing moved';
      say(`${outcome}: ${this.#text(one)}, transaction ${one.txId}`);
    }
  }

  /** The error for missing gas. Coin at any address of ours will do; the error names the wallet of the gateway. */
  #noGas(needed: Amount): RecoverError {
    const { node, keyring } = this.#mover;
    const { family } = node.definition;
    const native = nativeCurrency(node.definition);
    const wallet = node.scheme.display(keyring.address(family, walletPath(GATEWAY_ACCOUNT)));
    const amount = `${formatAmount(needed, native)} ${native.symbol}`;
    return new RecoverError(
      `no address of ours has ${amount} for gas; send that or more to ${wallet}, then run this again`,
    );
  }

  #text({ from, to, currency, amount }: Pick<Transfer, 'from' | 'to' | 'currency' | 'amount'>): string {
    const { scheme } = this.#mover.node;
    const way = `from ${scheme.display(from)} to ${scheme.display(to)}`;
    return `${formatAmount(amount, currency)} ${currency.symbol} ${way}`;
  }

  #skip({ address }: Holding, { currency, amount }: Held, why: string): void {
    const { node, say } = this.#mover;
    say(
      `left: ${formatAmount(amount, currency)} ${currency.symbol} at ${node.scheme.display(address)}: ${why}`,
    );
  }
}
