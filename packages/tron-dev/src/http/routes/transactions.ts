// Calls that read transactions and their receipts.
import { printInfo, printTransaction } from '../json/print-transaction.ts';
import { isVisible, readHeight, readId } from '../read-request.ts';
import type { Routes } from '../route.ts';

export const transactionRoutes: Routes = {
  /** On a full node it also finds a transaction that waits in the pool, already with a result. */
  gettransactionbyid: async (params, { view }) => {
    const txId = readId(params, 'value');
    const entry = view.included(txId)?.entry ?? (await view.waiting(txId));
    return entry === null ? {} : printTransaction(entry.tx, entry.result, isVisible(params));
  },

  gettransactioninfobyid: (params, { view }) => {
    const found = view.included(readId(params, 'value'));
    return found === null ? {} : printInfo(found.entry.info, isVisible(params));
  },

  /** A bare array, which is empty for a height that does not exist yet. An object for a height that never exists. */
  gettransactioninfobyblocknum: (params, { view }) => {
    const number = readHeight(params, 'num');
    if (number <= 0n) return {};
    const block = view.blockByNumber(number);
    return (block?.transactions ?? []).map(({ info }) => printInfo(info, isVisible(params)));
  },
};

/** The pool of this node; the solidity node has none. */
export const poolRoutes: Routes = {
  gettransactionlistfrompending: (_params, { chain }) => {
    const txId = chain.state.pool.map(({ tx }) => tx.txId);
    return txId.length === 0 ? {} : { txId };
  },

  gettransactionfrompending: (params, { chain }) => {
    const txId = readId(params, 'value');
    const entry = chain.state.pool.find(({ tx }) => tx.txId === txId);
    return entry === undefined ? {} : printTransaction(entry.tx, null, isVisible(params));
  },

  getpendingsize: (_params, { chain }) => ({ pendingSize: chain.state.pool.length }),
};
