// Transfer intents as they travel to the signer and stand in its log: one record each, units as decimal text.
import { MOST_SWEPT } from '../collection/sweeper.ts';
import { type FieldReader, readFields } from './read-fields.ts';
import { pathRecord, type PlainRecord, readPath, readSubject, subjectRecord } from './subject-record.ts';
import type {
  EvmFees,
  EvmTransferIntent,
  Staker,
  SweptAddress,
  Sweeping,
  TransferIntent,
  TronAction,
  TronTransferIntent,
} from './transfer-intent.ts';

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/;
const TRON_ADDRESS = /^41[0-9a-f]{40}$/;
const MAX_UNITS = 2n ** 256n - 1n;
/** What Tron counts in signed 64-bit fields. */
const MAX_SUN = 2n ** 63n - 1n;
/** Nodes take prices and gas of 64 bits and no nonce above this. */
const MAX_GAS = 2n ** 64n - 1n;
const MAX_NONCE = Number.MAX_SAFE_INTEGER - 1;
const MAX_INDEX = 2 ** 31 - 1;
const MAX_CHAIN_ID = 2 ** 48;
const MAX_MILLISECONDS = 2 ** 50;
/** The numbers that java-tron gives to permissions end far below this one. */
const MAX_PERMISSION = 255;

/** The record; its JSON text is the one text of the intent. */
export function intentRecord(intent: TransferIntent): PlainRecord {
  const { family, subject, key, chainId } = intent;
  const common = { family, subject: subjectRecord(subject), key: pathRecord(key), chainId };
  return intent.family === 'evm' ? evmRecord(common, intent) : tronRecord(common, intent);
}

/** Null where the value is no intent, has a field too many, or spells one in another way than `intentRecord`. */
export function readIntent(value: unknown): TransferIntent | null {
  return readFields(value, (fields) => {
    const family = fields.choice('family', ['evm', 'tron']);
    const common = {
      subject: readSubject(fields.record('subject')),
      key: readPath(fields.record('key')),
      chainId: fields.number('chainId', MAX_CHAIN_ID),
    };
    return family === 'evm' ? readEvm(fields, common) : readTron(fields, common);
  });
}

type Common = Pick<TransferIntent, 'subject' | 'key' | 'chainId'>;

function evmRecord(common: PlainRecord, intent: EvmTransferIntent): PlainRecord {
  const { nonce, to, contract, baseUnits, gasLimit, fees } = intent;
  const text = { baseUnits: baseUnits.toString(), gasLimit: gasLimit.toString() };
  const plain = { ...common, nonce, to, contract, ...text, fees: feesRecord(fees) };
  return intent.sweeping === undefined ? plain : { ...plain, sweeping: sweepingRecord(intent.sweeping) };
}

/** A sweeping as it stands in an intent and in the books. */
export function sweepingRecord(sweeping: Sweeping): PlainRecord {
  const { type } = sweeping;
  if (sweeping.type !== 'sweep') return { type };
  return { type, from: sweeping.from.map(({ index, address, nonce }) => ({ index, address, nonce })) };
}

function feesRecord(fees: EvmFees): PlainRecord {
  const { type } = fees;
  if (fees.type === 'legacy') return { type, gasPrice: fees.gasPrice.toString() };
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  return {
    type,
    maxFeePerGas: maxFeePerGas.toString(),
    maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
  };
}

function readEvm(fields: FieldReader, common: Common): EvmTransferIntent {
  const sweeping = fields.optional('sweeping', (name) => readSweeping(fields.record(name)));
  return {
    family: 'evm',
    ...common,
    ...(sweeping === null ? {} : { sweeping }),
    nonce: fields.number('nonce', MAX_NONCE),
    to: fields.text('to', EVM_ADDRESS),
    contract: fields.nullable('contract', (name) => fields.text(name, EVM_ADDRESS)),
    baseUnits: fields.baseUnits('baseUnits', MAX_UNITS),
    gasLimit: fields.baseUnits('gasLimit', MAX_GAS),
    fees: readFees(fields.record('fees')),
  };
}

/** A list of addresses that is empty, too long, or not ordered by rising index is refused. */
export function readSweeping(fields: FieldReader): Sweeping {
  const type = fields.choice('type', ['sweep', 'deploy', 'nothing']);
  if (type !== 'sweep') return { type };
  const from = fields.records('from', readSwept);
  const rises = from.every(({ index }, place) => place === 0 || index > (from[place - 1]?.index ?? index));
  fields.expect(from.length > 0 && from.length <= MOST_SWEPT && rises);
  return { type, from };
}

function readSwept(fields: FieldReader): SweptAddress {
  return {
    index: fields.number('index', MAX_INDEX),
    address: fields.text('address', EVM_ADDRESS),
    nonce: fields.nullable('nonce', (name) => fields.number(name, MAX_NONCE)),
  };
}

function readFees(fields: FieldReader): EvmFees {
  const type = fields.choice('type', ['fee-market', 'legacy']);
  if (type === 'legacy') return { type, gasPrice: fields.baseUnits('gasPrice', MAX_GAS) };
  const maxFeePerGas = fields.baseUnits('maxFeePerGas', MAX_GAS);
  return { type, maxFeePerGas, maxPriorityFeePerGas: fields.baseUnits('maxPriorityFeePerGas', maxFeePerGas) };
}

function tronRecord(common: PlainRecord, intent: TronTransferIntent): PlainRecord {
  const { refBlockBytes, refBlockHash, expirationMs, timestampMs, feeLimit, action } = intent;
  const reference = { refBlockBytes, refBlockHash, expirationMs, timestampMs };
  return { ...common, ...reference, feeLimit: feeLimit.toString(), action: actionRecord(action) };
}

function actionRecord(action: TronAction): PlainRecord {
  const { type, to } = action;
  const baseUnits = action.baseUnits.toString();
  if (action.type === 'transfer') return { type, to, contract: action.contract, baseUnits };
  const { address, permission } = action.staker;
  return { type, to, resource: action.resource, baseUnits, staker: { address, permission } };
}

function readTron(fields: FieldReader, common: Common): TronTransferIntent {
  return {
    family: 'tron',
    ...common,
    refBlockBytes: fields.text('refBlockBytes', /^[0-9a-f]{4}$/),
    refBlockHash: fields.text('refBlockHash', /^[0-9a-f]{16}$/),
    expirationMs: fields.number('expirationMs', MAX_MILLISECONDS),
    timestampMs: fields.number('timestampMs', MAX_MILLISECONDS),
    feeLimit: fields.baseUnits('feeLimit', MAX_SUN),
    action: readAction(fields.record('action')),
  };
}

function readAction(fields: FieldReader): TronAction {
  const type = fields.choice('type', ['transfer', 'delegate', 'undelegate']);
  const to = fields.text('to', TRON_ADDRESS);
  if (type !== 'transfer') {
    const resource = fields.choice('resource', ['energy', 'bandwidth']);
    const staker = readStaker(fields.record('staker'));
    return { type, to, resource, baseUnits: fields.baseUnits('baseUnits', MAX_SUN), staker };
  }
  const contract = fields.nullable('contract', (name) => fields.text(name, TRON_ADDRESS));
  const most = contract === null ? MAX_SUN : MAX_UNITS;
  return { type, to, contract, baseUnits: fields.baseUnits('baseUnits', most) };
}

/** A staker as it stands in an intent and in the signer's policy. */
export function readStaker(fields: FieldReader): Staker {
  return {
    address: fields.text('address', TRON_ADDRESS),
    permission: fields.number('permission', MAX_PERMISSION),
  };
}
