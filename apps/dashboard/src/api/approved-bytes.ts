// What an approver signs, made by the page from what it shows, and compared with what the server wants signed.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { hexOf } from './approver-key.ts';
import type { Currencies } from './currencies.ts';

type Approval = ResponseOf<'payouts.approval'>;

const VERSION = 'ducat-payout-approval-1';

/** The bytes; null where the server wants something else signed than it shows. */
export function approvedBytes(shown: Approval, currencies: Currencies): Uint8Array<ArrayBuffer> | null {
  const { payout, signed, until, max_fee: maxFee, max_fee_currency_id: feeCurrency } = shown;
  const currency = currencies.find(payout.currency_id);
  const coin = currencies.find(feeCurrency);
  if (currency === null || coin === null) return null;
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
  return isAsShown && hexOf(bytes) === shown.bytes ? bytes : null;
}

/** Four bytes, the highest first. */
function lengthOf({ length }: string): readonly number[] {
  return [length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255];
}

/** ASCII throughout. */
function codesOf(field: string): readonly number[] {
  return Array.from(field, (character) => character.charCodeAt(0));
}

function baseUnits(amount: string, decimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return String(BigInt(whole + fraction.padEnd(decimals, '0')));
}

/** Letters of `0x` addresses are small or large as a check; those of other chains mean what they are. */
function isSameAddress(signed: string, shown: string): boolean {
  return signed === (shown.startsWith('0x') ? shown.toLowerCase() : shown);
}
