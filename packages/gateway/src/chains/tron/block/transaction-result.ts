// The results of a transaction: their bytes, which the root covers, and what they say about its execution.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { hexOf, integerOf, type Json, listOf } from '../wire/json.ts';
import { bytesField, integerField, messageField, numberField, type Shape } from '../wire/protobuf.ts';
import { expectKnown, unknownFields } from '../wire/unknown-fields.ts';

/**
 * What a transaction was executed to; `missing` where the block's producer wrote no result, `unknown` where he wrote
 * one that is not known here.
 */
export type Outcome = 'succeeded' | 'failed' | 'missing' | 'unknown';

/** Names of `contractRet` in the order of their numbers. */
const contractResults = [
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
];
const codes = ['SUCESS', 'FAILED'];
const resultNames = new Set([
  'fee',
  'ret',
  'contractRet',
  'assetIssueID',
  'withdraw_amount',
  'unfreeze_amount',
  'exchange_received_amount',
  'exchange_inject_another_amount',
  'exchange_withdraw_another_amount',
  'exchange_id',
  'shielded_transaction_fee',
  'orderId',
  'orderDetails',
  'withdraw_expire_amount',
  'cancel_unfreezeV2_amount',
]);
const resultShape: Shape = {
  1: 'int64',
  2: 'int32',
  3: 'int32',
  14: 'bytes',
  15: 'int64',
  16: 'int64',
  18: 'int64',
  19: 'int64',
  20: 'int64',
  21: 'int64',
  22: 'int64',
  25: 'bytes',
  26: 'messages',
  27: 'int64',
  28: 'messages',
};
const detailShape: Shape = { 1: 'bytes', 2: 'bytes', 3: 'int64', 4: 'int64' };
const detailNames = new Set(['makerOrderId', 'takerOrderId', 'fillSellQuantity', 'fillBuyQuantity']);

/**
 * One result with all its fields. The producer sets only contractRet, so whatever else a payer wrote into the first
 * result stands in the block, and further results with it. Throws Outage 'invalid' for one that cannot be written.
 */
export function resultBytes(result: Json): string {
  const names = Object.keys(result);
  // Nearly every result says nothing else.
  if (names.length === 1 && names[0] === 'contractRet') return contractRet(result);
  expectKnown(result, resultNames, 'a result');
  const integer = (id: number, name: string) => integerField(id, integerOf(result[name], name));
  return (
    integer(1, 'fee') +
    integerField(2, enumOf(result['ret'], 'code', codes)) +
    contractRet(result) +
    bytesField(14, textHex(result['assetIssueID'])) +
    integer(15, 'withdraw_amount') +
    integer(16, 'unfreeze_amount') +
    integer(18, 'exchange_received_amount') +
    integer(19, 'exchange_inject_another_amount') +
    integer(20, 'exchange_withdraw_another_amount') +
    integer(21, 'exchange_id') +
    integer(22, 'shielded_transaction_fee') +
    bytesField(25, hexOf(result['orderId'], 'an order')) +
    listOf(result['orderDetails'], 'orders').map(orderDetail).join('') +
    integer(27, 'withdraw_expire_amount') +
    listOf(result['cancel_unfreezeV2_amount'], 'amounts').map(amountEntry).join('') +
    unknownFields(result, resultShape)
  );
}

/**
 * By contractRet of the first result, as java-tron does: every node has executed the transaction and compared. `ret`
 * beside it and further results are what the payer wrote, and say nothing.
 */
export function outcomeOf(results: readonly Json[]): Outcome {
  const name = results[0]?.['contractRet'] ?? 'DEFAULT';
  if (name === 'DEFAULT') return 'missing';
  if (name === 'SUCCESS') return 'succeeded';
  return typeof name === 'string' && contractResults.includes(name) ? 'failed' : 'unknown';
}

function contractRet(result: Json): string {
  return integerField(3, enumOf(result['contractRet'], 'contractResult', contractResults));
}

function orderDetail(detail: Json): string {
  expectKnown(detail, detailNames, 'an order');
  const fields =
    bytesField(1, hexOf(detail['makerOrderId'], 'an order')) +
    bytesField(2, hexOf(detail['takerOrderId'], 'an order')) +
    integerField(3, integerOf(detail['fillSellQuantity'], 'a quantity')) +
    integerField(4, integerOf(detail['fillBuyQuantity'], 'a quantity')) +
    unknownFields(detail, detailShape);
  return messageField(26, fields);
}

/** The entry of a map has both its fields, whatever they hold. */
function amountEntry({ key, value }: Json): string {
  return messageField(28, messageField(1, textHex(key)) + numberField(2, integerOf(value, 'an amount')));
}

/**
 * Numbers that a node has no name for are shown as such: UNKNOWN_ENUM_VALUE_contractResult_16. One that has a name is
 * shown by it: under its number it would be hashed and not read.
 */
function enumOf(value: unknown, type: string, names: readonly string[]): bigint {
  if (value === undefined) return 0n;
  const name = typeof value === 'string' ? value : '';
  const known = names.indexOf(name);
  if (known >= 0) return BigInt(known);
  const [, named, digits = ''] = /^UNKNOWN_ENUM_VALUE_([a-zA-Z]+)_(-?\d{1,10})$/.exec(name) ?? [];
  if (named !== type || names[Number(digits)] !== undefined)
    throw invalidAnswer('answered with a result that is not known here');
  return BigInt(digits);
}

function textHex(value: unknown): string {
  const text = value ?? '';
  if (typeof text !== 'string') throw invalidAnswer('answered with text that is none');
  return Buffer.from(text).toString('hex');
}
