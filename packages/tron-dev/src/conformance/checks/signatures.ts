// Checks of the node's answers about the signatures of a transaction that was not broadcast.
import { randomBytes } from 'node:crypto';
import { printTransaction } from '../../http/json/print-transaction.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import { addressOfKey, sign } from '../../protocol/signature.ts';
import type { Transaction } from '../../protocol/transaction.ts';
import { type Check, type CheckContext, same } from '../check.ts';
import { at, type Json } from '../node-client.ts';
import { broadcastHex, signedBy, transferCall } from '../transactions.ts';

const freshKey = () => bytesToHex(randomBytes(32));

/** The answer of `call` about a transfer of the payer with these signatures. */
async function askAbout(
  call: string,
  context: CheckContext,
  signatures: (tx: Transaction) => readonly string[],
): Promise<Json> {
  const tx = await signedBy(context, transferCall(context.payer.address, addressOfKey(freshKey()), 1n));
  return context.node.full(call, { ...printTransaction({ ...tx, signatures: signatures(tx) }, null, false) });
}

const threshold = (answer: Json) => at(answer, 'permission', 'threshold');

export const signatureChecks: readonly Check[] = [
  {
    name: 'a transaction without a signature has not enough, of a permission that is shown',
    run: async (context) => {
      const answer = await askAbout('getsignweight', context, () => []);
      same(answer['result'], { code: 'NOT_ENOUGH_PERMISSION' }, 'result');
      same([threshold(answer), answer['current_weight']], [1n, undefined], 'permission and weight');
    },
  },
  {
    name: 'a transaction with its signature has enough, which is a default',
    run: async (context) => {
      const answer = await askAbout('getsignweight', context, ({ signatures }) => signatures);
      same(answer['result'], {}, 'result');
      same([threshold(answer), answer['current_weight']], [1n, 1n], 'permission and weight');
      same(answer['approved_list'], [context.payer.address], 'approved');
    },
  },
  {
    name: 'a signature of another key is PERMISSION_ERROR, and says whose it is',
    run: async (context) => {
      const answer = await askAbout('getsignweight', context, ({ txId }) => [sign(txId, freshKey())]);
      same(at(answer, 'result', 'code'), 'PERMISSION_ERROR', 'code');
      same(typeof at(answer, 'result', 'message'), 'string', 'message');
    },
  },
  {
    name: 'getapprovedlist names any key that signed',
    run: async (context) => {
      const key = freshKey();
      const answer = await askAbout('getapprovedlist', context, ({ txId }) => [sign(txId, key)]);
      same(answer['approved_list'], [addressOfKey(key)], 'approved');
    },
  },
  {
    name: 'the recovery byte of a signature may be 27 or 28',
    run: async (context) => {
      const tx = await signedBy(context, transferCall(context.payer.address, addressOfKey(freshKey()), 1n));
      const signature = tx.signatures[0] ?? '';
      const byte = Number.parseInt(signature.slice(128), 16) + 27;
      const answer = await broadcastHex(context, {
        ...tx,
        signatures: [signature.slice(0, 128) + byte.toString(16)],
      });
      same(answer['code'], 'SUCCESS', 'code');
    },
  },
];
