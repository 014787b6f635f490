// What a plan is expected to cost all in all, the coin that is sent before with it.
import type { CollectionPlan } from '@ducat/core/collection/plan';
import { add, type Amount } from '@ducat/core/money/amount';
import type { TransferEstimate } from '../../chains/port/writer.ts';
import { estimateFunding, type FundingEstimate } from './estimate-funding.ts';
import type { LeasedCollector } from './parts.ts';
import { gasWallet } from './wallets.ts';

export interface PricedPlan {
  readonly plan: CollectionPlan;
  readonly cost: Amount;
  /** Null where nothing is sent before. */
  readonly funded: FundingEstimate | null;
  /** The gas wallet, whose key sends coin or delegates; empty where neither is. */
  readonly signer: string;
}

type Possible = Extract<TransferEstimate, { readonly outcome: 'possible' }>;

/** Throws Outage where the signer or the gas wallet's chain is away. */
export async function pricePlan(
  collector: LeasedCollector,
  address: string,
  plan: CollectionPlan,
  estimate: Possible,
): Promise<PricedPlan> {
  const { funding } = plan;
  const own = ownCost(plan, estimate);
  if (funding === null)
    return { plan, cost: own, funded: null, signer: plan.stake === null ? '' : await gasWallet(collector) };
  const funded = await estimateFunding(collector, address, funding);
  return { plan, cost: add(own, funded.expected), funded, signer: funded.from };
}

function ownCost({ method, gas }: CollectionPlan, { expected, offer = null }: Possible): Amount {
  if (method === 'native') return gas;
  return method === 'delegated' && offer !== null ? add(offer.rest, offer.cost) : expected;
}
