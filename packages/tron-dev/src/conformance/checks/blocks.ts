// Checks of blocks: ids, links, signatures, and what is not there.
import { blockIdOf, headerHash } from '../../protocol/block-header.ts';
import { blockHeaderRaw } from '../../protocol/messages.ts';
import { recoverAddress } from '../../protocol/signature.ts';
import { parseMessage } from '../../http/json/parse-message.ts';
import { type Check, eventually, holds, same } from '../check.ts';
import { at, type Json } from '../node-client.ts';

const headerOf = (block: Json) => parseMessage(blockHeaderRaw, at(block, 'block_header', 'raw_data'), false);
const numberOf = (block: Json) => headerOf(block).number;

export const blockChecks: readonly Check[] = [
  {
    name: 'a block id is its height and the hash of its header, and its witness signed it',
    run: async ({ node }) => {
      const block = await node.full('getnowblock');
      const header = headerOf(block);
      same(block['blockID'], blockIdOf(header), 'block id');
      const signer = recoverAddress(
        headerHash(header),
        String(at(block, 'block_header', 'witness_signature')),
      );
      same(signer, header.witness_address, 'witness');
    },
  },
  {
    name: 'every block names its parent',
    run: async (context) => {
      const block = await eventually(context, 'a second block', async () => {
        const head = await context.node.full('getnowblock');
        return numberOf(head) > 1n ? head : null;
      });
      const parent = await context.node.full('getblockbynum', { num: numberOf(block) - 1n });
      same(at(block, 'block_header', 'raw_data', 'parentHash'), parent['blockID'], 'parent');
      same(
        (await context.node.full('getblockbyid', { value: parent['blockID'] }))['blockID'],
        parent['blockID'],
        'by id',
      );
    },
  },
  {
    name: 'getblock without detail leaves the transactions out',
    run: async ({ node }) =>
      holds((await node.full('getblock', {}))['transactions'] === undefined, 'transactions'),
  },
  {
    name: 'a height above the head is {}',
    run: async ({ node }) => {
      const head = numberOf(await node.full('getnowblock'));
      same(await node.full('getblockbynum', { num: head + 1000n }), {}, 'block');
    },
  },
  {
    name: 'a range that is too wide or inverted is {}',
    run: async ({ node }) => {
      same(await node.full('getblockbylimitnext', { startNum: 0n, endNum: 101n }), {}, 'wide');
      same(await node.full('getblockbylimitnext', { startNum: 5n, endNum: 3n }), {}, 'inverted');
    },
  },
  {
    name: 'receipts of a height that is not there yet are [], of no height {}',
    run: async ({ node }) => {
      const head = numberOf(await node.full('getnowblock'));
      same(await node.raw('/wallet/gettransactioninfobyblocknum', { num: head + 1000n }), [], 'future');
      same(await node.raw('/wallet/gettransactioninfobyblocknum', { num: 0n }), {}, 'zero');
    },
  },
  {
    name: 'the solid head is not ahead of the head, and getnodeinfo names both',
    run: async ({ node }) => {
      const solid = numberOf(await node.solid('getnowblock'));
      holds(solid <= numberOf(await node.full('getnowblock')), 'the solid head is ahead');
      const info = await node.full('getnodeinfo');
      for (const name of ['block', 'solidityBlock']) {
        holds(/^Num:\d+,ID:[0-9a-f]{64}$/.test(String(info[name])), `${name} is ${String(info[name])}`);
      }
    },
  },
  {
    name: 'unknown transactions and accounts are {}',
    run: async ({ node }) => {
      const value = 'ab'.repeat(32);
      same(await node.full('gettransactionbyid', { value }), {}, 'transaction');
      same(await node.full('gettransactioninfobyid', { value }), {}, 'receipt');
      same(await node.full('getaccount', { address: `41${'ab'.repeat(20)}` }), {}, 'account');
      same(await node.full('getaccountresource', { address: `41${'ab'.repeat(20)}` }), {}, 'resources');
    },
  },
];
