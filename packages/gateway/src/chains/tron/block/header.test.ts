// Headers as public nodes of the Nile test network showed them prove their ids, and none that was changed does.
import { blockIdOf } from '@ducat/tron-dev/protocol/block-header';
import { blockHeaderRaw } from '@ducat/tron-dev/protocol/messages';
import { make } from '@ducat/tron-dev/protocol/schema';
import { tron } from '@ducat/core/chain/definitions/tron';
import { jsonOf } from '@ducat/testkit/chains/tron/json-of';
import { describe, expect, it } from 'vitest';
import { headerAt, provenHeader } from './header.ts';

const id = '0000000003fe266bf6b6d392f654dc2e5011601546ed04623d9fcc4e9d439a25';
const raw = {
  number: 66987627n,
  txTrieRoot: 'f8156964cc3e5793a368f938a18ea45c02bd48fe3a412f7091ce8d9ef56df174',
  witness_address: '41e7860196ad5b5718c1d6326babab039b70b8c1cd',
  parentHash: '0000000003fe266a65d5194c947f6f7a059d4646c8e9a5293226bc7fdcfc775e',
  version: 34n,
  timestamp: 1777445307000n,
};
const block = (change: object = {}) =>
  jsonOf({ blockID: id, block_header: { raw_data: { ...raw, ...change } } });

describe('a header', () => {
  it('gives the id that the network gave it', () => {
    expect(provenHeader(block())).toEqual({
      header: { number: 66_987_627, hash: id, parentHash: raw.parentHash, time: 1_777_445_307 },
      timestampMs: raw.timestamp,
      transactionsRoot: raw.txTrieRoot,
    });
  });

  it.each<readonly [string, object, RegExp]>([
    ['another height', { number: 66987628n }, /does not give its id/],
    ['another time', { timestamp: 1777445307001n }, /does not give its id/],
    ['another root', { txTrieRoot: '0'.repeat(64) }, /does not give its id/],
    ['another parent', { parentHash: '1'.repeat(64) }, /does not give its id/],
    ['a field that is not known', { extra: 1n }, /block 66987627 has a field that is not known here/],
    ['a time that was rounded', { timestamp: 1.5 }, /no integer/],
    ['a height beyond counting', { number: 2n ** 60n }, /a block number that cannot be counted/],
  ])('with %s is not believed', (_, change, message) => {
    expect(() => provenHeader(block(change))).toThrow(message);
  });

  it('with a time beyond counting is not believed, although it gives its id', () => {
    const late = { ...raw, timestamp: 2n ** 60n };
    const id = blockIdOf(make(blockHeaderRaw, late));
    const answer = jsonOf({ blockID: id, block_header: { raw_data: late } });
    expect(() => provenHeader(answer)).toThrow('a block time that cannot be counted');
  });

  it('of block 0 of mainnet gives the genesis that the definition states', () => {
    const motto =
      'A new system must allow existing systems to be linked together without requiring any central control';
    const genesis = {
      txTrieRoot: '8ef446bf3f395af929c218014f6101ec86576c5f61b2ae3236bf3a2ab5e2fecd',
      witness_address: Buffer.from(`${motto} or coordination`).toString('hex'),
      parentHash: 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f',
    };
    const answer = jsonOf({ blockID: tron.genesisHash, block_header: { raw_data: genesis } });
    expect(provenHeader(answer)?.header).toMatchObject({ number: 0, hash: tron.genesisHash });
    expect(Number.parseInt(tron.genesisHash?.slice(-8) ?? '', 16)).toBe(tron.chainId);
  });

  it.each<readonly [string, number | string | null, boolean]>([
    ['its height', 66_987_627, true],
    ['the height below', 66_987_626, false],
    ['the height above', 66_987_628, false],
    ['its id', id, true],
    ['another id', `${id.slice(0, -1)}6`, false],
    ['no name', null, true],
  ])('that is asked for by %s', async (_, name, isTaken) => {
    const asked = headerAt(() => Promise.resolve(block()), name);
    if (isTaken) expect((await asked)?.header.hash).toBe(id);
    else await expect(asked).rejects.toThrow(`was asked for block ${name} and answered with 66987627`);
  });

  it('is absent where the node has no block, and not where it has half of one', () => {
    expect(provenHeader(jsonOf({}))).toBeNull();
    expect(() => provenHeader(jsonOf({ block_header: {} }))).toThrow('without id');
  });
});
