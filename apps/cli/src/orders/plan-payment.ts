// Decides what `ducat pay` sends: which coin, on which chain, how much.
import { formatDecimal, parseDecimal } from '@ducat/core/money/decimal';
import { CommandError } from '../command-error.ts';
import type { DemoChain, DemoCurrency } from '../state/demo-record.ts';

export interface OrderToPay {
  readonly chain: string;
  readonly token: string;
  readonly amount: string;
  readonly amount_collected: string;
}

export interface PaymentWish {
  /** Decimal text. Without it, the amount that is still open is paid. */
  readonly amount?: string | undefined;
  readonly wrongToken?: boolean | undefined;
  readonly wrongChain?: boolean | undefined;
}

export interface PlannedPayment {
  readonly chain: DemoChain;
  readonly currency: DemoCurrency;
  /** Base units of the currency. */
  readonly units: bigint;
  /** Decimal text of `units`. */
  readonly amount: string;
}

/** Throws a CommandError where the demo has no such chain or currency, or the amount is no amount. */
export function planPayment(
  order: OrderToPay,
  chains: readonly DemoChain[],
  wish: PaymentWish,
): PlannedPayment {
  const home = chains.find((chain) => chain.chain === order.chain);
  if (home === undefined) throw new CommandError(`the demo has no ${order.chain} chain to pay on`);
  const chain =
    wish.wrongChain === true ? chains.find((other) => other !== home && other.family === home.family) : home;
  // A mistaken payment can only go to chains of the same family, because an address exists only there.
  if (chain === undefined) throw new CommandError('the demo has no other chain to pay on by mistake');
  const currency = currencyOn(chain, order.token, wish.wrongToken === true);
  const amount = wish.amount ?? openAmount(order, home);
  const units = parseDecimal(amount, currency.decimals);
  if (units === null || units === 0n) {
    throw new CommandError(
      `${amount} is no amount of ${currency.symbol}, which has ${currency.decimals} decimals`,
    );
  }
  return { chain, currency, units, amount: formatDecimal(units, currency.decimals) };
}

/**
 * The currency to pay with. By mistake it is another token of the chain. On another chain it is the token of the same
 * name, or else the chain's coin.
 */
function currencyOn(chain: DemoChain, token: string, wrong: boolean): DemoCurrency {
  const [coin] = chain.currencies;
  const found = wrong
    ? (chain.currencies.find(({ symbol, contract }) => symbol !== token && contract !== '') ?? coin)
    : (chain.currencies.find(({ symbol }) => symbol === token) ?? coin);
  if (found === undefined || (wrong && found.symbol === token)) {
    throw new CommandError(`the ${chain.chain} chain of the demo has nothing else to pay with`);
  }
  return found;
}

/** The amount that is missing, or the whole amount again where nothing is. */
function openAmount(order: OrderToPay, home: DemoChain): string {
  const decimals = home.currencies.find(({ symbol }) => symbol === order.token)?.decimals ?? 18;
  const asked = parseDecimal(order.amount, decimals) ?? 0n;
  const collected = parseDecimal(order.amount_collected || '0', decimals) ?? 0n;
  return collected >= asked ? order.amount : formatDecimal(asked - collected, decimals);
}
