// What people did, in a log whose entries are bound to one another by their hashes.
import Type from 'typebox';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { defineOperation } from './operation.ts';

const cursor = Type.Optional(
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, 'x-expects': 'a next_cursor' }),
);
const entry = strictObject({
  sequence: Type.Integer(),
  at: Type.Integer(),
  /** Null where the command line did it, or where it is not known who. */
  person_id: Type.Union([Type.Null(), Type.String()]),
  person_name: Type.Union([Type.Null(), Type.String()]),
  operation: Type.String(),
  merchant_id: Type.Union([Type.Null(), Type.String()]),
  /** What it was done to, such as the number of a payout. */
  subject: Type.String(),
  detail: Type.String(),
  address: Type.String(),
  hash: Type.String(),
});
const page = strictObject({
  entries: Type.Array(entry),
  next_cursor: Type.Union([Type.Null(), Type.Integer()]),
});

/** The operations of subject audit-log. */
export const auditLogOperations = [
  defineOperation({
    name: 'audit-log.list',
    scope: 'merchant',
    permission: 'administer',
    stepUp: false,
    request: strictObject({ merchant_id: fields.tradeNo('The merchant.'), cursor }),
    response: page,
  }),
  defineOperation({
    name: 'audit-log.list-all',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({ cursor }),
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
      /** Of the first entry that does not fit; null where all do. */
      broken_at: Type.Union([Type.Null(), Type.Integer()]),
      head_hash: Type.String(),
    }),
  }),
] as const;
