// What a token says of itself: decimals and symbol, asked of every provider, each of whose chain is proven.
import { Outage } from '../../../runtime/outage.ts';
import { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { proveIdentity } from '../identity.ts';
import { type EvmReaderOptions, throttlingStatus } from '../evm-reader.ts';
import { createHttpPost } from '../../rpc/http-post.ts';
import { providerNames } from '../../rpc/provider-name.ts';
import { splitUrl } from '../../rpc/url-secrets.ts';

export interface TokenFacts {
  /** Null where the contract gives none that can be. */
  readonly decimals: number | null;
  /** Null where the contract gives none that can be read. It proves nothing: anybody may call a token so. */
  readonly symbol: string | null;
}

const DECIMALS = '0x313ce567';
const SYMBOL = '0x95d89b41';
const MOST_DECIMALS = 36;
const MOST_SYMBOL_BYTES = 32;
const WORD_DIGITS = 64;

/**
 * Null where there is no contract at that address. One provider alone must not say what a unit is worth, so all have to
 * report the same. Throws Outage where one is away, or where they differ.
 */
export async function readTokenFacts(
  options: EvmReaderOptions,
  contract: string,
): Promise<TokenFacts | null> {
  const names = providerNames(options.rpcUrls);
  const reports = await Promise.all(
    names.map((name, place) => factsFrom(options, { name, place }, contract)),
  );
  const [first = null] = reports;
  if (reports.every((one) => one?.decimals === first?.decimals && one?.symbol === first?.symbol))
    return first;
  throw new Outage(`${names.join(' and ')} report different facts of ${contract}`, { kind: 'disagreement' });
}

async function factsFrom(
  { definition, rpcUrls, world, http = createHttpPost() }: EvmReaderOptions,
  { name, place }: { readonly name: string; readonly place: number },
  contract: string,
): Promise<TokenFacts | null> {
  const target = splitUrl(rpcUrls[place] ?? '');
  const rpc = new JsonRpc({ name, target, world, http, observer: null, throttlingStatus });
  await proveIdentity(rpc, definition);
  if ((await rpc.call('eth_getCode', [contract, 'latest'])) === '0x') return null;
  return {
    decimals: decimalsOf(await ask(rpc, contract, DECIMALS)),
    symbol: symbolOf(await ask(rpc, contract, SYMBOL)),
  };
}

/** The hex digits of the answer; "" where the call itself failed, which is the contract's doing. */
async function ask(rpc: JsonRpc, to: string, data: string): Promise<string> {
  try {
    const answer = await rpc.call('eth_call', [{ to, data }, 'latest']);
    return typeof answer === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(answer) ? answer.slice(2) : '';
  } catch (error) {
    if (error instanceof NodeError && error.isOfTheCall) return '';
    throw error;
  }
}

function decimalsOf(digits: string): number | null {
  if (digits.length !== WORD_DIGITS) return null;
  const decimals = BigInt(`0x${digits}`);
  return decimals <= BigInt(MOST_DECIMALS) ? Number(decimals) : null;
}

/** A string of the ABI, or 32 bytes as tokens had them before. Plain ASCII alone: a look-alike letter is no symbol. */
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
