// The messages of the protocol around contracts: transaction, block header and receipt.
import { contractNumbers } from './contracts.ts';
import {
  address,
  bool,
  bytes,
  enumOf,
  int64,
  nested,
  repeated,
  string,
  stringToInt64,
  text,
} from './schema.ts';
import type { MessageOf } from './schema.ts';

const any = { type_url: string(1), value: bytes(2) };

const contractTypes = Object.entries(contractNumbers).map(([name, no]): [number, string] => [no, name]);

const contract = {
  type: enumOf(1, contractTypes),
  parameter: nested(2, any),
  provider: bytes(3),
  ContractName: bytes(4),
  Permission_id: int64(5),
};

export const transactionRaw = {
  ref_block_bytes: bytes(1),
  ref_block_num: int64(3),
  ref_block_hash: bytes(4),
  expiration: int64(8),
  data: bytes(10),
  contract: repeated(nested(11, contract)),
  scripts: bytes(12),
  timestamp: int64(14),
  fee_limit: int64(18),
};
export type TransactionRaw = MessageOf<typeof transactionRaw>;

/** Names of `contractRet`, in the order of their numbers. */
export const contractResults = [
  'DEFAULT',
  'SUCCESS',
  'REVERT',
  'BAD_JUMP_DESTINATION',
  'OUT_OF_MEMORY',
  'PRECOMPILED_CONTRACT',
  'STACK_TOO_SMALL',
  'STACK_TOO_LARGE',
  'ILLEGAL_OPERATION',
  'STACK_OVERFLOW',
  'OUT_OF_ENERGY',
  'OUT_OF_TIME',
  'JVM_STACK_OVER_FLOW',
  'UNKNOWN',
  'TRANSFER_FAILED',
  'INVALID_CODE',
] as const;
export type ContractResult = (typeof contractResults)[number];

export const transactionResult = {
  fee: int64(1),
  ret: enumOf(2, ['SUCESS', 'FAILED']),
  contractRet: enumOf(3, contractResults),
  withdraw_expire_amount: int64(27),
  cancel_unfreezeV2_amount: stringToInt64(28),
};
export type TransactionResult = MessageOf<typeof transactionResult>;

export const transaction = {
  raw_data: bytes(1),
  signature: repeated(bytes(2)),
  ret: repeated(nested(5, transactionResult)),
};

export const blockHeaderRaw = {
  timestamp: int64(1),
  txTrieRoot: bytes(2),
  parentHash: bytes(3),
  number: int64(7),
  witness_id: int64(8),
  witness_address: address(9),
  version: int64(10),
  accountStateRoot: bytes(11),
};
export type BlockHeaderRaw = MessageOf<typeof blockHeaderRaw>;

const resourceReceipt = {
  energy_usage: int64(1),
  energy_fee: int64(2),
  origin_energy_usage: int64(3),
  energy_usage_total: int64(4),
  net_usage: int64(5),
  net_fee: int64(6),
  result: enumOf(7, contractResults),
  energy_penalty_total: int64(8),
};
export type ResourceReceipt = MessageOf<typeof resourceReceipt>;

/** `address` has the 20 bytes of the contract without 41. The JSON printer adds the 41. */
export const log = { address: bytes(1), topics: repeated(bytes(2)), data: bytes(3) };
export type Log = MessageOf<typeof log>;

export const internalTransaction = {
  hash: bytes(1),
  caller_address: address(2),
  transferTo_address: address(3),
  callValueInfo: repeated(nested(4, { callValue: int64(1), tokenId: string(2) })),
  note: bytes(5),
  rejected: bool(6),
};
export type InternalTransaction = MessageOf<typeof internalTransaction>;

export const transactionInfo = {
  id: bytes(1),
  fee: int64(2),
  blockNumber: int64(3),
  blockTimeStamp: int64(4),
  contractResult: repeated(bytes(5)),
  contract_address: address(6),
  receipt: nested(7, resourceReceipt),
  log: repeated(nested(8, log)),
  result: enumOf(9, ['SUCESS', 'FAILED']),
  resMessage: text(10),
  internal_transactions: repeated(nested(17, internalTransaction)),
  withdraw_expire_amount: int64(28),
  cancel_unfreezeV2_amount: stringToInt64(29),
};
export type TransactionInfo = MessageOf<typeof transactionInfo>;

export { resourceReceipt };
