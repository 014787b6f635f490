// Pays from TronLink, which may be injected late, as `tronLink` with the object `tronWeb` in it.
import type { CheckoutView } from '@ducat/contract/checkout-view';
import { unitsOf } from '../page/amounts.ts';
import { WalletTrouble } from './wallet-trouble.ts';

interface TronWeb {
  readonly defaultAddress: { readonly base58: string | false };
  readonly transactionBuilder: {
    sendTrx(to: string, units: number, from: string): Promise<object>;
    triggerSmartContract(
      contract: string,
      method: string,
      options: object,
      values: readonly object[],
      from: string,
    ): Promise<{ readonly transaction: object }>;
  };
  readonly trx: {
    sign(transaction: object): Promise<object>;
    sendRawTransaction(signed: object): Promise<{ readonly result?: boolean }>;
  };
}

interface TronLink {
  readonly tronWeb?: TronWeb | false;
  request(question: { readonly method: string }): Promise<{ readonly code?: number } | ''>;
}

declare global {
  interface Window {
    readonly tronLink?: TronLink;
  }
}

/** Calls `found` once TronLink is there; never in a browser without it. */
export function onTronLink(found: () => void): void {
  if (window.tronLink !== undefined) found();
  else addEventListener('tronLink#initialized', found, { once: true });
}

/** Resolves once the wallet has sent the transfer. Throws WalletTrouble. */
export async function payFromTronLink(view: CheckoutView): Promise<void> {
  try {
    const link = window.tronLink;
    const answer = await link?.request({ method: 'tron_requestAccounts' });
    if (answer !== undefined && answer !== '' && answer.code === 4001) throw new WalletTrouble('cancelled');
    const web = link?.tronWeb;
    if (web === undefined || web === false || web.defaultAddress.base58 === false)
      throw new WalletTrouble('locked');
    const signed = await web.trx.sign(await transferOf(web, view, web.defaultAddress.base58));
    const sent = await web.trx.sendRawTransaction(signed);
    if (sent.result !== true) throw new WalletTrouble('failed');
  } catch (error) {
    if (error instanceof WalletTrouble) throw error;
    throw new WalletTrouble(/declin|reject|cancel/i.test(String(error)) ? 'cancelled' : 'failed');
  }
}

async function transferOf(web: TronWeb, view: CheckoutView, from: string): Promise<object> {
  const { currency, address, missing } = view;
  const units = unitsOf(missing, currency.decimals);
  // The wallet takes TRX as a number, which is exact up to 2^53 units: 9 billion TRX.
  if (currency.contract === '') return web.transactionBuilder.sendTrx(address, Number(units), from);
  const values = [
    { type: 'address', value: address },
    { type: 'uint256', value: units.toString() },
  ];
  const method = 'transfer(address,uint256)';
  return (await web.transactionBuilder.triggerSmartContract(currency.contract, method, {}, values, from))
    .transaction;
}
