// A block of which two do not show all: whoever rests or lags is waited for, and nobody can make it wait for ever.
import { expect, it } from 'vitest';
import { unitsOf } from '@ducat/core/money/amount';
import type { ChainBlock } from '../port.ts';
import { BehindHead } from '../endpoint/behind-head.ts';
import { EndpointPool } from '../endpoint/endpoint-pool.ts';
import { Throttled } from '../endpoint/throttled.ts';
import { call, tokenHex, tokenLog, transfer } from '@ducat/testkit/chains/tron/read-bytes';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { bytes, mineBytes, ownerHex, transferPayload } from '@ducat/testkit/chains/tron/tron-bytes';
import { TronEndpoint } from './endpoint.ts';
import { type NodeApi, NodeError } from './node-api.ts';
import { readSolid } from './read-solid.ts';
import { watchedOf } from './watched.ts';

const height = 9;
const watched = watchedOf([testCurrency(1000, null), testCurrency(1001, tokenHex)], 'debug');
const mined = mineBytes(height, [
  { raw: transfer(transferPayload(7)) },
  {
    raw: call(bytes(1, ownerHex) + bytes(2, tokenHex)),
    executed: 'SUCCESS',
    receipt: { log: [tokenLog] },
  },
]);

class OnAnyChain extends TronEndpoint {
  protected override checkIdentity(): Promise<void> {
    return Promise.resolve();
  }
}

interface Moment {
  /** Since the first asking. */
  readonly ms: number;
  readonly round: number;
}

/** Throws what the node does at that moment, or gives its answer; all of the block where it gives none. */
type Node = (moment: Moment, part: 'header' | 'body' | 'receipts') => unknown;

/** Asks every so often until the block is told, and says when that was. */
async function read(everyMs: number, nodes: readonly Node[]) {
  const world = manualWorld();
  const fromMs = world.nowMs();
  let round = 0;
  const endpoints = nodes.map((node, index) => {
    const api: NodeApi = async (method, question) => {
      const isHere = question['num'] === height || question['id_or_num'] === String(height);
      const moment = { ms: world.nowMs() - fromMs, round };
      if (method === 'getblock') {
        const header = { ...mined.block, transactions: undefined };
        return isHere ? (node(moment, 'header') ?? header) : header;
      }
      if (method === 'getblockbynum') return isHere ? (node(moment, 'body') ?? mined.block) : {};
      return isHere ? (node(moment, 'receipts') ?? mined.receipts) : [];
    };
    const views = { full: api, solid: api };
    const definition = testDefinition({ family: 'tron' });
    return new OnAnyChain({ name: `node#${index + 1}`, ...views, unhurried: views, definition, world });
  });
  const pool = new EndpointPool('TRON', endpoints);
  for (; round < 1_000; round++) {
    const block = await readSolid(pool, 'TRON', height, watched).catch(() => null);
    if (block !== null) return { block, ms: world.nowMs() - fromMs };
    world.advance(everyMs);
  }
  return expect.fail('waited for ever');
}

const units = ({ transfers }: ChainBlock) => transfers.map(({ amount }) => unitsOf(amount));
const reasons = ({ untraced }: ChainBlock) => untraced.map(({ reason }) => reason);

const honest: Node = () => undefined;
const refuse = (): never => {
  throw new NodeError('answered error: JSONException');
};
const without =
  (...parts: readonly string[]): Node =>
  (_, part) =>
    parts.includes(part) ? refuse() : undefined;
const away =
  (untilMs: number, outage: () => Error): Node =>
  ({ ms }) => {
    if (ms < untilMs) throw outage();
  };
const throttled = () => new Throttled('wants to be asked less often (HTTP 429)', 30_000);
const outages: readonly (readonly [string, () => Error])[] = [
  ['is throttled', throttled],
  ['lags', () => new BehindHead(height)],
];

it.each(outages)(
  'a token that two honest nodes tell is not withheld while one of them %s',
  async (_, outage) => {
    // hits mark: away-takes-the-long-patience
    const { block, ms } = await read(3_000, [honest, away(30_000, outage), without('receipts')]);
    expect([units(block), reasons(block), ms]).toEqual([[7n, 5n], [], 30_000]);
  },
);

it.each(outages)('a body that one alone shows is waited for while that one %s', async (_, outage) => {
  const { block, ms } = await read(3_000, [without('body'), away(30_000, outage), without('body')]);
  expect([units(block), reasons(block), ms]).toEqual([[7n, 5n], [], 30_000]);
});

it('and what is withheld in the end is named, when the long patience is over', async () => {
  const { block, ms } = await read(3_000, [honest, away(Infinity, throttled), without('receipts')]);
  expect([units(block), reasons(block), ms]).toEqual([[7n], ['unclear-receipt'], 300_000]);
});

it('while nobody is away it takes the short patience alone', async () => {
  const { block, ms } = await read(3_000, [honest, without('receipts'), without('receipts')]);
  expect([units(block), reasons(block), ms]).toEqual([[7n], ['unclear-receipt'], 12_000]);
});

it.each([3_000, 30_000])(
  'one that shows by turns an unproven body and receipts is outlasted at last (asked every %i ms)',
  async (everyMs) => {
    const unsigned = () => {
      const list = mined.block['transactions'];
      const transactions = Array.isArray(list) ? list.map((one) => ({ ...one, signature: [] })) : [];
      return { ...mined.block, transactions };
    };
    const alternating: Node = ({ round }, part) => {
      if (part === 'header') return undefined;
      if ((part === 'body') !== (round % 2 === 0)) return refuse();
      return part === 'body' ? unsigned() : undefined;
    };
    const mute = without('body', 'receipts');
    const { block, ms } = await read(everyMs, [mute, mute, alternating]);
    expect(units(block)).toEqual([]);
    expect(reasons(block)).toContain('unshown-receipts');
    expect(ms).toBeLessThan(400_000);
  },
);
