// What made addresses hold, from memory: the answers to calls for many balances, of both families.
import { multicallData as evmCall } from '@ducat/gateway/chains/evm/balances/multicall';
import { multicallData as tronCall } from '@ducat/gateway/chains/tron/balances/multicall';

const PAID_UNITS = 10_000_000n;
const addressDigits = 40;
const word = (hex: string) => hex.padStart(64, '0');
const evmNative = evmCall('revert', null, []).slice(2);
const evmToken = evmCall('revert', `0x${'0'.repeat(addressDigits)}`, []).slice(2, -addressDigits);
const tronCode = tronCall(null, []).slice(0, -addressDigits);

interface Asked {
  /** 40 digits; null for the native currency. */
  readonly token: string | null;
  readonly holders: readonly string[];
}

/** Of nine addresses in ten, 10 units of one token, as fill-orders.ts books them; less what was taken. */
export class MadeBalances {
  readonly #token: string;
  readonly #taken = new Map<string, bigint>();
  /** How often it was asked, for many balances each time. */
  calls = 0;

  /** `token` is 40 digits. */
  constructor(token: string) {
    this.#token = token;
  }

  /** From now on the address (40 digits) holds so much less. */
  take(address: string, units: bigint): void {
    this.#taken.set(address, units);
  }

  /** The words of the answer to an eth_call without `to`, null where it is no such call. */
  answerEvm(data: string): string | null {
    const text = data.slice(2);
    const isNative = text.startsWith(evmNative);
    if (!isNative && !text.startsWith(evmToken)) return null;
    const rest = text.slice(isNative ? evmNative.length : evmToken.length);
    return this.#answer(isNative ? { token: null, holders: inAddresses(rest) } : tokenFirst(rest));
  }

  /** The same for a constant call of Tron, where a token of zeros stands for TRX. */
  answerTron(data: string): string | null {
    if (!data.startsWith(tronCode)) return null;
    const { token, holders } = tokenFirst(data.slice(tronCode.length));
    return this.#answer({ token: /^0+$/.test(token) ? null : token, holders });
  }

  #answer({ token, holders }: Asked): string {
    this.calls += 1;
    return holders.map((holder) => word(this.#unitsOf(token, holder).toString(16))).join('');
  }

  #unitsOf(token: string | null, holder: string): bigint {
    if (token !== this.#token) return 0n;
    const place = Number.parseInt(holder.slice(2), 16);
    return (place % 10 === 9 ? 0n : PAID_UNITS) - (this.#taken.get(holder) ?? 0n);
  }
}

function tokenFirst(digits: string): { readonly token: string; readonly holders: readonly string[] } {
  const [token = '', ...holders] = inAddresses(digits);
  return { token, holders };
}

function inAddresses(digits: string): readonly string[] {
  return digits.match(/.{40}/g) ?? [];
}
