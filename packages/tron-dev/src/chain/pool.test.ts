// The size limit of the pool.
import { describe, expect, it } from 'vitest';
import { Rejection } from '../protocol/rejection.ts';
import { contractSchemas } from '../protocol/contracts.ts';
import { make } from '../protocol/schema.ts';
import { transactionOf } from '../protocol/transaction.ts';
import { checkRoom, type PoolEntry, without } from './pool.ts';

const entry: PoolEntry = {
  tx: transactionOf('', []),
  call: { name: 'TransferContract', value: make(contractSchemas.TransferContract, {}) },
  signers: [],
  isHeld: false,
};

describe('the pool', () => {
  it('takes 2000 transactions and then answers SERVER_BUSY', () => {
    checkRoom(Array<PoolEntry>(1999).fill(entry));
    expect(() => checkRoom(Array<PoolEntry>(2000).fill(entry))).toThrow(
      new Rejection('SERVER_BUSY', 'Server busy.'),
    );
  });

  it('loses what it is asked to lose', () => {
    expect(without([entry], new Set([entry.tx.txId]))).toEqual([]);
    expect(without([entry], new Set(['other']))).toEqual([entry]);
  });
});
