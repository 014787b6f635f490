// The approver's own Ed25519 key in this browser: made here, one for each person, never given out, not even to this page.

export interface ApproverKey {
  /** The approver's name in the signer's policy. */
  readonly name: string;
  /** The line that the operator puts under `approvers` of the signer's policy. */
  readonly policyLine: string;
  /** The line under `[approvers]` of ducat.toml. */
  readonly configLine: string;
  /** The signature, in hexadecimal. */
  sign(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}

interface Kept {
  readonly name: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

const STORE = 'approver-keys';

/** Null where this browser has none. */
export async function readApproverKey(personId: string): Promise<ApproverKey | null> {
  // Only `makeApproverKey` writes there.
  const kept: Kept | undefined = await inStore('readonly', (store) => store.get(personId));
  return kept === undefined ? null : toKey(kept);
}

/** Throws where the browser knows no Ed25519, or the page came by plain HTTP. */
export async function makeApproverKey(personId: string, name: string): Promise<ApproverKey> {
  const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('this browser makes no pair of keys');
  const kept: Kept = { name, privateKey: pair.privateKey, publicKey: pair.publicKey };
  await inStore('readwrite', (store) => store.put(kept, personId));
  return toKey(kept);
}

async function toKey({ name, privateKey, publicKey }: Kept): Promise<ApproverKey> {
  const hex = hexOf(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  return {
    name,
    policyLine: `{ "name": "${name}", "publicKey": "${hex}" }`,
    configLine: `${name} = "${hex}"`,
    sign: async (bytes) => hexOf(new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, bytes))),
  };
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One request in the browser's own database. */
async function inStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open('ducat', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await ended(opening);
  try {
    return await ended(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function ended<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing'));
  });
}
