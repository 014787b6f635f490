// Payouts in a run: their plans, refunds and cancellations, the fees of chains, the signer, and the checker of it all.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { createChainWriter } from '@ducat/gateway/chains/quorum/chain-writer';
import type { ChainWriter } from '@ducat/gateway/chains/port/writer';
import type { Reader } from '@ducat/gateway/db/postgres/tx';
import type { World } from '@ducat/gateway/runtime/world';
import type { Findings } from '../checkers/findings.ts';
import type { ChainGate } from '../nodes/chain-gate.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import { Chance } from '../world/chance.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { SimProcess } from '../world/sim-process.ts';
import type { FeeMarket } from './chain/fee-market.ts';
import { PayoutChecker } from './payout-checker.ts';
import type { PayoutPlan } from './payout-plans.ts';
import type { ReceiptRefund } from './refunds/refund-checker.ts';
import type { Mood, Pool } from './chain/pool.ts';
import { SimSigner } from './sim-signer.ts';
import { SimWriter } from './chain/sim-writer.ts';
import { STAKE_OF_A_TRANSFER } from './chain/estimate-at.ts';

/** How badly payouts and collections are treated; drawn from the seed. */
export interface OutgoingWeather {
  readonly moodiness: number;
  readonly reverting: number;
  readonly losing: number;
  /** How often prices rise, a mempool forgets a transaction, and a payout is cancelled. */
  readonly spike: number;
  readonly forget: number;
  readonly cancel: number;
  /** How often a person sends an order or a receipt back. */
  readonly refund: number;
  readonly twoPayers: boolean;
  /** The wallets of apps have only the coin that the gas wallet sends them. */
  readonly poorWallets: boolean;
  /** The operator's stake on Tron, in transfers that it covers at once; 0 without a stake. */
  readonly stakedTransfers: number;
  /** On EVM chains, addresses of tokens are emptied together where that costs less. */
  readonly sponsored: boolean;
}

export function drawOutgoingWeather(chance: Chance): OutgoingWeather {
  const sometimes = (probability: number, most: number): number =>
    chance.hits(probability) ? chance.next() * most : 0;
  return {
    moodiness: sometimes(0.8, 0.6),
    reverting: sometimes(0.5, 0.4),
    losing: sometimes(0.5, 0.3),
    spike: sometimes(0.5, 4),
    forget: sometimes(0.6, 6),
    cancel: sometimes(0.6, 4),
    twoPayers: chance.hits(0.4),
    poorWallets: chance.hits(0.5),
    stakedTransfers: chance.pick([0, 1, 2, 9]),
    sponsored: chance.hits(0.5),
    refund: sometimes(0.6, 5),
  };
}

export const CALM: OutgoingWeather = {
  moodiness: 0,
  reverting: 0,
  losing: 0,
  spike: 0,
  forget: 0,
  cancel: 0,
  refund: 0,
  twoPayers: false,
  poorWallets: false,
  stakedTransfers: 0,
  sponsored: false,
};

export interface OutgoingParts {
  readonly seed: number;
  readonly chains: readonly SimChain[];
  readonly markets: ReadonlyMap<string, FeeMarket>;
  readonly scheduler: Scheduler;
  readonly findings: Findings;
  readonly reader: Reader;
  readonly weather: OutgoingWeather;
}

export class Outgoing {
  weather: OutgoingWeather;
  /** The one mood that nodes are in; null where they have several. */
  onlyMood: Mood | null = null;
  /** Drawn once the orders are known. */
  payoutPlans: PayoutPlan[] = [];
  /** How many refunds people still ask for in quiet time. */
  refundsLeft: number;
  /** Each receipt that a person asked to send back, whatever the answer was. */
  readonly receiptRefunds: ReceiptRefund[] = [];
  /** Payouts whose cancellation was confirmed to a person. */
  readonly cancelled = new Set<string>();
  readonly signer: SimSigner;
  readonly checker: PayoutChecker;
  readonly markets: ReadonlyMap<string, FeeMarket>;
  readonly #pool: Pool;

  constructor({ seed, chains, markets, scheduler, findings, reader, weather }: OutgoingParts) {
    this.weather = weather;
    this.refundsLeft = Math.ceil(weather.refund);
    this.markets = markets;
    for (const { definition } of chains) {
      const market = markets.get(definition.name);
      if (market !== undefined && definition.family === 'tron')
        market.stake = BigInt(weather.stakedTransfers) * STAKE_OF_A_TRANSFER;
    }
    this.checker = new PayoutChecker(chains, findings, reader);
    this.#pool = {
      chance: new Chance(seed, 'pool'),
      onlyMood: () => this.onlyMood,
      moodiness: () => this.weather.moodiness,
      reverting: () => this.weather.reverting,
      onBroadcast: (chain, bytes, sent) => this.checker.onBroadcast(chain, bytes, sent),
    };
    this.signer = new SimSigner({
      chains,
      scheduler,
      chance: new Chance(seed, 'signer'),
      losing: () => this.weather.losing,
      onSigned: (intent, answer) => this.checker.sign(intent, answer),
    });
  }

  /** A chain as one process sends to it: production's quorum over simulated providers. */
  writerOf(process: SimProcess, chain: SimChain, gate: ChainGate, world: World): ChainWriter {
    const market = this.markets.get(chain.definition.name);
    if (market === undefined) throw new Error(`${chain.definition.name} has no prices`);
    const parts = { process, gate, market, pool: this.#pool };
    const writers = gate.providersOf(chain).map((provider) => new SimWriter(provider, parts));
    return createChainWriter({ definition: chain.definition, writers, world });
  }
}

/** The coin that an operator puts into a wallet: enough for every fee of a run, in base units. */
export const WALLET_COIN: Readonly<Record<ChainFamily, bigint>> = {
  evm: 3n * 10n ** 18n,
  tron: 20_000n * 10n ** 6n,
};
