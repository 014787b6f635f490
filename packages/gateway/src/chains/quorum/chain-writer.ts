// All providers of a chain, for money that is to leave: bytes go to every one, and no single one is believed.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { defaultQuorum } from '@ducat/core/chain/quorum';
import { compare } from '@ducat/core/money/amount';
import { Outage } from '../../runtime/outage.ts';
import { type World, within } from '../../runtime/world.ts';
import type { BroadcastAnswer, ChainWriter, ProviderWriter, TransferEstimate } from '../port/writer.ts';
import { limits } from './limits.ts';

export interface ChainWriterOptions {
  readonly definition: ChainDefinition;
  /** At least one. */
  readonly writers: readonly ProviderWriter[];
  /** As for reading. */
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
    estimate: async (transfer) => dearest(all, await collect(all, (writer) => writer.estimate(transfer))),
    nextNonce: async (address, at) => {
      const what = `the nonce of ${address} after block ${at.number}`;
      return agreed(all, what, await collect(all, (writer) => writer.nextNonce(address, at)));
    },
    broadcast: async (bytes) => {
      const sends = writers.map((writer) => within(world, limits.broadcastMs, writer.broadcast(bytes)));
      return together(await Promise.all(sends), writers);
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
  /** Why the others gave none, each with its name. */
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

/** One that reports too little would have a transfer fail or wait; one that reports too much is held by the cap. */
function dearest(
  { chain, needed }: Asked,
  { answers, failures }: Collected<TransferEstimate>,
): TransferEstimate {
  const possible = answers.filter((one) => one.outcome === 'possible');
  const [first, ...others] = possible;
  if (first !== undefined)
    return others.reduce((most, one) => (compare(one.most, most.most) > 0 ? one : most), first);
  const [impossible] = answers;
  if (impossible !== undefined && answers.length >= needed) return impossible;
  const reasons = failures.join('; ') || 'too few providers answer';
  throw new Outage(`${chain}: what a transfer costs: ${reasons}`);
}

function agreed<T>({ chain, needed }: Asked, what: string, { answers, failures }: Collected<T>): T {
  const found = answers.find((answer) => answers.filter((one) => one === answer).length >= needed);
  // mark: nonces-by-a-quorum
  if (found !== undefined) return found;
  const kind = answers.length >= needed ? 'disagreement' : 'unavailable';
  const reports = [...answers.map(String), ...failures].join('; ');
  throw new Outage(`${chain}: ${what} needs ${needed} providers that agree: ${reports}`, { kind });
}

function together(
  answers: readonly (BroadcastAnswer | null)[],
  writers: readonly ProviderWriter[],
): BroadcastAnswer {
  const said = answers.map((answer) => answer ?? ({ outcome: 'unknown', text: 'took too long' } as const));
  if (said.some(({ outcome }) => outcome === 'accepted')) return { outcome: 'accepted', text: '' };
  const text = said.map((one, index) => `${writers[index]?.provider}: ${one.text}`).join('; ');
  return { outcome: said.every(({ outcome }) => outcome === 'refused') ? 'refused' : 'unknown', text };
}
