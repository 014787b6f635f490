// Calls that send a transaction, and calls that check its signatures.
import { onlyContract, permissionFor, signersOf, weightOf } from '../../chain/admission.ts';
import { textToHex } from '../../protocol/hex.ts';
import { Rejection, type ResponseCode } from '../../protocol/rejection.ts';
import { decodeTransaction, type Transaction } from '../../protocol/transaction.ts';
import { parseTransaction } from '../json/parse-transaction.ts';
import { printPermission } from '../json/print-account.ts';
import { showAddress } from '../json/print-message.ts';
import { printTransaction } from '../json/print-transaction.ts';
import { withoutZeros } from '../json/without-zeros.ts';
import { isVisible, readId } from '../read-request.ts';
import { writeJson } from '../json/json-text.ts';
import type { RouteContext, Routes } from '../route.ts';

interface Outcome {
  readonly code: ResponseCode;
  readonly message: string;
}

export const broadcastRoutes: Routes = {
  /** A success has no code, and a failure has no result, because both would be the defaults of their message. */
  broadcasttransaction: async (params, context) => {
    const tx = parseTransaction(params, isVisible(params));
    const { code, message } = await send(tx, context);
    if (code === 'SUCCESS') return { result: true, txid: tx.txId };
    return { code, txid: tx.txId, message: isVisible(params) ? message : textToHex(message) };
  },

  /** Always answers with all fields. The transaction is returned as text. */
  broadcasthex: async (params, context) => {
    const tx = decodeTransaction(readId(params, 'transaction'));
    const { code, message } = await send(tx, context);
    return {
      result: code === 'SUCCESS',
      code,
      message,
      transaction: writeJson(printTransaction(tx, null, isVisible(params))),
      txid: tx.txId,
    };
  },

  getsignweight: async (params, context) => {
    const tx = parseTransaction(params, isVisible(params));
    const state = await context.view.state();
    const shown = {
      transaction: {
        result: { result: true },
        txid: tx.txId,
        transaction: printTransaction(tx, null, isVisible(params)),
      },
    };
    const show = (address: string) => (isVisible(params) ? showAddress(address) : address);
    try {
      const id = tx.raw.contract[0]?.Permission_id ?? 0n;
      const permission = permissionFor(tx, onlyContract(tx), state);
      const signers = signersOf(tx);
      const weight = weightOf(permission, signers);
      return {
        permission: printPermission(permission, id === 0n ? null : 'Active', show),
        ...(signers.length > 0 && { approved_list: signers.map(show) }),
        ...withoutZeros({ current_weight: weight }),
        // "Enough permission" is the default of its enum, so it is left out.
        result: weight < permission.threshold ? { code: 'NOT_ENOUGH_PERMISSION' } : {},
        ...shown,
      };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      return { result: { code: 'PERMISSION_ERROR', message: error.reason }, ...shown };
    }
  },

  getapprovedlist: (params) => {
    const tx = parseTransaction(params, isVisible(params));
    const approved_list = signersOf(tx).map((address) =>
      isVisible(params) ? showAddress(address) : address,
    );
    return { result: {}, approved_list, transaction: { result: { result: true }, txid: tx.txId } };
  },
};

async function send(tx: Transaction, { chain }: RouteContext): Promise<Outcome> {
  try {
    await chain.broadcast(tx);
    return { code: 'SUCCESS', message: '' };
  } catch (error) {
    if (error instanceof Rejection) return { code: error.code, message: error.message };
    return {
      code: 'OTHER_ERROR',
      message: `Error: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
