// AppKeys: sealed for the database under the operator's master secret, opened for those who sign and check.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Bug } from '@ducat/core/assert';
import { type App, readNewestSealedApp, readSealedApp, type SealedApp } from '../db/tables/apps.ts';
import type { Reader } from '../db/postgres/tx.ts';
import type { World } from '../runtime/world.ts';

/** An app with the keys it may sign with now, the current one first. */
export interface AppAccess {
  readonly app: App;
  readonly keys: readonly [string, ...string[]];
}

export interface AppKeys {
  /** The app and its keys, or null where there is none; at most `maxAgeMs` old, by default five seconds. */
  keysFor(appId: string, maxAgeMs?: number): Promise<AppAccess | null>;
  /** The same without asking the database: what is remembered and young enough, or null. */
  rememberedKeysFor(appId: string): AppAccess | null;
  /** The current key of an app that is known to exist, at once where it is remembered; a Bug where there is none. */
  appKey(appId: string): string | Promise<string>;
  /** A fresh random AppKey, to be shown to the merchant once, and the same sealed for the database. */
  create(appId: string): { readonly appKey: string; readonly sealedKey: Buffer };
  /** Seals a key that was chosen elsewhere. */
  seal(appId: string, appKey: string): Buffer;
}

/** How long keys are remembered: a rotation or a switch-off holds everywhere after this. */
export const MEMORY_MS = 5_000;
/** Unknown ids are remembered for less, so that a new app works at once. */
const UNKNOWN_MEMORY_MS = 1_000;
const MAX_REMEMBERED = 10_000;
const MIN_SECRET_BYTES = 32;
const KEY_BYTES = 32;

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `masterSecret` has at least 32 bytes; every purpose gets a key of its own derived from it. */
export function createAppKeys(options: {
  readonly masterSecret: Uint8Array;
  readonly reader: Reader;
  readonly world: World;
}): AppKeys {
  if (options.masterSecret.length < MIN_SECRET_BYTES) {
    throw new Error(`the master secret must have at least ${MIN_SECRET_BYTES} bytes`);
  }
  const sealingKey = sealingKeyOf(options.masterSecret);
  const remembered = new Map<string, Remembered>();
  const { reader, world } = options;

  async function load(appId: string): Promise<Remembered> {
    const sealed = await readSealedApp(reader, appId);
    const fresh = { atMs: world.nowMs(), opened: sealed === null ? null : open(sealingKey, sealed) };
    remembered.delete(appId);
    remembered.set(appId, fresh);
    const oldest = remembered.keys().next();
    if (remembered.size > MAX_REMEMBERED && oldest.done !== true) remembered.delete(oldest.value);
    return fresh;
  }

  const keys: AppKeys = {
    async keysFor(appId, maxAgeMs = MEMORY_MS) {
      const known = remembered.get(appId);
      const isYoung = known !== undefined && isYoungerThan(known, maxAgeMs, world.nowMs());
      return accessOf(isYoung ? known : await load(appId), world.nowMs());
    },
    rememberedKeysFor(appId) {
      const known = remembered.get(appId);
      const isYoung = known !== undefined && isYoungerThan(known, MEMORY_MS, world.nowMs());
      return isYoung ? accessOf(known, world.nowMs()) : null;
    },
    appKey: (appId) =>
      keys.rememberedKeysFor(appId)?.keys[0] ?? keys.keysFor(appId).then((access) => firstKey(appId, access)),
    create(appId) {
      const appKey = Buffer.from(world.random(KEY_BYTES)).toString('base64url');
      return { appKey, sealedKey: keys.seal(appId, appKey) };
    },
    seal: (appId, appKey) => seal(sealingKey, appId, appKey, world.random(NONCE_BYTES)),
  };
  return keys;
}

/**
 * The id of the newest app if its key does not open under this master secret, else null. Asked at start: with a wrong
 * secret every signed call and every webhook would fail one by one.
 */
export async function findLockedApp(options: {
  readonly masterSecret: Uint8Array;
  readonly reader: Reader;
}): Promise<string | null> {
  const newest = await readNewestSealedApp(options.reader);
  if (newest === null) return null;
  const { appId } = newest.app;
  try {
    unseal(sealingKeyOf(options.masterSecret), appId, newest.sealedKey);
    return null;
  } catch {
    return appId;
  }
}

function firstKey(appId: string, access: AppAccess | null): string {
  if (access === null) throw new Bug(`app ${appId} has no key`);
  return access.keys[0];
}

function sealingKeyOf(masterSecret: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', masterSecret, '', 'ducat app-key sealing v1', 32));
}

interface OpenedApp {
  readonly app: App;
  readonly current: string;
  readonly previous: string | null;
  readonly previousUntilMs: number;
}

interface Remembered {
  readonly atMs: number;
  readonly opened: OpenedApp | null;
}

function isYoungerThan(known: Remembered, maxAgeMs: number, nowMs: number): boolean {
  const limit = known.opened === null ? Math.min(UNKNOWN_MEMORY_MS, maxAgeMs) : maxAgeMs;
  const ageMs = nowMs - known.atMs;
  // A clock that was set back must not keep an old key alive.
  return ageMs >= 0 && ageMs < limit;
}

/** The grace period is looked at on every use, so remembering never prolongs it. */
function accessOf({ opened }: Remembered, nowMs: number): AppAccess | null {
  if (opened === null) return null;
  const withPrevious = opened.previous !== null && nowMs < opened.previousUntilMs;
  return { app: opened.app, keys: withPrevious ? [opened.current, opened.previous] : [opened.current] };
}

function open(sealingKey: Buffer, sealed: SealedApp): OpenedApp {
  const { appId } = sealed.app;
  return {
    app: sealed.app,
    current: unseal(sealingKey, appId, sealed.sealedKey),
    previous: sealed.previousSealedKey === null ? null : unseal(sealingKey, appId, sealed.previousSealedKey),
    previousUntilMs: sealed.previousKeyUntilMs ?? 0,
  };
}

/** AES-256-GCM with the AppId as associated data, so that a sealed key moved to another app does not open. */
function seal(sealingKey: Buffer, appId: string, appKey: string, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(appId));
  const text = Buffer.concat([cipher.update(appKey, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, text, cipher.getAuthTag()]);
}

function unseal(sealingKey: Buffer, appId: string, sealed: Buffer): string {
  const textStart = 1 + NONCE_BYTES;
  const tagStart = sealed.length - TAG_BYTES;
  if (sealed[0] !== VERSION || tagStart < textStart) throw unreadable(appId);
  const nonce = sealed.subarray(1, textStart);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey, nonce, { authTagLength: TAG_BYTES });
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
