// The decimals and symbol that a token states, and whether they are what the catalogue says.
import type { Currency } from '@ducat/core/chain/currency';
import { Outage } from '../../../runtime/outage.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { connectEvm } from '../connect.ts';
import type { ProviderOptions } from '../../rpc/provider-options.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';

export interface TokenFacts {
  /** Null where the contract gives none, or an impossible number. */
  readonly decimals: number | null;
  /** Null where the contract gives none that can be read. A symbol proves nothing: any contract can claim any symbol. */
  readonly symbol: string | null;
}

const DECIMALS = '0x313ce567';
const SYMBOL = '0x95d89b41';
const NATIVE_DECIMALS = 18;
const MOST_DECIMALS = 36;
const MOST_SYMBOL_BYTES = 32;
const WORD_DIGITS = 64;
const bytesAsHex = /^0x(?:[0-9a-fA-F]{2})*$/;

/**
 * Null where there is no contract at that address. No single provider may decide what a unit is worth, so all providers have
 * to report the same. Throws Outage where one is away, or where they differ.
 */
export async function readTokenFacts(options: ProviderOptions, contract: string): Promise<TokenFacts | null> {
  const connections = connectEvm(options);
  const reports = await Promise.all(
    connections.map(({ rpc, proven }) => proven(() => factsFrom(rpc, contract))),
  );
  const [first = null] = reports;
  if (reports.every((one) => one?.decimals === first?.decimals && one?.symbol === first?.symbol))
    return first;
  const names = connections.map(({ name }) => name).join(' and ');
  throw new Outage(`${names} report different facts of ${contract}`, { kind: 'disagreement' });
}

/** Why a currency does not fit this chain, in words; null where it fits. */
export async function checkCurrency(rpc: JsonRpc, currency: Currency): Promise<string | null> {
  const { contract, decimals, symbol } = currency;
  if (contract === null) {
    if (decimals === NATIVE_DECIMALS) return null;
    return `${symbol} has ${NATIVE_DECIMALS} decimals on every EVM chain, not ${decimals}`;
  }
  if (!(await hasContract(rpc, contract))) return `there is no contract at ${contract}`;
  const seen = await readDecimals(rpc, contract);
  if (seen === null) return `${contract} does not give its decimals`;
  return seen === decimals ? null : `${contract} has ${seen} decimals, not ${decimals}`;
}

async function factsFrom(rpc: JsonRpc, contract: string): Promise<TokenFacts | null> {
  if (!(await hasContract(rpc, contract))) return null;
  return {
    decimals: await readDecimals(rpc, contract),
    symbol: symbolOf(await ask(rpc, contract, SYMBOL)),
  };
}

async function hasContract(rpc: JsonRpc, address: string): Promise<boolean> {
  const code = await rpc.call('eth_getCode', [address, 'latest']);
  if (typeof code === 'string' && bytesAsHex.test(code)) return code !== '0x';
  throw invalidAnswer('answered with something that is no code');
}

async function readDecimals(rpc: JsonRpc, contract: string): Promise<number | null> {
  const digits = await ask(rpc, contract, DECIMALS);
  if (digits.length !== WORD_DIGITS) return null;
  const decimals = BigInt(`0x${digits}`);
  return decimals <= BigInt(MOST_DECIMALS) ? Number(decimals) : null;
}

/** The hex digits of the answer; "" where the call itself failed, which is the contract's fault. */
async function ask(rpc: JsonRpc, to: string, data: string): Promise<string> {
  try {
    const answer = await rpc.call('eth_call', [{ to, data }, 'latest']);
    return typeof answer === 'string' && bytesAsHex.test(answer) ? answer.slice(2) : '';
  } catch (error) {
    if (error instanceof NodeError && error.isOfTheCall) return '';
    throw error;
  }
}

/**
 * Reads an ABI string, or the 32 bytes of older tokens. Only plain ASCII counts, because a look-alike letter is no symbol.
 */
export function symbolOf(digits: string): string | null {
  const bytes = Buffer.from(digits, 'hex');
  const text = bytes.length === 32 ? bytes : stringOf(bytes);
  const symbol = text?.toString('latin1').replace(/\0+$/, '') ?? '';
  return symbol.length <= MOST_SYMBOL_BYTES && /^[!-~]+$/.test(symbol) ? symbol : null;
}

function stringOf(bytes: Buffer): Buffer | null {
  if (bytes.length < 64 || BigInt(`0x${bytes.toString('hex', 0, 32)}`) !== 32n) return null;
  const length = BigInt(`0x${bytes.toString('hex', 32, 64)}`);
  return length <= BigInt(MOST_SYMBOL_BYTES) ? bytes.subarray(64, 64 + Number(length)) : null;
}
