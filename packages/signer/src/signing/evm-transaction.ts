// EVM transactions of typed intents: type 2 (EIP-1559), type 4 (EIP-7702, authorises a sweeper), legacy (EIP-155).
// legacy ones bound to their chain by EIP-155.
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { EvmTransferIntent } from '@ducat/core/signing/transfer-intent';
import { type KeyPair, signDigest } from './recoverable-signature.ts';
import { sweepingCall } from './evm-sweep.ts';
import { encodeRlp, integerBytes, type RlpItem, withoutZeros } from './rlp.ts';
import type { SignedBytes } from './signed-bytes.ts';
import { tokenTransferCall } from './token-transfer.ts';

const feeMarketType = Buffer.from([0x02]);
const authorisingType = Buffer.from([0x04]);

/** The signed transaction of the intent and its id. `authorisations` are signed already. */
export function signEvmTransaction(
  intent: EvmTransferIntent,
  key: KeyPair,
  authorisations: readonly RlpItem[] = [],
): SignedBytes {
  const bytes =
    intent.fees.type === 'legacy' ? signLegacy(intent, key) : signFeeMarket(intent, key, authorisations);
  return {
    bytes: Buffer.from(bytes).toString('hex'),
    txId: `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`,
  };
}

function signFeeMarket(
  intent: EvmTransferIntent,
  key: KeyPair,
  authorisations: readonly RlpItem[],
): Uint8Array {
  const { fees, chainId, nonce } = intent;
  if (fees.type !== 'fee-market') throw new Error('Not a transaction of type 2.');
  const fields: readonly RlpItem[] = [
    integerBytes(chainId),
    integerBytes(nonce),
    integerBytes(fees.maxPriorityFeePerGas),
    integerBytes(fees.maxFeePerGas),
    ...callFields(intent),
    [],
    // Type 4 allows no empty list of authorisations, so a transaction without any is of type 2.
    ...(authorisations.length === 0 ? [] : [authorisations]),
  ];
  const type = authorisations.length === 0 ? feeMarketType : authorisingType;
  const digest = keccak_256(Buffer.concat([type, encodeRlp(fields)]));
  const { r, s, recovery } = signDigest(digest, key);
  return Buffer.concat([
    type,
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
function callFields(intent: EvmTransferIntent): readonly RlpItem[] {
  const { gasLimit, to, contract, baseUnits } = intent;
  const gas = integerBytes(gasLimit);
  const call = sweepingCall(intent);
  if (call !== null) return [gas, addressBytes(call.to), integerBytes(0), call.data];
  return contract === null
    ? [gas, addressBytes(to), integerBytes(baseUnits), Buffer.alloc(0)]
    : [gas, addressBytes(contract), integerBytes(0), tokenTransferCall(to.slice(2), baseUnits)];
}

function addressBytes(address: string): Uint8Array {
  return Buffer.from(address.slice(2), 'hex');
}
