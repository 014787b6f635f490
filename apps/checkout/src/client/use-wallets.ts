// The wallets of this browser that can pay this order, and paying from one.
import type { CheckoutView } from '@ducat/contract/checkout-view';
import { createStore } from 'mipd';
import { useEffect, useState } from 'preact/hooks';
import type { WalletChoice } from '../page/model.ts';
import { payFromEvmWallet } from './evm-wallet.ts';
import { onTronLink, payFromTronLink } from './tron-wallet.ts';
import { WalletTrouble } from './wallet-trouble.ts';

const TRONLINK: WalletChoice = { id: 'tronlink', name: 'TronLink', icon: '' };
const MAX_NAME = 40;

type Paid = 'wallet_sent' | `wallet_${WalletTrouble['kind']}`;

export interface Wallets {
  readonly found: readonly WalletChoice[];
  pay(id: string): Promise<Paid>;
}

/** EVM wallets announce themselves (EIP-6963), before or after the page was loaded. */
export function useWallets(view: CheckoutView): Wallets {
  const [store] = useState(() => (typeof window === 'undefined' ? undefined : createStore()));
  const [evm, setEvm] = useState<readonly WalletChoice[]>([]);
  const [hasTron, setTron] = useState(false);
  useEffect(() => {
    const list = () => setEvm((store?.getProviders() ?? []).map(({ info }) => shown(info)));
    list();
    onTronLink(() => setTron(true));
    return store?.subscribe(list);
  }, []);
  const isEvm = view.currency.series === 'ETH';
  return {
    found: isEvm ? evm : hasTron ? [TRONLINK] : [],
    pay: async (id) => {
      try {
        const provider = store?.getProviders().find(({ info }) => info.uuid === id)?.provider;
        if (!isEvm) await payFromTronLink(view);
        else if (provider !== undefined) await payFromEvmWallet(provider, view);
        return 'wallet_sent';
      } catch (error) {
        return `wallet_${error instanceof WalletTrouble ? error.kind : 'failed'}`;
      }
    },
  };
}

/**
 * The name that an extension gives itself is shown as text. Its icon is shown only where it is a data address of an image.
 */
function shown({
  uuid,
  name,
  icon,
}: {
  readonly uuid: string;
  readonly name: string;
  readonly icon: string;
}): WalletChoice {
  return { id: uuid, name: name.slice(0, MAX_NAME), icon: icon.startsWith('data:image/') ? icon : '' };
}
