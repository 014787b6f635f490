// The signer port over the signer's local socket.
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import { askSigner, malformedAnswer, type SignerSocketOptions } from './ask-signer.ts';
import type { SignerPort } from './port.ts';

/**
 * A port that opens its connection per question, because questions are rare (one per app and family) and a
 * connection that is not kept needs no reconnecting when the signer restarts.
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

/** A key of the wrong depth or account would give addresses that no backup finds again; a private key must never come here. */
function isAccountPublicKey(xpub: string, account: number): boolean {
  if (!xpub.startsWith('xpub')) return false;
  try {
    const key = HDKey.fromExtendedKey(xpub);
    return key.privateKey === null && key.depth === 3 && key.index === account + HARDENED_OFFSET;
  } catch {
    return false;
  }
}
