// A body belongs to the height that it was asked for, whatever block the node answers with.
import { blockIdOf } from '@ducat/tron-dev/protocol/block-header';
import { blockHeaderRaw } from '@ducat/tron-dev/protocol/messages';
import { make } from '@ducat/tron-dev/protocol/schema';
import { jsonOf } from '@ducat/testkit/chains/tron/json-of';
import { expect, it } from 'vitest';
import { fetchBody } from './fetch-body.ts';
import { createProvenBodies } from './proven-bodies.ts';

const raw = make(blockHeaderRaw, {
  number: 7n,
  txTrieRoot: '0'.repeat(64),
  parentHash: '1'.repeat(64),
  timestamp: 1_700_000_000_000n,
});
const { number, txTrieRoot, parentHash, timestamp } = raw;
const shown = { number, txTrieRoot, parentHash, timestamp };
const block = { blockID: blockIdOf(raw), block_header: { raw_data: shown } };

it.each([
  [6, false],
  [7, true],
  [8, false],
])('a block 7 that comes for %i', async (asked, isTaken) => {
  const body = fetchBody(() => Promise.resolve(jsonOf(block)), asked, createProvenBodies());
  if (isTaken) expect(await body).toMatchObject({ proven: { header: { number: 7 } }, transactions: [] });
  else await expect(body).rejects.toThrow(`was asked for block ${asked} and answered with 7`);
});
