// What people did, in a log whose entries are bound to one another by their hashes.
import Type from 'typebox';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { defineOperation } from './operation.ts';

const which = {
  /** Only entries of this person. */
  person_id: Type.Optional(fields.tradeNo('A person.')),
  /** The beginning of the operation's name: `payouts.approve`, or `payouts.` for all operations of payouts. */
  operation: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[a-z][a-z.-]*$',
      'x-expects': 'the beginning of an operation such as payouts.approve',
    }),
  ),
  /** The `sequence` of the last entry on the page before. */
  cursor: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,14}$', 'x-expects': 'a next_cursor' })),
};
const entry = strictObject({
  sequence: Type.Integer(),
  at: Type.Integer(),
  /** Null where the command line acted, or where the person is not known. */
  person_id: Type.Union([Type.Null(), Type.String()]),
  person_name: Type.Union([Type.Null(), Type.String()]),
  operation: Type.String(),
  merchant_id: Type.Union([Type.Null(), Type.String()]),
  /** The object of the operation, such as the number of a payout. */
  subject: Type.String(),
  detail: Type.String(),
  address: Type.String(),
  hash: Type.String(),
});
const page = strictObject({
  entries: Type.Array(entry),
  next_cursor: Type.Union([Type.Null(), Type.String()]),
});

/** The operations of subject audit-log. */
export const auditLogOperations = [
  defineOperation({
    name: 'audit-log.list',
    scope: 'merchant',
    permission: 'administer',
    stepUp: false,
    request: strictObject({ merchant_id: fields.tradeNo('The merchant.'), ...which }),
    response: page,
  }),
  defineOperation({
    name: 'audit-log.list-all',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject(which),
    response: page,
  }),
  // Reads the log from its beginning and compares every hash.
  defineOperation({
    name: 'audit-log.verify',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      is_whole: Type.Boolean(),
      entries: Type.Integer(),
      /** The `sequence` of the first entry that does not fit; null where all entries fit. */
      broken_at: Type.Union([Type.Null(), Type.Integer()]),
      head_hash: Type.String(),
    }),
  }),
] as const;
