// Which orders merchants will ask for, and under how much load: prices in tokens or fiat, numbers that other apps use too.
import type { Currency } from '@ducat/core/chain/currency';
import { decimalText } from '../auditor.ts';
import type { AppSetup } from './setup.ts';
import type { Chance } from '../world/chance.ts';
import { type Fiat, fiats } from './market.ts';
import type { SimChain } from '../nodes/sim-chain.ts';

/** One order that a merchant will ask for. */
export interface OrderPlan {
  readonly app: AppSetup;
  /** The merchant's own number. Other apps use the same numbers. */
  readonly outTradeNo: string;
  readonly chain: SimChain;
  readonly currency: Currency;
  /** The price in tokens, or null where the fiat pair is the price and not a label. */
  readonly tokenAmount: string | null;
  readonly fiatName: Fiat | null;
  readonly fiatAmount: string | null;
  /** Where this order's webhooks go instead of the app's address. */
  readonly callbackUrl: string | null;
  readonly redirectUrl: string | null;
  readonly lifeS: number;
  /** The expiries that were asked for, newest last: another one is another order, so a merchant keeps to his. */
  readonly timeOuts: number[];
  /** Another app's plan, of which this one is a copy to the last byte. */
  readonly twinOf: OrderPlan | null;
}

/** How many orders there are, and how their payers act together. */
export interface Load {
  readonly orders: number;
  readonly isOnOneChain: boolean;
  /** Payments are gathered for so many milliseconds, and are broadcast at the end of that time. */
  readonly gatherMs: number;
  /** How likely a payment that is due shares a transaction with the next one. */
  readonly togetherShare: number;
}

export const FEW: Load = { orders: 1, isOnOneChain: false, gatherMs: 1, togetherShare: 0.3 };

/**
 * Mostly a few orders. Now and then there are many, and payers such as an exchange pay a dozen of them in one
 * transaction.
 */
export function drawLoad(chance: Chance): Load {
  if (!chance.hits(0.2)) return { ...FEW, orders: chance.between(3, 7) };
  const orders = chance.between(10, 16);
  return { orders, isOnOneChain: chance.hits(0.7), gatherMs: 90_000, togetherShare: 0.97 };
}

export function drawOrderPlans(
  chance: Chance,
  { orders, isOnOneChain }: Load,
  apps: readonly AppSetup[],
  chains: readonly SimChain[],
): readonly OrderPlan[] {
  const usable = isOnOneChain ? [chance.pick(chains)] : chains;
  const plans: OrderPlan[] = [];
  while (plans.length < orders) {
    const before = plans.at(-1);
    const drawn = drawOrderPlan(chance, chance.pick(apps), plans, usable);
    const twin = before === undefined || !chance.hits(0.25) ? null : twinOf(before, plans, apps);
    plans.push(twin ?? drawn);
  }
  return plans;
}

function drawOrderPlan(
  chance: Chance,
  app: AppSetup,
  earlier: readonly OrderPlan[],
  chains: readonly SimChain[],
): OrderPlan {
  const chain = chance.pick(chains);
  const currency = chance.pick(chain.definition.currencies);
  const outTradeNo = unusedNumber(app, earlier);
  const units = BigInt(chance.between(1, 20_000)) * BigInt(chance.pick([1, 1_000_000]));
  // Where both prices are sent, the tokens are the price and the fiat is a label beside it.
  const priced = chance.weighted([
    ['tokens', 6],
    ['fiat', 4],
    ['both', 1],
  ]);
  const hasFiat = priced !== 'tokens';
  return {
    app,
    outTradeNo,
    chain,
    currency,
    tokenAmount: priced === 'fiat' ? null : decimalText(units, currency.decimals),
    fiatName: hasFiat ? chance.pick(fiats) : null,
    fiatAmount: hasFiat ? `${chance.between(1, 900)}.${chance.between(10, 99)}` : null,
    callbackUrl: chance.hits(0.25)
      ? `http://${app.appId.replace('_', '-')}.test/hook-of-${outTradeNo}`
      : null,
    redirectUrl: chance.hits(0.2) ? `http://${app.appId.replace('_', '-')}.test/thanks` : null,
    lifeS: chance.between(95, 170),
    timeOuts: [],
    twinOf: null,
  };
}

function unusedNumber(app: AppSetup, earlier: readonly OrderPlan[]): string {
  const used = new Set(earlier.filter((plan) => plan.app === app).map((plan) => plan.outTradeNo));
  let number = 0;
  while (used.has(`order-${number}`)) number++;
  return `order-${number}`;
}

/** The same request by an app that has not used the number yet; null where all apps have. */
function twinOf(plan: OrderPlan, plans: readonly OrderPlan[], apps: readonly AppSetup[]): OrderPlan | null {
  const used = new Set(plans.filter((one) => one.outTradeNo === plan.outTradeNo).map(({ app }) => app));
  const app = apps.find((one) => !used.has(one));
  // No twin for a callback URL: two URLs would make the two bodies differ, and one that both name would mix their webhooks.
  return app === undefined || plan.callbackUrl !== null ? null : { ...plan, app, timeOuts: [], twinOf: plan };
}
