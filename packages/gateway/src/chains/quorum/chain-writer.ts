// All providers of a chain, for outgoing money: bytes go to every provider, and no single provider is believed.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { defaultQuorum } from '@ducat/core/chain/quorum';
import type { DelegatedStake, StakeOffer } from '@ducat/core/collection/stake-offer';
import { type Amount, compare } from '@ducat/core/money/amount';
import { Outage } from '../../runtime/outage.ts';
import { type World, within } from '../../runtime/world.ts';
import type { BroadcastAnswer, ChainWriter, ProviderWriter, TransferEstimate } from '../port/writer.ts';
import { agreedEstimate, type Possible } from './agreed-estimate.ts';
import { limits } from './limits.ts';

export interface ChainWriterOptions {
  readonly definition: ChainDefinition;
  /** At least one. */
  readonly writers: readonly ProviderWriter[];
  /** The same as for the chain's reader. */
  readonly quorum?: number | null;
  readonly world: World;
}

/** Connects to nothing yet. */
export function createChainWriter({ definition, writers, quorum, world }: ChainWriterOptions): ChainWriter {
  const needed = quorum ?? defaultQuorum(writers.length);
  assert(needed >= 1 && needed <= writers.length, 'a quorum is one provider at least and all at most');
  const all: Asked = { chain: definition.name, writers, needed };
  return {
    definition,
    estimate: async (transfer) => {
      const collected = await collect(all, (writer) => writer.estimate(transfer));
      const { delegation = null, sweeping = null } = transfer;
      // mark: sweeps-need-a-quorum
      const isPlain = delegation === null && sweeping === null;
      return isPlain ? together(all, collected) : byQuorum(all, collected);
    },
    stakeOf: async (key) => {
      const { answers, failures } = await collect(all, (writer) => writer.stakeOf(key));
      const [first] = answers;
      if (first === undefined)
        throw new Outage(`${definition.name}: the stake of ${key.staker.address}: ${failures.join('; ')}`);
      // One provider may leave receivers out, so those of all providers are joined. Amounts are asked for one by one.
      const receivers = answers.flatMap((report) => report?.receivers ?? []);
      return first === null ? null : { ...first, receivers: [...new Set(receivers)] };
    },
    delegatedTo: async (staker, receivers) => {
      const { answers, failures } = await collect(all, (writer) => writer.delegatedTo(staker, receivers));
      if (answers.length < needed)
        throw new Outage(`${definition.name}: the delegations of ${staker}: ${failures.join('; ')}`);
      return receivers.map((_, place) =>
        agreedStake(
          answers.flatMap((stakes) => stakes[place] ?? []),
          needed,
        ),
      );
    },
    nextNonce: async (address, at) => {
      const what = `the nonce of ${address} after block ${at.number}`;
      return agreed(all, what, await collect(all, (writer) => writer.nextNonce(address, at)));
    },
    sweepGround: async (wallet, addresses, at) => {
      const what = `what stands at ${addresses.length} addresses after block ${at.number}`;
      const { answers, failures } = await collect(all, (writer) => writer.sweepGround(wallet, addresses, at));
      // Answers are compared as JSON texts: equal answers give equal texts.
      const texts = answers.map((ground) => JSON.stringify(ground));
      // mark: sweeps-by-a-quorum
      const found = agreed(all, what, { answers: texts, failures });
      return answers[texts.indexOf(found)] ?? null;
    },
    broadcast: async (bytes) => {
      const sends = writers.map((writer) => within(world, limits.broadcastMs, writer.broadcast(bytes)));
      return broadcastAnswer(await Promise.all(sends), writers);
    },
    knows: async (txId) => {
      const { answers } = await collect(all, (writer) => writer.knows(txId));
      return answers.length > 0 && answers.every((knows) => knows);
    },
  };
}

interface Asked {
  readonly chain: string;
  readonly writers: readonly ProviderWriter[];
  readonly needed: number;
}

interface Collected<T> {
  readonly answers: readonly T[];
  /** Why the other providers gave no answer, each with its name. */
  readonly failures: readonly string[];
}

async function collect<T>(
  { writers }: Asked,
  read: (writer: ProviderWriter) => Promise<T>,
): Promise<Collected<T>> {
  const answers: T[] = [];
  const failures: string[] = [];
  const asked = writers.map(async (writer) => {
    try {
      answers.push(await read(writer));
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      failures.push(`${writer.provider}: ${error.message}`);
    }
  });
  await Promise.all(asked);
  return { answers, failures };
}

/** The amounts that a quorum reports at least, because a single provider could report any sum. */
function agreedStake(stakes: readonly DelegatedStake[], needed: number): DelegatedStake {
  const agreed = (of: (one: DelegatedStake) => Amount): Amount => {
    const amount = stakes.map(of).toSorted((one, other) => compare(other, one))[needed - 1];
    assert(amount !== undefined, 'each provider answers for each receiver');
    return amount;
  };
  return { stake: agreed(({ stake }) => stake), withoutLock: agreed(({ withoutLock }) => withoutLock) };
}

/**
 * Possible where any provider says so. A transfer that cannot be done fails on the chain, and a provider that says
 * "impossible" stops no payout.
 */
function together(
  { chain, needed }: Asked,
  { answers, failures }: Collected<TransferEstimate>,
): TransferEstimate {
  const possible = answers.filter((one) => one.outcome === 'possible');
  const [first, ...others] = possible;
  if (first !== undefined) {
    const agreed = agreedEstimate([first, ...others], needed);
    const swept = leastSwept(possible);
    if (swept !== null) return { ...agreed, swept };
    return agreed.offer === undefined ? agreed : { ...agreed, offer: agreedOffer(possible, needed) };
  }
  const [impossible] = answers;
  if (impossible !== undefined && answers.length >= needed) return impossible;
  const reasons = failures.join('; ') || 'too few providers answer';
  throw new Outage(`${chain}: what a transfer costs: ${reasons}`);
}

/**
 * The least that any provider reports for each address; null where nothing is swept. A provider that reports too much could
 * have a sweep pay for nothing.
 */
function leastSwept(possible: readonly Possible[]): readonly Amount[] | null {
  const [first, ...others] = possible.flatMap(({ swept }) => (swept === undefined ? [] : [swept]));
  if (first === undefined) return null;
  return others.reduce(
    (one, other) => one.map((amount, place) => lesser(amount, other[place] ?? amount)),
    first,
  );
}

/**
 * The offer of a quorum. A single provider that exaggerates a stake would have collections wait for energy that is not
 * there.
 */
function agreedOffer(possible: readonly Possible[], needed: number): StakeOffer | null {
  const offers = possible.flatMap(({ offer }) => offer ?? []);
  const [first, ...others] = offers;
  // mark: a-stake-by-a-quorum
  if (first === undefined || offers.length < needed) return null;
  return others.reduce(
    (one, other) => ({
      staker: one.staker,
      stake: greater(one.stake, other.stake),
      free: compare(other.free, one.free) < 0 ? other.free : one.free,
      cost: greater(one.cost, other.cost),
      rest: greater(one.rest, other.rest),
    }),
    first,
  );
}

/**
 * A transaction that nodes refuse would be signed anew for ever. So no single provider decides whether it can be done. Where
 * providers differ, only this transaction waits.
 */
function byQuorum(all: Asked, { answers, failures }: Collected<TransferEstimate>): TransferEstimate {
  const enough = (are: (one: TransferEstimate) => boolean) => answers.filter(are).length >= all.needed;
  if (answers.length === 0 || enough((one) => one.outcome === 'possible'))
    return together(all, { answers, failures });
  const agreed = answers.find(
    (one) =>
      one.outcome === 'impossible' &&
      enough((other) => other.outcome === 'impossible' && other.stake === one.stake),
  );
  if (agreed !== undefined) return agreed;
  const texts = answers.map((one) => (one.outcome === 'possible' ? 'it can be done' : one.text));
  const text = [...texts, ...failures].join('; ');
  return { outcome: 'impossible', reason: 'reverts', stake: 'disputed', text };
}

function greater(one: Amount, other: Amount): Amount {
  return compare(one, other) < 0 ? other : one;
}

function lesser(one: Amount, other: Amount): Amount {
  return compare(one, other) > 0 ? other : one;
}

function agreed<T>({ chain, needed }: Asked, what: string, { answers, failures }: Collected<T>): T {
  const found = answers.find((answer) => answers.filter((one) => one === answer).length >= needed);
  // mark: nonces-by-a-quorum
  if (found !== undefined) return found;
  const kind = answers.length >= needed ? 'disagreement' : 'unavailable';
  const reports = [...answers.map(String), ...failures].join('; ');
  throw new Outage(`${chain}: ${what} needs ${needed} providers that agree: ${reports}`, { kind });
}

function broadcastAnswer(
  answers: readonly (BroadcastAnswer | null)[],
  writers: readonly ProviderWriter[],
): BroadcastAnswer {
  const said = answers.map((answer) => answer ?? ({ outcome: 'unknown', text: 'took too long' } as const));
  if (said.some(({ outcome }) => outcome === 'accepted')) return { outcome: 'accepted', text: '' };
  const text = said.map((one, index) => `${writers[index]?.provider}: ${one.text}`).join('; ');
  return { outcome: said.every(({ outcome }) => outcome === 'refused') ? 'refused' : 'unknown', text };
}
