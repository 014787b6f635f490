// The link that opens a wallet with address and amount filled in (EIP-681); there is none for Tron.
import type { CheckoutView } from '@ducat/contract/checkout-view';
import { unitsOf } from './amounts.ts';

/** "" where wallets agree on no form of link. The amount is what is still missing. */
export function payLink({ currency, address, missing }: CheckoutView): string {
  const { series, chain_id: chainId, contract, decimals } = currency;
  if (series !== 'ETH' || chainId === 0) return '';
  const units = unitsOf(missing, decimals);
  return contract === ''
    ? `ethereum:${address}@${chainId}?value=${units}`
    : `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`;
}
