// Byte-equal transactions: what we build is what TronWeb builds offline.
import fc from 'fast-check';
import { TronWeb } from 'tronweb';
import { describe, expect, it } from 'vitest';
import { toBase58 } from './address.ts';
import { contractSchemas } from './contracts.ts';
import { textToHex } from './hex.ts';
import { accountKeys, testMnemonic } from './keys.ts';
import { make } from './schema.ts';
import { recoverAddress, sign } from './signature.ts';
import { buildTransaction, type ContractCall, encodeTransaction, transactionOf } from './transaction.ts';

const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:9' });
const [alice, bob] = await accountKeys(testMnemonic, 2);
const from = alice!.address;
const to = bob!.address;

const blockHeader = {
  ref_block_bytes: '2927',
  ref_block_hash: '939ece39d08a7abe',
  expiration: 1777447527000,
  timestamp: 1777447470038,
};
const frame = {
  refBlockBytes: blockHeader.ref_block_bytes,
  refBlockHash: blockHeader.ref_block_hash,
  expirationMs: blockHeader.expiration,
  timestampMs: blockHeader.timestamp,
};

describe('TronWeb as oracle', () => {
  it('derives the same accounts from a mnemonic', () => {
    expect(TronWeb.fromMnemonic(testMnemonic).address).toBe(toBase58(from));
  });

  it('TRX transfers have equal ids for any amount', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), async (amount) => {
        const theirs = await tronWeb.transactionBuilder.sendTrx(to, amount, from, { blockHeader });
        const value = make(contractSchemas.TransferContract, {
          owner_address: from,
          to_address: to,
          amount: BigInt(amount),
        });
        const ours = buildTransaction({ name: 'TransferContract', value }, frame);
        expect(ours.rawHex).toBe(theirs.raw_data_hex);
        expect(ours.txId).toBe(theirs.txID);
      }),
      { numRuns: 50 },
    );
  });

  it('TRC-20 transfers have equal ids for any amount', async () => {
    const token = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), async (amount) => {
        const parameters = [
          { type: 'address', value: to },
          { type: 'uint256', value: amount.toString() },
        ];
        const options = { blockHeader, feeLimit: 30_000_000, txLocal: true };
        const built = await tronWeb.transactionBuilder.triggerSmartContract(
          token,
          'transfer(address,uint256)',
          options,
          parameters,
          from,
        );
        const data = `a9059cbb${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;
        const value = make(contractSchemas.TriggerSmartContract, {
          owner_address: from,
          contract_address: token,
          data,
        });
        const ours = buildTransaction(
          { name: 'TriggerSmartContract', value },
          { ...frame, feeLimit: 30_000_000n },
        );
        expect(ours.txId).toBe(built.transaction.txID);
      }),
      { numRuns: 30 },
    );
  });

  const others: readonly [string, () => Promise<{ raw_data_hex: string }>, ContractCall][] = [
    [
      'TRC-10 transfer',
      () => tronWeb.transactionBuilder.sendToken(to, 7, '1000001', from, { blockHeader }),
      {
        name: 'TransferAssetContract',
        value: make(contractSchemas.TransferAssetContract, {
          asset_name: textToHex('1000001'),
          owner_address: from,
          to_address: to,
          amount: 7n,
        }),
      },
    ],
    [
      'freeze',
      () => tronWeb.transactionBuilder.freezeBalanceV2(5_000_000, 'ENERGY', from, { blockHeader }),
      {
        name: 'FreezeBalanceV2Contract',
        value: make(contractSchemas.FreezeBalanceV2Contract, {
          owner_address: from,
          frozen_balance: 5_000_000n,
          resource: 'ENERGY',
        }),
      },
    ],
    [
      'unfreeze',
      () => tronWeb.transactionBuilder.unfreezeBalanceV2(5_000_000, 'BANDWIDTH', from, { blockHeader }),
      {
        name: 'UnfreezeBalanceV2Contract',
        value: make(contractSchemas.UnfreezeBalanceV2Contract, {
          owner_address: from,
          unfreeze_balance: 5_000_000n,
        }),
      },
    ],
    [
      'delegate with a lock',
      () =>
        tronWeb.transactionBuilder.delegateResource(2_000_000, to, 'ENERGY', from, true, 100, {
          blockHeader,
        }),
      {
        name: 'DelegateResourceContract',
        value: make(contractSchemas.DelegateResourceContract, {
          owner_address: from,
          receiver_address: to,
          balance: 2_000_000n,
          resource: 'ENERGY',
          lock: true,
          lock_period: 100n,
        }),
      },
    ],
    [
      'undelegate',
      () => tronWeb.transactionBuilder.undelegateResource(2_000_000, to, 'ENERGY', from, { blockHeader }),
      {
        name: 'UnDelegateResourceContract',
        value: make(contractSchemas.UnDelegateResourceContract, {
          owner_address: from,
          receiver_address: to,
          balance: 2_000_000n,
          resource: 'ENERGY',
        }),
      },
    ],
    [
      'account creation',
      () => tronWeb.transactionBuilder.createAccount(to, from, { blockHeader }),
      {
        name: 'AccountCreateContract',
        value: make(contractSchemas.AccountCreateContract, { owner_address: from, account_address: to }),
      },
    ],
    [
      'cancelling all unfreezing',
      () => tronWeb.transactionBuilder.cancelUnfreezeBalanceV2(from, { blockHeader }),
      {
        name: 'CancelAllUnfreezeV2Contract',
        value: make(contractSchemas.CancelAllUnfreezeV2Contract, { owner_address: from }),
      },
    ],
  ];

  it.each(others)('%s encodes to the same bytes', async (_name, build, call) => {
    expect(buildTransaction(call, frame).rawHex).toBe((await build()).raw_data_hex);
  });

  it('signatures are the same apart from how the recovery byte is written, and recover to the signer', async () => {
    const tx = await tronWeb.transactionBuilder.sendTrx(to, 5, from, { blockHeader });
    const signed = await tronWeb.trx.sign(tx, alice!.privateKey);
    const ours = sign(tx.txID, alice!.privateKey);
    expect(ours.slice(0, 128)).toBe(signed.signature[0]!.slice(0, 128));
    expect(Number.parseInt(ours.slice(128), 16) + 27).toBe(
      Number.parseInt(signed.signature[0]!.slice(128), 16),
    );
    expect(recoverAddress(tx.txID, signed.signature[0]!)).toBe(from);
    expect(TronWeb.address.toHex(tronWeb.trx.ecRecover({ ...tx, signature: [ours] }) as string)).toBe(from);
  });

  it('the whole transaction has the size that bandwidth is counted by', async () => {
    const value = make(contractSchemas.TransferContract, { owner_address: from, to_address: to, amount: 1n });
    const tx = {
      ...buildTransaction({ name: 'TransferContract', value }, frame),
      signatures: ['00'.repeat(65)],
    };
    expect(encodeTransaction(tx, []).length / 2 + 64).toBe(265);
  });
});

describe('sizes that bandwidth is counted by', () => {
  const { transactionBuilder } = tronWeb;
  const builders: readonly [string, number, () => Promise<{ raw_data_hex: string }>][] = [
    ['a TRX transfer', 265, () => transactionBuilder.sendTrx(to, 1, from, { blockHeader })],
    ['a TRC-10 transfer', 279, () => transactionBuilder.sendToken(to, 1, '1000001', from, { blockHeader })],
    ['an account creation', 266, () => transactionBuilder.createAccount(to, from, { blockHeader })],
    [
      'a USDT transfer',
      345,
      async () => {
        const parameters = [
          { type: 'address', value: to },
          { type: 'uint256', value: 5 },
        ];
        const options = { blockHeader, feeLimit: 30_000_000, txLocal: true };
        const token = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
        const selector = 'transfer(address,uint256)';
        return (await transactionBuilder.triggerSmartContract(token, selector, options, parameters, from))
          .transaction;
      },
    ],
  ];

  it.each(builders)('%s takes %i', async (_name, size, build) => {
    const { raw_data_hex: rawHex } = await build();
    const signed = transactionOf(rawHex, ['00'.repeat(65)]);
    expect(encodeTransaction(signed, []).length / 2 + 64).toBe(size);
  });
});
