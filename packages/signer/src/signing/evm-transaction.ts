// Transactions of EVM chains from typed intents: type 2 of EIP-1559, and legacy ones bound to their chain by EIP-155.
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { EvmTransferIntent } from '@ducat/core/signing/transfer-intent';
import { type KeyPair, signDigest } from './recoverable-signature.ts';
import { encodeRlp, integerBytes, type RlpItem } from './rlp.ts';
import type { SignedBytes } from './signed-bytes.ts';
import { tokenTransferCall } from './token-transfer.ts';

const feeMarketType = Buffer.from([0x02]);

/** The signed transaction of the intent and its id. */
export function signEvmTransaction(intent: EvmTransferIntent, key: KeyPair): SignedBytes {
  const bytes = intent.fees.type === 'legacy' ? signLegacy(intent, key) : signFeeMarket(intent, key);
  return {
    bytes: Buffer.from(bytes).toString('hex'),
    txId: `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`,
  };
}

function signFeeMarket(intent: EvmTransferIntent, key: KeyPair): Uint8Array {
  const { fees, chainId, nonce } = intent;
  if (fees.type !== 'fee-market') throw new Error('Not a transaction of type 2.');
  const fields: readonly RlpItem[] = [
    integerBytes(chainId),
    integerBytes(nonce),
    integerBytes(fees.maxPriorityFeePerGas),
    integerBytes(fees.maxFeePerGas),
    ...callFields(intent),
    [],
  ];
  const digest = keccak_256(Buffer.concat([feeMarketType, encodeRlp(fields)]));
  const { r, s, recovery } = signDigest(digest, key);
  return Buffer.concat([
    feeMarketType,
    encodeRlp([...fields, integerBytes(recovery), withoutZeros(r), withoutZeros(s)]),
  ]);
}

function signLegacy(intent: EvmTransferIntent, key: KeyPair): Uint8Array {
  const { fees, chainId, nonce } = intent;
  if (fees.type !== 'legacy') throw new Error('Not a legacy transaction.');
  const fields: readonly RlpItem[] = [
    integerBytes(nonce),
    integerBytes(fees.gasPrice),
    ...callFields(intent),
  ];
  const digest = keccak_256(encodeRlp([...fields, integerBytes(chainId), integerBytes(0), integerBytes(0)]));
  const { r, s, recovery } = signDigest(digest, key);
  const v = integerBytes(BigInt(chainId) * 2n + 35n + BigInt(recovery));
  return encodeRlp([...fields, v, withoutZeros(r), withoutZeros(s)]);
}

/** Gas limit, destination, value and data. A token's transfer is a call of its contract that carries no coin. */
function callFields({ gasLimit, to, contract, baseUnits }: EvmTransferIntent): readonly RlpItem[] {
  const gas = integerBytes(gasLimit);
  return contract === null
    ? [gas, addressBytes(to), integerBytes(baseUnits), Buffer.alloc(0)]
    : [gas, addressBytes(contract), integerBytes(0), tokenTransferCall(to.slice(2), baseUnits)];
}

function addressBytes(address: string): Uint8Array {
  return Buffer.from(address.slice(2), 'hex');
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0));
}
