// Checks of TRX transfers: the fields of block and receipt, the root, and becoming solid.
import { randomBytes } from 'node:crypto';
import { parseMessage } from '../../http/json/parse-message.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import { merkleRoot } from '../../protocol/merkle.ts';
import { transactionResult } from '../../protocol/messages.ts';
import { addressOfKey } from '../../protocol/signature.ts';
import { encodeTransaction, transactionOf } from '../../protocol/transaction.ts';
import { type Check, type CheckContext, eventually, holds, same } from '../check.ts';
import { at, integerAt, type Json, listAt, textsAt } from '../node-client.ts';
import { included, signedBy, transferCall } from '../transactions.ts';

const freshAddress = () => addressOfKey(bytesToHex(randomBytes(32)));

async function transfer(context: CheckContext): Promise<{ txId: string; to: string; info: Json }> {
  const to = freshAddress();
  const tx = await signedBy(context, transferCall(context.payer.address, to, 1_000_000n));
  return { txId: tx.txId, to, info: await included(context, tx) };
}

export const transferChecks: readonly Check[] = [
  {
    name: 'a transfer to a new address activates it, and the receipt shows the fees of the chain parameters',
    run: async (context) => {
      const { to, info } = await transfer(context);
      const answer = await context.node.full('getchainparameters');
      const entries = listAt(answer, 'chainParameter').map(
        (entry) => [String(entry['key']), integerAt(entry, 'value')] as const,
      );
      const parameters = new Map(entries);
      const account = parameters.get('getCreateNewAccountFeeInSystemContract') ?? 0n;
      const bandwidth = parameters.get('getCreateAccountFee') ?? 0n;
      const isStaked = at(info, 'receipt', 'net_usage') !== undefined;
      same(info['fee'] ?? 0n, account + (isStaked ? 0n : bandwidth), 'fee');
      same(info['contractResult'], [''], 'contractResult');
      same(at(await context.node.full('getaccount', { address: to }), 'balance'), 1_000_000n, 'balance');
    },
  },
  {
    name: 'the root of a block is computed from raw_data_hex, signatures and ret of its transactions',
    run: async (context) => {
      const { info } = await transfer(context);
      const block = await context.node.full('getblockbynum', { num: info['blockNumber'] });
      const leaves = listAt(block, 'transactions').map((json) => {
        const tx = transactionOf(String(json['raw_data_hex']), textsAt(json, 'signature'));
        same(json['txID'], tx.txId, 'txID');
        const results = listAt(json, 'ret').map((ret) => parseMessage(transactionResult, ret, false));
        return encodeTransaction(tx, results);
      });
      same(at(block, 'block_header', 'raw_data', 'txTrieRoot'), merkleRoot(leaves), 'root');
    },
  },
  {
    name: 'receipts of a block are in the order of its transactions',
    run: async (context) => {
      const { info } = await transfer(context);
      const block = await context.node.full('getblockbynum', { num: info['blockNumber'] });
      const infos = await context.node.raw('/wallet/gettransactioninfobyblocknum', {
        num: info['blockNumber'],
      });
      const ids = listAt(block, 'transactions').map(({ txID }) => txID);
      same(
        listAt(infos).map(({ id }) => id),
        ids,
        'ids',
      );
    },
  },
  {
    name: 'the solid view shows a transaction once its block is solid',
    run: async (context) => {
      const { txId, info } = await transfer(context);
      const solid = await eventually(context, 'solidity', async () => {
        const found = await context.node.solid('gettransactioninfobyid', { value: txId });
        return found['id'] === undefined ? null : found;
      });
      same(solid, info, 'receipt');
      const head = await context.node.solid('getblock', {});
      const height = integerAt(head, 'block_header', 'raw_data', 'number');
      holds(height >= integerAt(info, 'blockNumber'), 'the solid head is below the block');
    },
  },
];
