// A transaction as it is sent: the raw bytes are kept verbatim, so that its id never depends on our encoder.
import { decode, encode } from './codec.ts';
import { type ContractName, contractSchemas, isContractName, typeUrlPrefix } from './contracts.ts';
import { sha256 } from './hash.ts';
import { type TransactionRaw, type TransactionResult, transaction, transactionRaw } from './messages.ts';
import { make, type MessageOf } from './schema.ts';

export interface Transaction {
  /** SHA-256 of the raw bytes. */
  readonly txId: string;
  readonly rawHex: string;
  readonly raw: TransactionRaw;
  readonly signatures: readonly string[];
}

/** One contract of a transaction, decoded as its declared type. */
export type ContractCall = {
  [N in ContractName]: { readonly name: N; readonly value: MessageOf<(typeof contractSchemas)[N]> };
}[ContractName];

/** The transaction with these raw bytes. Throws on bytes that are no raw_data. */
export function transactionOf(rawHex: string, signatures: readonly string[]): Transaction {
  return { txId: sha256(rawHex), rawHex, raw: decode(transactionRaw, rawHex), signatures };
}

/** Reads the whole protobuf Transaction, as broadcasthex carries it. */
export function decodeTransaction(hex: string): Transaction {
  const outer = decode(transaction, hex);
  return transactionOf(outer.raw_data, outer.signature);
}

/** The whole protobuf Transaction, with results where it was executed. */
export function encodeTransaction(tx: Transaction, results: readonly TransactionResult[]): string {
  return encode(transaction, { raw_data: tx.rawHex, signature: tx.signatures, ret: results });
}

/** The first contract of a transaction. Null where there is none, its type is unknown here, or it does not decode. */
export function contractOf(raw: TransactionRaw): ContractCall | null {
  const first = raw.contract[0];
  if (first?.parameter === undefined) return null;
  return decodeContract(first.type, first.parameter.value);
}

/** Decodes the payload of a contract of the given type, or gives null. */
export function decodeContract(name: string, valueHex: string): ContractCall | null {
  if (!isContractName(name)) return null;
  try {
    // Name and schema are taken from the same row of the registry.
    return { name, value: decode(contractSchemas[name], valueHex) } as ContractCall;
  } catch {
    return null;
  }
}

/** The fields of a transaction beside its contract. Times are milliseconds, `feeLimit` is sun, `memo` is hex. */
export interface TransactionFrame {
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  readonly expirationMs: number;
  readonly timestampMs: number;
  readonly feeLimit?: bigint;
  readonly memo?: string;
  readonly permissionId?: bigint;
}

/** An unsigned transaction around one contract. */
export function buildTransaction(call: ContractCall, frame: TransactionFrame): Transaction {
  const raw = make(transactionRaw, {
    ref_block_bytes: frame.refBlockBytes,
    ref_block_hash: frame.refBlockHash,
    expiration: BigInt(frame.expirationMs),
    timestamp: BigInt(frame.timestampMs),
    fee_limit: frame.feeLimit ?? 0n,
    data: frame.memo ?? '',
    contract: [
      {
        type: call.name,
        parameter: { type_url: typeUrlPrefix + call.name, value: encodeContract(call) },
        provider: '',
        ContractName: '',
        Permission_id: frame.permissionId ?? 0n,
      },
    ],
  });
  return transactionOf(encode(transactionRaw, raw), []);
}

/** The payload of a contract. */
function encodeContract(call: ContractCall): string {
  // The registry pairs each name with its schema; the union hides that from the compiler.
  return encode(contractSchemas[call.name], call.value as never);
}
