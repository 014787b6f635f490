// Tron blocks made from any bytes, with a correct id and root: everything that a payer can have mined.
// Writes protobuf by itself, so that the code under test is not compared with itself.
import { createHash } from 'node:crypto';

export type TronJson = Readonly<Record<string, unknown>>;

export const ownerHex = `41${'a'.repeat(40)}`;
export const recipientHex = `41${'b'.repeat(40)}`;

/** A transaction as it stands in a block: its raw bytes, the bytes of its results, and the JSON of those. */
export interface MinedBytes {
  readonly raw: string;
  readonly ret?: readonly { readonly bytes: string; readonly json: TronJson }[];
  /** The result of a contract call; a transfer has none. */
  readonly executed?: string;
  /** More fields of the receipt. */
  readonly receipt?: TronJson;
}

/** A result that says SUCCESS. */
const succeeded = { bytes: '1801', json: { contractRet: 'SUCCESS' } };

export function varint(value: number | bigint): string {
  let rest = BigInt(value);
  let hex = '';
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    hex += (rest > 0n ? low | 0x80 : low).toString(16).padStart(2, '0');
  } while (rest > 0n);
  return hex;
}

/** A field of any wire type with these bytes. */
export const tagged = (id: number | bigint, type: number, hex: string): string =>
  varint((BigInt(id) << 3n) | BigInt(type)) + hex;
export const number = (id: number, value: number | bigint): string => tagged(id, 0, varint(value));
export const bytes = (id: number, hex: string): string => tagged(id, 2, varint(hex.length / 2) + hex);
export const text = (id: number, value: string): string => bytes(id, Buffer.from(value).toString('hex'));

export const transferPayload = (units: number | bigint): string =>
  bytes(1, ownerHex) + bytes(2, recipientHex) + number(3, units);

/** `raw_data` around a payload; the type's url is that of the name. */
export function rawAround(type: number, name: string, payload: string): string {
  return rawWith(bytes(11, contractAround(type, name, payload)));
}

export function contractAround(type: number, name: string, payload: string): string {
  const any = text(1, `type.googleapis.com/protocol.${name}`) + bytes(2, payload);
  return (type === 0 ? '' : number(1, type)) + bytes(2, any);
}

/** `raw_data` with other fields in the place of its contract. */
export function rawWith(contract: string): string {
  return `${bytes(1, '2927')}${bytes(4, '939ece39d08a7abe')}${number(8, 1_777_445_367_000n)}${contract}${number(14, 1_777_445_307_000n)}`;
}

export interface MinedBlock {
  readonly id: string;
  readonly txIds: readonly string[];
  readonly block: TronJson;
  readonly receipts: readonly TronJson[];
}

/**
 * The block with these transactions, as getblockbynum and gettransactioninfobyblocknum answer, integers as bigint.
 * `more` are the last fields of its header.
 */
export function mineBytes(
  height: number,
  mined: readonly MinedBytes[],
  more = '',
  parentHash = '22'.repeat(32),
): MinedBlock {
  const timestamp = 1_777_445_310_000n;
  const txIds = mined.map(({ raw }) => sha256(raw));
  const leaves = mined.map(({ raw, ret = [succeeded] }) =>
    sha256(bytes(1, raw) + bytes(2, '11'.repeat(65)) + ret.map((one) => bytes(5, one.bytes)).join('')),
  );
  const txTrieRoot = rootOf(leaves);
  const header =
    number(1, timestamp) +
    bytes(2, txTrieRoot) +
    bytes(3, parentHash) +
    (height === 0 ? '' : number(7, height)) +
    more;
  const id = height.toString(16).padStart(16, '0') + sha256(header).slice(16);
  const transactions = mined.map(({ raw, ret = [succeeded] }, index) => ({
    txID: txIds[index],
    raw_data_hex: raw,
    signature: ['11'.repeat(65)],
    ret: ret.map(({ json }) => json),
  }));
  const receipts = mined.map(({ executed, receipt }, index) => ({
    id: txIds[index],
    blockNumber: BigInt(height),
    blockTimeStamp: timestamp,
    receipt: executed === undefined ? {} : { result: executed },
    ...receipt,
  }));
  const raw_data = { timestamp, txTrieRoot, parentHash, number: BigInt(height) };
  return { id, txIds, block: { blockID: id, block_header: { raw_data }, transactions }, receipts };
}

function rootOf(leaves: readonly string[]): string {
  if (leaves.length < 2) return leaves[0] ?? '00'.repeat(32);
  const above: string[] = [];
  for (let at = 0; at < leaves.length; at += 2) {
    const [left = '', right] = leaves.slice(at, at + 2);
    above.push(right === undefined ? left : sha256(left + right));
  }
  return rootOf(above);
}

function sha256(hex: string): string {
  return createHash('sha256').update(hex, 'hex').digest('hex');
}
