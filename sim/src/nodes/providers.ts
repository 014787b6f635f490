// All providers of all chains. The weather decides how they fail, and the fault phase changes them.
import type { ChainSetup } from '../actors/setup.ts';
import type { Chance } from '../world/chance.ts';
import type { Scheduler } from '../world/scheduler.ts';
import { type AnsweredOrder, PAYER } from '../actors/shoppers.ts';
import type { SimChain } from './sim-chain.ts';
import type { Weather } from '../world/weather.ts';
import type { ChainGate } from './chain-gate.ts';
import type { Forgery } from './evm-lies.ts';
import { liesAbout, Provider, type Topic, topicsOfLies } from './provider.ts';

export interface ProvidersParts {
  readonly chance: Chance;
  readonly weather: () => Weather;
  readonly nowMs: () => number;
  readonly orders: () => readonly AnsweredOrder[];
}

const LONGEST_OUTAGE_MS = 30_000;
/** How likely a faulty provider lies in an answer on the topic of its habit. */
const HABIT_RATE = 0.3;
const LONGEST_BRANCH_MS = 180_000;

export class Providers {
  readonly #parts: ProvidersParts;
  readonly #byChain: ReadonlyMap<SimChain, readonly Provider[]>;
  /** How many answers were lies. */
  lieCount = 0;
  #refused = 0;

  constructor(chains: readonly SimChain[], setup: readonly ChainSetup[], parts: ProvidersParts) {
    this.#parts = parts;
    this.#byChain = new Map(
      chains.map((chain, place) => {
        const { providers = 1, hasFaultyProvider = false, lie = null } = setup[place] ?? {};
        // The first provider is asked most, so a faulty one in its place has the most effect.
        const isFirst = lie !== null || (hasFaultyProvider && parts.chance.hits(0.6));
        const faulty = isFirst ? 1 : hasFaultyProvider ? parts.chance.between(1, providers) : 0;
        const name = chain.definition.name.toLowerCase();
        const made = Array.from(
          { length: providers },
          (_, number) => new Provider(`${name}-${number + 1}`, chain, number + 1 === faulty),
        );
        for (const provider of made) {
          if (provider.isFaulty) provider.onlyLie = lie;
          if (provider.isFaulty && parts.chance.hits(0.7)) provider.habit = parts.chance.pick(topicsOfLies);
        }
        return [chain, made];
      }),
    );
  }

  /** Answers that were lies, and calls that got none. */
  get faults(): number {
    return this.lieCount + this.#refused;
  }

  gate(scheduler: Scheduler): ChainGate {
    const { chance, weather, nowMs } = this.#parts;
    return {
      scheduler,
      providersOf: (chain) => this.#byChain.get(chain) ?? [],
      isAway: (provider) => {
        const away = chance.hits(weather().chainAway) || provider.awayUntilMs > nowMs();
        if (away) this.#refused++;
        return away;
      },
      lie: (provider, topic) => {
        const { isFaulty, onlyLie } = provider;
        const lies = onlyLie === null ? liesAbout[topic] : liesAbout[topic].filter((lie) => lie === onlyLie);
        const rate = onlyLie === null ? lieRate(provider, topic, weather().lie) : 1;
        if (!isFaulty || lies.length === 0 || !chance.hits(rate)) return null;
        this.lieCount++;
        return chance.pick(lies);
      },
      forgery: (chain) => this.#forgery(chain),
    };
  }

  /** One provider falls behind, catches up, goes away, or lies about what is final. Returns it in words. */
  change(): string {
    const { chance, weather, nowMs } = this.#parts;
    const provider = chance.pick(this.#all());
    const what = chance.pick(['lag', 'lag', 'away', 'final', 'final'] as const);
    if (what === 'final' && provider.isFaulty) return provider.lieAboutFinal(chance);
    if (what === 'away') {
      const ms = chance.between(1_000, LONGEST_OUTAGE_MS);
      provider.awayUntilMs = nowMs() + ms;
      return `${provider.name} is away for ${ms} ms`;
    }
    provider.lagBlocks = chance.hits(0.5) ? 0 : chance.between(1, weather().maxLagBlocks);
    return `${provider.name} is ${provider.lagBlocks} blocks behind`;
  }

  /** A faulty provider shows another branch; null where there is no such provider or no branch to show. */
  showBranch(): string | null {
    const { chance, nowMs } = this.#parts;
    const faulty = this.#all().filter(({ isFaulty }) => isFaulty);
    if (faulty.length === 0) return null;
    const provider = chance.pick(faulty);
    const untilMs = nowMs() + chance.between(1_000, LONGEST_BRANCH_MS);
    if (chance.hits(0.5)) return provider.sitOnLost(chance, untilMs);
    const forgery = this.#forgery(provider.chain);
    const forged = forgery === null ? [] : [{ ...forgery, from: PAYER }];
    return provider.makeUp(chance, untilMs, forged);
  }

  /** All of a chain's providers are out of reach. Returns it in words. */
  blackOut(chain: SimChain): string {
    const { chance, nowMs } = this.#parts;
    const ms = chance.between(1_000, LONGEST_OUTAGE_MS);
    for (const provider of this.#byChain.get(chain) ?? []) provider.awayUntilMs = nowMs() + ms;
    return `${chain.definition.name} cannot be reached for ${ms} ms`;
  }

  /**
   * Ends all faults. Of three providers of a chain, one may stay away for good, because two are enough. Returns the
   * names of those.
   */
  beHonest(): readonly string[] {
    const { chance } = this.#parts;
    const away: string[] = [];
    for (const providers of this.#byChain.values()) {
      const gone = providers.length > 2 && chance.hits(0.5) ? chance.pick(providers) : null;
      for (const provider of providers) provider.beHonest(provider === gone);
      if (gone !== null) away.push(gone.name);
    }
    return away;
  }

  #all(): readonly Provider[] {
    return [...this.#byChain.values()].flat();
  }

  /** A forged payment of as much as an order of this chain asks for. */
  #forgery(chain: SimChain): Forgery | null {
    const open = this.#parts.orders().filter(({ plan }) => plan.chain === chain);
    if (open.length === 0) return null;
    const { address, units, plan } = this.#parts.chance.pick(open);
    const { currencyId, contract } = plan.currency;
    return { to: address, units, currencyId, contract };
  }
}

/** A faulty provider with a habit answers all else honestly, so that it is trusted for longer. */
function lieRate({ habit }: Provider, topic: Topic, rate: number): number {
  if (habit === null) return rate;
  return habit === topic && rate > 0 ? Math.max(rate, HABIT_RATE) : 0;
}
