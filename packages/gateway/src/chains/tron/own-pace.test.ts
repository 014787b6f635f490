// The pace at which an operator has nodes asked is no slowness of theirs; hundreds of questions for one block are.
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { call, tokenHex } from '@ducat/testkit/chains/tron/read-bytes';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import {
  bytes,
  type MinedBlock,
  mineBytes,
  number,
  ownerHex,
  recipientHex,
} from '@ducat/testkit/chains/tron/tron-bytes';
import { tronEndpoints } from './endpoints.ts';
import { readSolid } from './read-solid.ts';
import { watchedOf } from './watched.ts';

const watched = watchedOf([testCurrency(1000, null)], 'debug');
const inner = {
  caller_address: tokenHex,
  transferTo_address: recipientHex,
  callValueInfo: [{ callValue: 3 }],
  note: Buffer.from('call').toString('hex'),
};
const blocks = 64;
const firstHeight = 10;
const perBlock = 20;
const mine = (height: number, calls: number) =>
  mineBytes(
    height,
    Array.from({ length: calls }, (_, at) => ({
      raw: call(bytes(1, ownerHex) + bytes(2, tokenHex) + number(3, height * perBlock + at + 1)),
      executed: 'SUCCESS',
      receipt: { internal_transactions: [inner] },
    })),
  );
const root = '0'.repeat(64);
const rawGenesis = { timestamp: 1, txTrieRoot: root, parentHash: root };
const genesisId = `${'0'.repeat(16)}${sha256(number(1, 1) + bytes(2, root) + bytes(3, root)).slice(16)}`;
const genesis = { block: { blockID: genesisId, block_header: { raw_data: rawGenesis } }, receipts: [] };
const mined = new Map<number, Pick<MinedBlock, 'block' | 'receipts'>>([
  [0, genesis],
  [1, mine(1, 1)],
  ...Array.from({ length: blocks }, (_, at) => [firstHeight + at, mine(firstHeight + at, perBlock)] as const),
]);
const byId = new Map([...mined.values()].flatMap(({ receipts }) => receipts.map((one) => [one['id'], one])));
const urls = [1, 2, 3].map((port) => `http://127.0.0.1:${port}`);

function sha256(hex: string): string {
  return createHash('sha256').update(hex, 'hex').digest('hex');
}

/** What a node answers at once. `refusing` is the one that gives receipts only one by one. */
function answer(url: URL, question: Readonly<Record<string, unknown>>, refusing: number | null): Response {
  const block = mined.get(Number(question['num'] ?? question['id_or_num']));
  const method = url.pathname.split('/').at(-1);
  if (method === 'gettransactioninfobyid') return told(byId.get(question['value']));
  if (method === 'getblock') return told({ ...block?.block, transactions: undefined });
  if (method === 'getblockbynum') return told(block?.block ?? {});
  return Number(url.port) === refusing ? new Response('', { status: 413 }) : told(block?.receipts ?? []);
}

function told(value: unknown): Response {
  return new Response(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)),
  );
}

/** Reads blocks, so many at the same time, and says who is well and who is spare. */
async function readAll(requestsPerSecond: number, atOnce: number, refusing: number | null = null) {
  const world = manualWorld();
  const chainId = Number.parseInt(genesisId.slice(-8), 16);
  const definition = { ...testDefinition({ family: 'tron' }), chainId, genesisHash: null };
  const pool = tronEndpoints({
    definition,
    rpcUrls: urls,
    world,
    requestsPerSecond,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return answer(new URL(request.url), JSON.parse(await request.text()), refusing);
    },
  });
  let isDone = false;
  const work = (async () => {
    for (let from = 0; from < blocks; from += atOnce) {
      const heights = Array.from({ length: atOnce }, (_, at) => firstHeight + from + at);
      await Promise.all(heights.map((height) => readSolid(pool, 'TRON', height, watched)));
    }
  })().finally(() => (isDone = true));
  work.catch(() => undefined);
  while (!isDone) {
    await turn();
    world.advance(20);
  }
  await work;
  const health = pool.health();
  return { healthy: health.map(({ healthy }) => healthy), spare: pool.map(({ isSpare }) => isSpare) };
}

it.each([1, 3, 5, 15])(
  'nodes that answer at once are not slow at %i questions in a second',
  async (perSecond) => {
    expect(await readAll(perSecond, 32)).toEqual({
      healthy: [true, true, true],
      spare: [false, false, false],
    });
  },
);

// hits mark: one-by-one-is-no-pace-of-ours
it('one that makes us ask for each receipt of each block is', async () => {
  expect(await readAll(15, 16, 3)).toEqual({
    healthy: [true, true, false],
    spare: [false, false, true],
  });
});
