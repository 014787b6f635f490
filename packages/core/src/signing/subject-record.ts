// The subject of an intent and the paths of keys, as they travel to the signer and stand in its log.
import type { KeyPath } from './key-path.ts';
import type { FieldReader } from './read-fields.ts';
import type { IntentSubject, PayoutApproval } from './transfer-intent.ts';

const MAX_HARDENED = 2 ** 31 - 1;
const MAX_UNITS = 2n ** 256n - 1n;
const MAX_SECONDS = 2 ** 40;
/** What a subject may be called. */
export const SUBJECT_ID = /^[A-Za-z0-9_.:-]{1,64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;

/** What an approver may be called. */
export const APPROVER_NAME = /^[a-z][a-z0-9-]{0,31}$/;

export type PlainRecord = Readonly<Record<string, unknown>>;

export function subjectRecord(subject: IntentSubject): PlainRecord {
  const { kind, id } = subject;
  switch (subject.kind) {
    case 'payout':
    case 'cold':
      return { kind, id, approval: subject.approval && approvalRecord(subject.approval) };
    case 'collection':
    case 'funding':
      return { kind, id, recipient: pathRecord(subject.recipient) };
  }
}

export function pathRecord({ account, branch, index }: KeyPath): PlainRecord {
  return { account, branch, index };
}

export function readSubject(fields: FieldReader): IntentSubject {
  const kind = fields.choice('kind', ['payout', 'collection', 'funding', 'cold']);
  const id = fields.text('id', SUBJECT_ID);
  switch (kind) {
    case 'payout':
    case 'cold':
      return { kind, id, approval: fields.nullable('approval', (name) => readApproval(fields.record(name))) };
    case 'collection':
    case 'funding':
      return { kind, id, recipient: readPath(fields.record('recipient')) };
  }
}

export function readPath(fields: FieldReader): KeyPath {
  return {
    account: fields.number('account', MAX_HARDENED),
    branch: fields.choice('branch', ['deposit', 'wallet']),
    index: fields.number('index', MAX_HARDENED),
  };
}

function approvalRecord({ approver, feeCap, expiry, signature }: PayoutApproval): PlainRecord {
  return { approver, feeCap: feeCap.toString(), expiry, signature };
}

function readApproval(fields: FieldReader): PayoutApproval {
  return {
    approver: fields.text('approver', APPROVER_NAME),
    feeCap: fields.baseUnits('feeCap', MAX_UNITS),
    expiry: fields.number('expiry', MAX_SECONDS),
    signature: fields.text('signature', SIGNATURE),
  };
}
