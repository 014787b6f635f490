// Which payouts merchants will ask for: a part of a balance or all of it, some of it asked for by two at once.
import type { Currency } from '@ducat/core/chain/currency';
import type { AppSetup } from '../actors/setup.ts';
import type { PayoutAnswer } from '../actors/sim-api.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Chance } from '../world/chance.ts';
import type { SimProcess } from '../world/sim-process.ts';

export interface PayoutPlan {
  readonly app: AppSetup;
  readonly chain: SimChain;
  readonly currency: Currency;
  /** The name that the merchant gives to the call. */
  readonly key: string;
  readonly toAddress: string;
  /** Of the balance, in parts of a hundred. */
  readonly share: number;
  /** Fixed when it is asked for first; null before. */
  amount: string | null;
  /** What was answered first. */
  answer: PayoutAnswer | null;
  isRefused: boolean;
  /** How often it is still asked for after its answer. */
  repeats: number;
  /** The processes that were asked and have not answered. */
  asked: SimProcess[];
  /** The order that it sends back; null where it is a plain payout. */
  readonly refundOf: string | null;
}

export function drawPayoutPlans(
  chance: Chance,
  apps: readonly AppSetup[],
  chains: readonly SimChain[],
  currencies: readonly { readonly chain: SimChain; readonly currency: Currency; readonly app: AppSetup }[],
): PayoutPlan[] {
  const count = chance.between(3, 9);
  return Array.from({ length: count }, (_, place) => {
    const chain = chance.pick(chains);
    const drawn = { chain, currency: chance.pick(chain.definition.currencies), app: chance.pick(apps) };
    // Mostly what some order brings, or there would be nothing to pay out.
    const { app, ...money } = currencies.length > 0 && chance.hits(0.9) ? chance.pick(currencies) : drawn;
    return {
      app,
      ...money,
      key: `key:payout-${place}`,
      toAddress: recipient(chance, money.chain),
      share: chance.pick([100, 100, 60, 40, 25, 10]),
      amount: null,
      answer: null,
      isRefused: false,
      repeats: chance.pick([0, 0, 1, 3]),
      asked: [],
      refundOf: null,
    };
  });
}

/** A stranger's address; few enough that some are paid twice. */
export function recipient(chance: Chance, { definition }: SimChain): string {
  const prefix = definition.family === 'evm' ? '0x' : '41';
  return `${prefix}${`5${chance.between(0, 5)}`.repeat(20)}`;
}

/** How many calls for it are under way. */
export function payoutCallsFor({ asked }: PayoutPlan): number {
  return asked.filter(({ alive }) => alive).length;
}
