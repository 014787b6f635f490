// Which payouts merchants will ask for: a part of a balance or all of it. Two payouts may ask for the same balance.
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
  /** The Idempotency-Key of the call. */
  readonly key: string;
  readonly toAddress: string;
  /** The share of the balance, in percent. */
  readonly share: number;
  /** Fixed when the payout is asked for first; null before. */
  amount: string | null;
  /** The first answer. */
  answer: PayoutAnswer | null;
  isRefused: boolean;
  /** How often the merchant asks again after its answer. */
  repeats: number;
  /** The processes that were asked and have not answered. */
  asked: SimProcess[];
  /** The order that the payout refunds; null for a plain payout. */
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
    // Mostly a currency that some order brings in, because there would be nothing to pay out otherwise.
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

/** An address of a stranger, out of few, so that some are paid twice. */
export function recipient(chance: Chance, { definition }: SimChain): string {
  const prefix = definition.family === 'evm' ? '0x' : '41';
  return `${prefix}${`5${chance.between(0, 5)}`.repeat(20)}`;
}

/** How many calls for the payout are under way. */
export function payoutCallsFor({ asked }: PayoutPlan): number {
  return asked.filter(({ alive }) => alive).length;
}
