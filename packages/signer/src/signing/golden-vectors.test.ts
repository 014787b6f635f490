// The signer's transactions equal, byte by byte, those of viem and TronWeb for the same transfer and key.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { TronWeb, utils } from 'tronweb';
import { encodeFunctionData, erc20Abi, type Hex, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { mnemonicToSeed } from '../keystore/mnemonic.ts';
import type { EvmTransferIntent, TronTransferIntent } from '@ducat/core/signing/transfer-intent';
import { createKeyring } from './keyring.ts';
import { signDigest } from './recoverable-signature.ts';

const seed = mnemonicToSeed('test test test test test test test test test test test junk');
const keyring = createKeyring(seed);
const key = { account: 0, branch: 'deposit', index: 0 } as const;
const subject = { kind: 'payout', id: 'p', approval: null } as const;

describe('a transaction of an EVM chain', () => {
  const account = privateKeyToAccount(privateKeyAt("m/44'/60'/0'/0/0"));
  const to = `0x00${'cd'.repeat(19)}` as const;
  const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7';

  it.each([
    ['0 and small', { nonce: 0, baseUnits: 1n, chainId: 1 }],
    ['one byte that stands for itself', { nonce: 127, baseUnits: 127n, chainId: 56 }],
    ['one byte that does not', { nonce: 128, baseUnits: 128n, chainId: 137 }],
    ['large', { nonce: 2 ** 40, baseUnits: 10n ** 30n, chainId: 11_155_111 }],
  ])('is what viem makes, with numbers that are %s', async (_what, change) => {
    for (const contract of [null, usdt] as const) {
      for (const legacy of [false, true]) {
        const intent = evmIntent({ ...change, contract, legacy });
        const { baseUnits, nonce, chainId } = intent;
        const call =
          contract === null
            ? { to, value: baseUnits }
            : {
                to: contract,
                data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, baseUnits] }),
              };
        const common = { ...call, nonce, chainId, gas: intent.gasLimit };
        const expected = await account.signTransaction(
          legacy
            ? { ...common, type: 'legacy', gasPrice: 3_000_000_000n }
            : { ...common, type: 'eip1559', maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 0n },
        );
        expect(keyring.sign(intent)).toEqual({ bytes: expected.slice(2), txId: keccak256(expected) });
      }
    }
    expect(keyring.address('evm', key)).toBe(account.address.toLowerCase());
  });

  function evmIntent(given: {
    nonce: number;
    baseUnits: bigint;
    chainId: number;
    contract: string | null;
    legacy: boolean;
  }): EvmTransferIntent {
    const { legacy, ...rest } = given;
    const fees = legacy
      ? ({ type: 'legacy', gasPrice: 3_000_000_000n } as const)
      : ({ type: 'fee-market', maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 0n } as const);
    return { family: 'evm', subject, key, to, gasLimit: 65_000n, fees, ...rest };
  }
});

describe('a transaction of Tron', () => {
  const privateKey = privateKeyAt("m/44'/195'/0'/0/0").slice(2);
  const owner = TronWeb.address
    .toHex(utils.crypto.getBase58CheckAddress(addressBytesOf(privateKey)))
    .toLowerCase();
  const to = `41${'cd'.repeat(20)}`;
  const contract = `41${'ee'.repeat(20)}`;
  const offline = new TronWeb({ fullHost: 'http://127.0.0.1:9' });
  const intent: Omit<TronTransferIntent, 'action'> = {
    family: 'tron',
    subject,
    key,
    chainId: 1,
    refBlockBytes: '0a1b',
    refBlockHash: '00112233445566ff',
    expirationMs: 1_800_000_060_000,
    timestampMs: 1_800_000_000_001,
    feeLimit: 0n,
  };
  const blockHeader = {
    ref_block_bytes: intent.refBlockBytes,
    ref_block_hash: intent.refBlockHash,
    expiration: intent.expirationMs,
    timestamp: intent.timestampMs,
  };
  const { transactionBuilder } = offline;
  const staker = { address: owner, permission: 2 };
  const energy = { type: 'delegate', staker, to, resource: 'energy', baseUnits: 5_000_000n } as const;

  it.each([
    [
      'of TRX',
      { ...intent, action: { type: 'transfer', to, contract: null, baseUnits: 300n } },
      () => transactionBuilder.sendTrx(to, 300, owner, { blockHeader }),
    ],
    [
      'of a TRC-20 token',
      { ...intent, feeLimit: 30_000_000n, action: { type: 'transfer', to, contract, baseUnits: 2_000_000n } },
      async () => {
        const parameters = [
          { type: 'address', value: to },
          { type: 'uint256', value: 2_000_000 },
        ];
        const options = { blockHeader, feeLimit: 30_000_000, txLocal: true };
        const call = 'transfer(address,uint256)';
        return (await transactionBuilder.triggerSmartContract(contract, call, options, parameters, owner))
          .transaction;
      },
    ],
    [
      'that delegates energy',
      { ...intent, action: energy },
      () =>
        transactionBuilder.delegateResource(5_000_000, to, 'ENERGY', owner, false, undefined, {
          blockHeader,
          permissionId: 2,
        }),
    ],
    [
      'that takes bandwidth back',
      { ...intent, action: { ...energy, type: 'undelegate', resource: 'bandwidth' } },
      () =>
        transactionBuilder.undelegateResource(5_000_000, to, 'BANDWIDTH', owner, {
          blockHeader,
          permissionId: 2,
        }),
    ],
  ] as const)('%s is what TronWeb makes', async (_what, ours, build) => {
    const built = await build();
    const signed = await offline.trx.sign(built, privateKey);
    const { bytes, txId } = keyring.sign(ours);
    expect(keyring.address('tron', key)).toBe(owner);
    expect(txId).toBe(built.txID);
    const signature = signed.signature[0] ?? '';
    expect(bytes.endsWith(`1241${signature.toLowerCase()}`)).toBe(true);
    expect(bytes).toContain(built.raw_data_hex.toLowerCase());
  });
});

describe('a signature', () => {
  it('is the same each time, low in s, and of another digest another', () => {
    const privateKey = Buffer.alloc(32, 7);
    const pair = { privateKey, publicKey: secp256k1.getPublicKey(privateKey) };
    const other = { privateKey, publicKey: secp256k1.getPublicKey(Buffer.alloc(32, 8)) };
    expect(() => signDigest(Buffer.alloc(32, 1), other)).toThrow('did not verify');
    const digests = Array.from({ length: 20 }, (_, n) => Buffer.alloc(32, n + 1));
    const once = digests.map((digest) => signDigest(digest, pair));
    expect(digests.map((digest) => signDigest(digest, pair))).toEqual(once);
    expect(new Set(once.map(({ r }) => Buffer.from(r).toString('hex'))).size).toBe(digests.length);
    const half = secp256k1.Point.Fn.ORDER / 2n;
    for (const { s } of once) expect(BigInt(`0x${Buffer.from(s).toString('hex')}`) <= half).toBe(true);
  });
});

function privateKeyAt(path: string): Hex {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path);
  return `0x${Buffer.from(privateKey ?? []).toString('hex')}`;
}

function addressBytesOf(privateKey: string): number[] {
  return utils.crypto.getAddressFromPriKey(utils.code.hexStr2byteArray(privateKey));
}
