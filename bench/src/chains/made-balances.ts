// Balances of made addresses, from memory: answers to calls for many balances, of both families.
import { multicallData } from '@ducat/gateway/chains/balances/multicall';

const PAID_UNITS = 10_000_000n;
const addressDigits = 40;
const word = (hex: string) => hex.padStart(64, '0');
const code = multicallData(null, []).slice(0, -addressDigits);

/** Nine addresses in ten hold 10 whole tokens, as fill-orders.ts books them, less the units that were taken. */
export class MadeBalances {
  readonly #token: string;
  readonly #taken = new Map<string, bigint>();
  /** Calls so far, each for many balances. */
  calls = 0;

  /** `token` is an address of 40 hex digits. */
  constructor(token: string) {
    this.#token = token;
  }

  /** From now on the address (40 digits) holds so much less. */
  take(address: string, units: bigint): void {
    this.#taken.set(address, units);
  }

  /** The words that answer a call whose data, in hex, begins with the multicall's code; null for other code. */
  answer(data: string): string | null {
    if (!data.startsWith(code)) return null;
    const [token = '', ...holders] = data.slice(code.length).match(/.{40}/g) ?? [];
    this.calls += 1;
    return holders.map((holder) => word(this.#unitsOf(token, holder).toString(16))).join('');
  }

  #unitsOf(token: string, holder: string): bigint {
    if (token !== this.#token) return 0n;
    const place = Number.parseInt(holder.slice(2), 16);
    return (place % 10 === 9 ? 0n : PAID_UNITS) - (this.#taken.get(holder) ?? 0n);
  }
}
