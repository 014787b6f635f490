// Builds, signs and sends transactions for the checks, offline apart from the reference block.
import { referenceTo } from '../protocol/block-header.ts';
import { contractSchemas } from '../protocol/contracts.ts';
import { make } from '../protocol/schema.ts';
import { sign } from '../protocol/signature.ts';
import {
  buildTransaction,
  type ContractCall,
  encodeTransaction,
  type Transaction,
} from '../protocol/transaction.ts';
import { type CheckContext, eventually, same } from './check.ts';
import { at, type Json } from './node-client.ts';

/** Makes the timestamps of one run differ, because equal raw data would be the same transaction. */
let lastTimestamp = 0;

/** A signed transaction that lives for a minute after the head. `feeLimit` is sun. */
export async function signedBy(
  context: CheckContext,
  call: ContractCall,
  feeLimit = 0n,
  more: { readonly permissionId?: bigint; readonly memo?: string } = {},
): Promise<Transaction> {
  const head = await context.node.full('getblock', { detail: false });
  const headTime = Number(at(head, 'block_header', 'raw_data', 'timestamp'));
  lastTimestamp = Math.max(lastTimestamp + 1, headTime);
  const unsigned = buildTransaction(call, {
    ...referenceTo(String(head['blockID'])),
    expirationMs: headTime + 60_000,
    timestampMs: lastTimestamp,
    feeLimit,
    ...more,
  });
  return { ...unsigned, signatures: [sign(unsigned.txId, context.payer.privateKey)] };
}

export function transferCall(from: string, to: string, amount: bigint): ContractCall {
  const value = make(contractSchemas.TransferContract, { owner_address: from, to_address: to, amount });
  return { name: 'TransferContract', value };
}

export function broadcastHex(context: CheckContext, tx: Transaction): Promise<Json> {
  return context.node.full('broadcasthex', { transaction: encodeTransaction(tx, []) });
}

/** Broadcasts the transaction and returns its receipt once a block includes it. */
export async function included(context: CheckContext, tx: Transaction): Promise<Json> {
  const answer = await broadcastHex(context, tx);
  same(answer['code'], 'SUCCESS', `broadcast (${String(answer['message'])})`);
  return eventually(context, 'the receipt', async () => {
    const info = await context.node.full('gettransactioninfobyid', { value: tx.txId });
    return info['id'] === undefined ? null : info;
  });
}
