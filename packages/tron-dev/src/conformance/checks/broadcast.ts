// Checks of the answers to a broadcast.
import { printTransaction } from '../../http/json/print-transaction.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import { buildTransaction, type Transaction } from '../../protocol/transaction.ts';
import { sign } from '../../protocol/signature.ts';
import { randomBytes } from 'node:crypto';
import { type Check, type CheckContext, holds, same } from '../check.ts';
import { at } from '../node-client.ts';
import { broadcastHex, signedBy, transferCall } from '../transactions.ts';

const sendJson = ({ node }: CheckContext, tx: Transaction) =>
  node.full('broadcasttransaction', { ...printTransaction(tx, null, false) });

const toWitness = async (context: CheckContext, sun: bigint) => {
  const block = await context.node.full('getblock', {});
  const to = String(at(block, 'block_header', 'raw_data', 'witness_address'));
  return signedBy(context, transferCall(context.payer.address, to, sun));
};

function refusal(name: string, code: string, build: (context: CheckContext) => Promise<Transaction>): Check {
  return {
    name: `${name} is ${code}, without a result`,
    run: async (context) => {
      const tx = await build(context);
      const answer = await sendJson(context, tx);
      same(answer['code'], code, 'code');
      same(answer['txid'], tx.txId, 'txid');
      holds(answer['result'] === undefined, 'there is a result');
      holds(/^([0-9a-f]{2})+$/.test(String(answer['message'])), 'the message is not hex');
    },
  };
}

/** The transaction with another reference or expiry, signed again. */
async function changed(
  context: CheckContext,
  frame: { hash?: string; expirationMs?: number },
): Promise<Transaction> {
  const { raw } = await toWitness(context, 1n);
  const block = await context.node.full('getblock', {});
  const to = String(at(block, 'block_header', 'raw_data', 'witness_address'));
  const tx = buildTransaction(transferCall(context.payer.address, to, 1n), {
    refBlockBytes: raw.ref_block_bytes,
    refBlockHash: frame.hash ?? raw.ref_block_hash,
    expirationMs: frame.expirationMs ?? Number(raw.expiration),
    timestampMs: Number(raw.timestamp),
  });
  return { ...tx, signatures: [sign(tx.txId, context.payer.privateKey)] };
}

export const broadcastChecks: readonly Check[] = [
  {
    name: 'broadcasttransaction answers success with result and txid alone',
    run: async (context) => {
      const tx = await toWitness(context, 3n);
      same(await sendJson(context, tx), { result: true, txid: tx.txId }, 'answer');
    },
  },
  {
    name: 'broadcasthex answers with result, code, message, txid and the transaction as text',
    run: async (context) => {
      const tx = await toWitness(context, 4n);
      const answer = await broadcastHex(context, tx);
      same([answer['result'], answer['code'], answer['txid']], [true, 'SUCCESS', tx.txId], 'answer');
      same(typeof answer['transaction'], 'string', 'transaction');
    },
  },
  refusal('a transaction sent twice', 'DUP_TRANSACTION_ERROR', async (context) => {
    const tx = await toWitness(context, 5n);
    await sendJson(context, tx);
    return tx;
  }),
  refusal('a foreign signature', 'SIGERROR', async (context) => {
    const tx = await toWitness(context, 6n);
    return { ...tx, signatures: [sign(tx.txId, bytesToHex(randomBytes(32)))] };
  }),
  refusal('a reference to no block', 'TAPOS_ERROR', (context) => changed(context, { hash: '00'.repeat(8) })),
  refusal('an expired transaction', 'TRANSACTION_EXPIRATION_ERROR', (context) =>
    changed(context, { expirationMs: 1 }),
  ),
  refusal('a transfer of more than there is', 'CONTRACT_VALIDATE_ERROR', (context) =>
    toWitness(context, 10n ** 18n),
  ),
];
