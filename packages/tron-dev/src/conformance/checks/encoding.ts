// Checks of how answers are written and requests are read.
import { readJson } from '../../http/json/json-text.ts';
import { toBase58 } from '../../protocol/address.ts';
import { type Check, type CheckContext, eventually, holds, same } from '../check.ts';
import { at, integerAt, listAt } from '../node-client.ts';

async function headNumber({ node }: CheckContext): Promise<bigint> {
  return integerAt(await node.full('getblock', {}), 'block_header', 'raw_data', 'number');
}

async function parameter({ node }: CheckContext, name: string): Promise<bigint> {
  const all = listAt(await node.full('getchainparameters'), 'chainParameter');
  return integerAt(
    all.find(({ key }) => key === name),
    'value',
  );
}

/** Checks that the answer is an Error object, and that its status is 200 all the same. */
async function isError({ node }: CheckContext, path: string, text: string): Promise<void> {
  const answer = await node.post(path, text);
  same(answer.status, 200, 'status');
  same(typeof at(readJson(answer.text), 'Error'), 'string', 'Error');
}

export const encodingChecks: readonly Check[] = [
  {
    name: 'a height given as text is an Error',
    run: (context) => isError(context, '/wallet/getblockbynum', '{"num":"3"}'),
  },
  {
    name: 'a body that is no JSON is an Error',
    run: (context) => isError(context, '/wallet/getblockbynum', '{"num":'),
  },
  {
    name: 'a block named by neither height nor id is an Error',
    run: (context) => isError(context, '/wallet/getblock', '{"id_or_num":"nonsense"}'),
  },
  {
    name: 'broadcasthex of what is no hex is an Error',
    run: (context) => isError(context, '/wallet/broadcasthex', '{"transaction":"zz"}'),
  },
  {
    name: 'getnowblock answers whatever its body is',
    run: async ({ node }) => {
      const { text } = await node.post('/wallet/getnowblock', '{"broken');
      same(typeof at(readJson(text), 'blockID'), 'string', 'blockID');
    },
  },
  {
    name: 'a POST to no call is 405',
    run: async ({ node }) => same((await node.post('/wallet/nosuchcall', '{}')).status, 405, 'status'),
  },
  {
    name: 'unknown keys of a question are ignored',
    run: async ({ node }) => {
      const block = await node.full('getblockbynum', { num: 0n, nonsense: true });
      same(block['blockID'], (await node.full('getblockbynum', { num: 0n }))['blockID'], 'block');
    },
  },
  {
    name: 'the genesis block names no height, as 0 is a default',
    run: async ({ node }) => {
      const genesis = await node.full('getblockbynum', { num: 0n });
      same(at(genesis, 'block_header', 'raw_data', 'number'), undefined, 'number');
    },
  },
  {
    name: 'an empty block has no transactions, and a root of zeros',
    run: async (context) => {
      const block = await eventually(context, 'an empty block', async () => {
        const head = await context.node.full('getnowblock');
        return head['transactions'] === undefined ? head : null;
      });
      same(at(block, 'block_header', 'raw_data', 'txTrieRoot'), '0'.repeat(64), 'root');
    },
  },
  {
    name: 'visible shows addresses in base58',
    run: async ({ node, payer }) => {
      const asked = { address: toBase58(payer.address), visible: true };
      same((await node.full('getaccount', asked))['address'], toBase58(payer.address), 'address');
      same((await node.full('getaccount', { address: payer.address }))['address'], payer.address, 'hex');
    },
  },
  {
    name: 'getblockbylatestnum gives the newest first, and {} for none and for 100',
    run: async ({ node }) => {
      const numbers = listAt(await node.full('getblockbylatestnum', { num: 2n }), 'block').map((block) =>
        integerAt(block, 'block_header', 'raw_data', 'number'),
      );
      same(numbers.length, 2, 'blocks');
      same(numbers[0], (numbers[1] ?? 0n) + 1n, 'order');
      for (const num of [0n, 100n]) same(await node.full('getblockbylatestnum', { num }), {}, `${num}`);
    },
  },
  {
    name: 'a range stops at the head',
    run: async (context) => {
      const head = await headNumber(context);
      const range = { startNum: head, endNum: head + 100n };
      const blocks = listAt(await context.node.full('getblockbylimitnext', range), 'block');
      const most = (await headNumber(context)) - head + 1n;
      holds(blocks.length >= 1 && BigInt(blocks.length) <= most, `${blocks.length} blocks`);
    },
  },
  {
    name: 'a block of the future has 0 transactions, one of the past as many as it shows',
    run: async (context) => {
      const { node } = context;
      const num = await headNumber(context);
      const count = async (height: bigint) => node.full('gettransactioncountbyblocknum', { num: height });
      same(await count(num + 1000n), { count: 0n }, 'future');
      const shown = listAt(await node.full('getblockbynum', { num }), 'transactions').length;
      same(await count(num), { count: BigInt(shown) }, 'past');
    },
  },
  {
    name: 'resources and parameters have no twin on the solidity node',
    run: async ({ node }) => {
      for (const call of ['getaccountresource', 'getchainparameters', 'broadcasthex']) {
        same((await node.post(`/walletsolidity/${call}`, '{}')).status, 405, call);
      }
    },
  },
  {
    name: 'the histories of prices end with the prices of the chain parameters',
    run: async (context) => {
      for (const [call, name] of [
        ['getenergyprices', 'getEnergyFee'],
        ['getbandwidthprices', 'getTransactionFee'],
      ] as const) {
        const prices = String((await context.node.full(call))['prices']);
        same(prices.split(':').at(-1), String(await parameter(context, name)), call);
      }
    },
  },
];
