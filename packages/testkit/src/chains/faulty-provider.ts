// A provider with arbitrary faults: a property test draws what it does to each call.
import type { ChainBlock } from '@ducat/gateway/chains/port/reader';
import type { ProviderReader } from '@ducat/gateway/chains/port/provider-reader';
import type { FakeProvider } from './fake/fake-provider.ts';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { Outage } from '@ducat/gateway/runtime/outage';
import fc from 'fast-check';
import type { World } from '@ducat/gateway/runtime/world';

const tricks = [
  'honest',
  'branch',
  'forged',
  'nothing',
  'too-high',
  'too-low',
  'slow',
  'stalled',
  'unavailable',
  'invalid',
  'throttled',
  'unsupported',
  'not-yet',
  'crash',
] as const;
export type Trick = (typeof tricks)[number];

/** What a faulty provider does to its calls, by method. Calls take the tricks in order, and begin again after the last. */
export interface Script {
  readonly head: readonly Trick[];
  readonly finality: readonly Trick[];
  readonly headers: readonly Trick[];
  readonly blocks: readonly Trick[];
}

const some = fc.array(fc.constantFrom(...tricks), { minLength: 1, maxLength: 4 });
/** Either the same trick for ever, or a sequence of different ones. */
const calls = fc.oneof(fc.constantFrom<Trick[]>(['honest'], ['branch'], ['forged'], ['stalled']), some);

export const anyScript: fc.Arbitrary<Script> = fc.record({
  head: calls,
  finality: calls,
  headers: calls,
  blocks: calls,
});

/** `branch` follows a branch of the faulty provider's own, with payments that never were. */
export function faultyProvider(
  honest: FakeProvider,
  branch: FakeProvider,
  script: Script,
  world: World,
): ProviderReader {
  const turns = { head: 0, finality: 0, headers: 0, blocks: 0 };
  const play = async <T>(
    part: keyof Script,
    read: (from: ProviderReader) => Promise<T>,
    forge: (truth: T, trick: Trick) => T,
  ): Promise<T> => {
    const trick = script[part][turns[part]++ % script[part].length] ?? 'honest';
    switch (trick) {
      case 'branch':
        return read(branch);
      case 'slow':
        await world.sleep(2_500);
        return read(honest);
      case 'stalled':
        await world.sleep(20_000);
        throw new Outage('timed out');
      case 'throttled':
        throw new Outage('429', { kind: 'throttled' });
      case 'unavailable':
      case 'invalid':
      case 'unsupported':
      case 'not-yet':
        throw new Outage(trick, { kind: trick });
      case 'crash':
        throw new TypeError('cannot read properties of undefined');
      case 'honest':
      case 'forged':
      case 'nothing':
      case 'too-high':
      case 'too-low':
        return forge(await read(honest), trick);
    }
  };
  const header = orNothing<BlockHeader>((truth) => ({
    ...truth,
    hash: `forged ${truth.number} ${turns.headers}`,
  }));
  const block = orNothing(forgedBlock);
  return {
    ...honest,
    head: () => play<number>('head', (from) => from.head(), number),
    finalHeight: () => play<number | null>('finality', (from) => from.finalHeight(), number),
    header: (at) => play('headers', (from) => from.header(at), header),
    headerByHash: (hash) => play('headers', (from) => from.headerByHash(hash), header),
    block: (at, query) => play('blocks', (from) => from.block(at, query), block),
    finalBlock: (at, query) => play('blocks', (from) => from.finalBlock(at, query), block),
  };
}

function number<T extends number | null>(truth: T, trick: Trick): T | number {
  if (trick === 'too-high' || trick === 'forged') return 1_000_000;
  return trick === 'too-low' || trick === 'nothing' ? 1 : truth;
}

function orNothing<T>(forge: (truth: T) => T): (truth: T | null, trick: Trick) => T | null {
  return (truth, trick) => {
    if (truth === null || trick === 'nothing') return null;
    return trick === 'forged' ? forge(truth) : truth;
  };
}

/** Adds a payment to a block. A block that proves its contents gets another hash by that. */
function forgedBlock(truth: ChainBlock): ChainBlock {
  const { header } = truth;
  const hash = truth.isProven ? `made up ${header.number}` : header.hash;
  const block = { ...header, hash };
  const payment = {
    chain: 'TEST',
    txId: `forged ${header.number}`,
    position: 'log:0',
    from: 'payer',
    to: 'ours',
  };
  return { ...truth, header: block, transfers: [{ ...payment, amount: amountOf(1000, 9n), block }] };
}
