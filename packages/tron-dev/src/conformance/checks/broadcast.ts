// Checks of the answers to a broadcast.
import { printTransaction } from '../../http/json/print-transaction.ts';
import { contractSchemas } from '../../protocol/contracts.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import { make } from '../../protocol/schema.ts';
import { buildTransaction, type Transaction } from '../../protocol/transaction.ts';
import { addressOfKey, sign } from '../../protocol/signature.ts';
import { randomBytes } from 'node:crypto';
import { type Check, type CheckContext, holds, same } from '../check.ts';
import { at, integerAt } from '../node-client.ts';
import { broadcastHex, signedBy, transferCall } from '../transactions.ts';

const dayMs = 86_400_000;

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

/** Calls the payer's own address, which is no contract. */
function triggerOf(context: CheckContext, feeLimit: bigint): Promise<Transaction> {
  const { address } = context.payer;
  const value = make(contractSchemas.TriggerSmartContract, {
    owner_address: address,
    contract_address: address,
  });
  return signedBy(context, { name: 'TriggerSmartContract', value }, feeLimit);
}

/** The transaction with another reference or expiry, signed again. */
async function changed(
  context: CheckContext,
  frame: { hash?: string; expirationMs?: number; lifeMs?: number },
): Promise<Transaction> {
  const { raw } = await toWitness(context, 1n);
  const block = await context.node.full('getblock', {});
  const to = String(at(block, 'block_header', 'raw_data', 'witness_address'));
  const tx = buildTransaction(transferCall(context.payer.address, to, 1n), {
    refBlockBytes: raw.ref_block_bytes,
    refBlockHash: frame.hash ?? raw.ref_block_hash,
    expirationMs:
      frame.lifeMs === undefined
        ? (frame.expirationMs ?? Number(raw.expiration))
        : Number(integerAt(block, 'block_header', 'raw_data', 'timestamp')) + frame.lifeMs,
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
  refusal('a transaction without a signature', 'SIGERROR', async (context) => ({
    ...(await toWitness(context, 7n)),
    signatures: [],
  })),
  refusal('a signature too many', 'SIGERROR', async (context) => {
    const tx = await toWitness(context, 8n);
    return { ...tx, signatures: [...tx.signatures, ...tx.signatures] };
  }),
  refusal('a signature of 64 bytes', 'SIGERROR', async (context) => {
    const tx = await toWitness(context, 9n);
    return { ...tx, signatures: tx.signatures.map((signature) => signature.slice(0, 128)) };
  }),
  refusal('a reference to no block', 'TAPOS_ERROR', (context) => changed(context, { hash: '00'.repeat(8) })),
  refusal('an expired transaction', 'TRANSACTION_EXPIRATION_ERROR', (context) =>
    changed(context, { expirationMs: 1 }),
  ),
  refusal('a transaction that expires over a day after the head', 'TRANSACTION_EXPIRATION_ERROR', (context) =>
    changed(context, { lifeMs: 2 * dayMs }),
  ),
  refusal('a transaction that expires before the next slot', 'TRANSACTION_EXPIRATION_ERROR', (context) =>
    changed(context, { lifeMs: 2999 }),
  ),
  refusal('a transfer to oneself', 'CONTRACT_VALIDATE_ERROR', ({ payer, ...context }) =>
    signedBy({ payer, ...context }, transferCall(payer.address, payer.address, 1n)),
  ),
  refusal('a transfer of nothing', 'CONTRACT_VALIDATE_ERROR', (context) => toWitness(context, 0n)),
  refusal('a transfer of less than nothing', 'CONTRACT_VALIDATE_ERROR', (context) => toWitness(context, -1n)),
  refusal('a transfer of an account that is not there', 'CONTRACT_VALIDATE_ERROR', async (context) => {
    const privateKey = bytesToHex(randomBytes(32));
    const payer = { privateKey, address: addressOfKey(privateKey) };
    return signedBy({ ...context, payer }, transferCall(payer.address, context.payer.address, 1n));
  }),
  refusal('a call of no contract', 'CONTRACT_VALIDATE_ERROR', (context) => triggerOf(context, 1_000_000n)),
  refusal('a fee limit above the highest', 'CONTRACT_VALIDATE_ERROR', (context) =>
    triggerOf(context, 10n ** 12n),
  ),
  {
    name: 'a refusal is said as text in visible mode',
    run: async (context) => {
      const tx = await toWitness(context, 0n);
      const answer = await context.node.full('broadcasttransaction', {
        ...printTransaction(tx, null, true),
        visible: true,
      });
      same([answer['code'], answer['txid']], ['CONTRACT_VALIDATE_ERROR', tx.txId], 'answer');
      same(answer['message'], 'Contract validate error : Amount must be greater than 0.', 'message');
    },
  },
  {
    name: 'broadcasttransaction encodes raw_data anew, whatever raw_data_hex says',
    run: async (context) => {
      const tx = await toWitness(context, 11n);
      const json = { ...printTransaction(tx, null, false), raw_data_hex: 'ff' };
      same(await context.node.full('broadcasttransaction', json), { result: true, txid: tx.txId }, 'answer');
    },
  },
  {
    name: 'what was sent is shown at once with contractRet SUCCESS, before it has a receipt of a solid block',
    run: async (context) => {
      const tx = await toWitness(context, 12n);
      await sendJson(context, tx);
      const shown = await context.node.full('gettransactionbyid', { value: tx.txId });
      same([shown['txID'], at(shown, 'ret', 0, 'contractRet')], [tx.txId, 'SUCCESS'], 'transaction');
    },
  },
  refusal('a transfer of more than there is', 'CONTRACT_VALIDATE_ERROR', (context) =>
    toWitness(context, 10n ** 18n),
  ),
];
