// Seals secrets for the database under the master secret, each for one purpose and one owner, such as an app.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { World } from '../runtime/world.ts';

export interface Sealing {
  seal(appId: string, text: string, world: Pick<World, 'random'>): Buffer;
  /** Throws an Error where the bytes were not sealed for this owner, purpose and master secret. */
  unseal(appId: string, sealed: Buffer): string;
}

const MIN_SECRET_BYTES = 32;
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `masterSecret` has at least 32 bytes. Each purpose gets a key of its own that is derived from it. */
export function openSealing(masterSecret: Uint8Array, purpose: string): Sealing {
  if (masterSecret.length < MIN_SECRET_BYTES) {
    throw new Error(`the master secret must have at least ${MIN_SECRET_BYTES} bytes`);
  }
  const key = Buffer.from(hkdfSync('sha256', masterSecret, '', purpose, 32));
  return {
    seal: (appId, text, world) => seal(key, appId, text, world.random(NONCE_BYTES)),
    unseal: (appId, sealed) => unseal(key, appId, sealed),
  };
}

/** AES-256-GCM with the owner's id as associated data, so that a secret that is copied to another owner does not open. */
function seal(key: Buffer, appId: string, text: string, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(appId));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, sealed, cipher.getAuthTag()]);
}

function unseal(key: Buffer, appId: string, sealed: Buffer): string {
  const textStart = 1 + NONCE_BYTES;
  const tagStart = sealed.length - TAG_BYTES;
  if (sealed[0] !== VERSION || tagStart < textStart) throw unreadable(appId);
  const nonce = sealed.subarray(1, textStart);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(appId));
  decipher.setAuthTag(sealed.subarray(tagStart));
  try {
    return decipher.update(sealed.subarray(textStart, tagStart), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw unreadable(appId);
  }
}

function unreadable(appId: string): Error {
  return new Error(
    `the stored key of ${appId} does not open: the master secret is another one, or the row was altered`,
  );
}
