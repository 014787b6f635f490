// Pays from an injected EVM wallet: switches its chain, and hands it the complete transfer with the exact amount.
import type { CheckoutView } from '@ducat/contract/checkout-view';
import type { EIP1193Provider } from 'mipd';
import { unitsOf } from '../page/amounts.ts';
import { WalletTrouble } from './wallet-trouble.ts';

type Hex = `0x${string}`;

/** Resolves once the wallet has sent the transfer. Throws WalletTrouble. */
export async function payFromEvmWallet(provider: EIP1193Provider, view: CheckoutView): Promise<void> {
  const { currency, address, missing } = view;
  try {
    const [from] = await provider.request({ method: 'eth_requestAccounts' });
    if (from === undefined) throw new WalletTrouble('locked');
    await requireChain(provider, currency.chain_id);
    const units = unitsOf(missing, currency.decimals);
    // The gateway writes both addresses in hexadecimal, as the wallet's types require.
    const [to, contract] = [address as Hex, currency.contract as Hex];
    const transfer =
      currency.contract === ''
        ? { from, to, value: hex(units) }
        : { from, to: contract, data: transferCall(address, units) };
    await provider.request({ method: 'eth_sendTransaction', params: [transfer] });
  } catch (error) {
    throw error instanceof WalletTrouble ? error : new WalletTrouble(kindOf(error));
  }
}

async function requireChain(provider: EIP1193Provider, chainId: number): Promise<void> {
  const isThere = async () => Number(await provider.request({ method: 'eth_chainId' })) === chainId;
  if (await isThere()) return;
  try {
    await provider.request({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: hex(BigInt(chainId)) }],
    });
  } catch (error) {
    throw new WalletTrouble(kindOf(error) === 'cancelled' ? 'cancelled' : 'network');
  }
  if (!(await isThere())) throw new WalletTrouble('network');
}

/** The call transfer(address,uint256) of a token. */
function transferCall(to: string, units: bigint): Hex {
  const word = (text: string) => text.padStart(64, '0');
  return `0xa9059cbb${word(to.slice(2).toLowerCase())}${word(units.toString(16))}`;
}

function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

/**
 * By the error codes of EIP-1193. -32002 says that a request is open in the wallet already, mostly because it is locked.
 */
function kindOf(error: unknown): WalletTrouble['kind'] {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : 0;
  if (code === 4001) return 'cancelled';
  if (code === 4100 || code === -32002) return 'locked';
  return code === 4901 || code === 4902 ? 'network' : 'failed';
}
