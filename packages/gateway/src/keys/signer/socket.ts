// The signer port over the signer's socket.
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import { askSigner, malformedAnswer, type SignerSocketOptions } from './ask-signer.ts';
import type { SignerPort } from './port.ts';

/**
 * Opens a connection for each request. Requests are rare (one per app and family), and without a kept connection there is
 * nothing to reconnect when the signer restarts.
 */
export function connectSigner(options: SignerSocketOptions): SignerPort {
  return {
    accountPublicKey: async (family, account) => {
      const result = await askSigner(options, 'account-public-key', { family, account });
      const { xpub } = result;
      const isOurs = result['family'] === family && result['account'] === account;
      if (!isOurs || typeof xpub !== 'string' || !isAccountPublicKey(xpub, account)) throw malformedAnswer();
      return xpub;
    },
  };
}

/** A key of a wrong depth or account would give addresses that no backup restores. A private key must never come here. */
function isAccountPublicKey(xpub: string, account: number): boolean {
  if (!xpub.startsWith('xpub')) return false;
  try {
    const key = HDKey.fromExtendedKey(xpub);
    return key.privateKey === null && key.depth === 3 && key.index === account + HARDENED_OFFSET;
  } catch {
    return false;
  }
}
