// Transactions of Tron from typed intents, by the field numbers of java-tron's Tron.proto.
import { sha256 } from '@noble/hashes/sha2.js';
import type { TronAction, TronResource, TronTransferIntent } from '@ducat/core/signing/transfer-intent';
import { bytesField, numberField } from './protobuf.ts';
import { type KeyPair, signDigest } from './recoverable-signature.ts';
import type { SignedBytes } from './signed-bytes.ts';
import { tokenTransferCall } from './token-transfer.ts';

const resourceNumbers: Readonly<Record<TronResource, number>> = { bandwidth: 0, energy: 1 };
const typeUrlPrefix = 'type.googleapis.com/protocol.';

/** `owner` is the canonical address of the key. */
export function signTronTransaction(intent: TronTransferIntent, owner: string, key: KeyPair): SignedBytes {
  const raw = rawData(intent, owner);
  const txId = sha256(raw);
  const { r, s, recovery } = signDigest(txId, key);
  const signature = Buffer.concat([r, s, Buffer.from([recovery + 27])]);
  return {
    bytes: Buffer.concat([bytesField(1, raw), bytesField(2, signature)]).toString('hex'),
    txId: Buffer.from(txId).toString('hex'),
  };
}

function rawData(intent: TronTransferIntent, owner: string): Uint8Array {
  const { type, name, value } = contractOf(intent.action, owner);
  const parameter = Buffer.concat([bytesField(1, Buffer.from(typeUrlPrefix + name)), bytesField(2, value)]);
  const permission = intent.action.type === 'transfer' ? 0 : intent.action.staker.permission;
  const contract = Buffer.concat([
    numberField(1, type),
    bytesField(2, parameter),
    numberField(5, permission),
  ]);
  return Buffer.concat([
    bytesField(1, hexBytes(intent.refBlockBytes)),
    bytesField(4, hexBytes(intent.refBlockHash)),
    numberField(8, intent.expirationMs),
    bytesField(11, contract),
    numberField(14, intent.timestampMs),
    numberField(18, intent.feeLimit),
  ]);
}

interface Contract {
  readonly type: number;
  readonly name: string;
  readonly value: Uint8Array;
}

function contractOf(action: TronAction, owner: string): Contract {
  const to = hexBytes(action.to);
  if (action.type !== 'transfer') {
    const from = bytesField(1, hexBytes(action.staker.address));
    const resource = numberField(2, resourceNumbers[action.resource]);
    const value = Buffer.concat([from, resource, numberField(3, action.baseUnits), bytesField(4, to)]);
    return action.type === 'delegate'
      ? { type: 57, name: 'DelegateResourceContract', value }
      : { type: 58, name: 'UnDelegateResourceContract', value };
  }
  const from = bytesField(1, hexBytes(owner));
  if (action.contract === null) {
    const value = Buffer.concat([from, bytesField(2, to), numberField(3, action.baseUnits)]);
    return { type: 1, name: 'TransferContract', value };
  }
  const call = tokenTransferCall(action.to.slice(2), action.baseUnits);
  const value = Buffer.concat([from, bytesField(2, hexBytes(action.contract)), bytesField(4, call)]);
  return { type: 31, name: 'TriggerSmartContract', value };
}

function hexBytes(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
