// What an approver signs, made by the page from what it shows, and compared with what the server wants signed.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { base58 } from '@scure/base';
import { hexOf } from './approver-key.ts';
import type { Currencies } from './currencies.ts';

type Approval = ResponseOf<'payouts.approval'>;

const VERSION = 'ducat-payout-approval-1';

export type Approved =
  | { readonly outcome: 'as-shown'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The bytes name another network than the one that is configured for the payout's currency. */
  | { readonly outcome: 'other-network'; readonly signed: number; readonly configured: number }
  /** The server wants something else signed than it shows. */
  | { readonly outcome: 'disagrees' };

export function approvedBytes(shown: Approval, currencies: Pick<Currencies, 'find'>): Approved {
  const { payout, signed, until, max_fee: maxFee, max_fee_currency_id: feeCurrency } = shown;
  const currency = currencies.find(payout.currency_id);
  const coin = currencies.find(feeCurrency);
  if (currency === null || coin === null) return { outcome: 'disagrees' };
  const { chain_id: configured } = currency;
  if (signed.chain_id !== configured)
    return { outcome: 'other-network', signed: signed.chain_id, configured };
  const isAsShown =
    signed.payout_id === payout.trade_no &&
    isSameAddress(signed.to, payout.to_address) &&
    isSameAddress(signed.contract, currency.contract ?? '') &&
    signed.base_units === baseUnits(payout.receipt, currency.decimals) &&
    signed.fee_cap === baseUnits(maxFee, coin.decimals) &&
    signed.expiry === until;
  const fields = [
    VERSION,
    signed.payout_id,
    String(signed.chain_id),
    signed.contract,
    signed.to,
    signed.base_units,
    signed.fee_cap,
    String(signed.expiry),
    signed.approver,
  ];
  const bytes = Uint8Array.from(fields.flatMap((field) => [...lengthOf(field), ...codesOf(field)]));
  return isAsShown && hexOf(bytes) === shown.bytes
    ? { outcome: 'as-shown', bytes }
    : { outcome: 'disagrees' };
}

/** The length in four bytes, the highest byte first. */
function lengthOf({ length }: string): readonly number[] {
  return [length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255];
}

/** All fields are ASCII. */
function codesOf(field: string): readonly number[] {
  return Array.from(field, (character) => character.charCodeAt(0));
}

function baseUnits(amount: string, decimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return String(BigInt(whole + fraction.padEnd(decimals, '0')));
}

function isSameAddress(signed: string, shown: string): boolean {
  return signed === (shown.startsWith('T') ? tronHex(shown) : shown.toLowerCase());
}

/**
 * The form that is signed on Tron: the 21 bytes without their checksum, in hexadecimal. A text that is no address is
 * returned unchanged, so that it equals no signed address.
 */
function tronHex(shown: string): string {
  try {
    return hexOf(Uint8Array.from(base58.decode(shown).subarray(0, -4)));
  } catch {
    return shown;
  }
}
