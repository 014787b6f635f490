// AppKeys: sealed for the database under the master secret, and opened to sign webhooks and check signatures.
import { Bug } from '@ducat/core/assert';
import { LRUCache } from 'lru-cache';
import { type App, readNewestSealedApp, readSealedApp, type SealedApp } from '../db/tables/apps.ts';
import type { Reader } from '../db/postgres/tx.ts';
import type { World } from '../runtime/world.ts';
import { openSealing, type Sealing } from './sealing.ts';

/** An app with its keys that are valid now, the current one first. */
export interface AppAccess {
  readonly app: App;
  readonly keys: readonly [string, ...string[]];
}

export interface AppKeys {
  /** The app and its keys, at most `maxAgeMs` old, by default five seconds; null where there is no such app. */
  keysFor(appId: string, maxAgeMs?: number): Promise<AppAccess | null>;
  /** The keys of the cache, however old: for use while the database cannot be asked. */
  lastKnownKeysFor(appId: string): AppAccess | null;
  /** The current key of an app that is known to exist, at once where it is cached. Rejects with Bug where there is none. */
  appKey(appId: string): string | Promise<string>;
  /** A fresh random AppKey, to be shown to the merchant once, and the same sealed for the database. */
  create(appId: string): { readonly appKey: string; readonly sealedKey: Buffer };
  /** Seals a key that was chosen elsewhere. */
  seal(appId: string, appKey: string): Buffer;
}

/** How long keys are cached. A rotation or a switch-off applies in every process after this time. */
export const MEMORY_MS = 5_000;
/** Unknown ids are cached for a shorter time, so that a new app works soon. */
const UNKNOWN_MEMORY_MS = 1_000;
const MAX_REMEMBERED = 10_000;
const KEY_BYTES = 32;
const PURPOSE = 'ducat app-key sealing v1';

/** `masterSecret` has at least 32 bytes. Each purpose gets a key of its own that is derived from it. */
export function createAppKeys(options: {
  readonly masterSecret: Uint8Array;
  readonly reader: Reader;
  readonly world: World;
}): AppKeys {
  const sealing = openSealing(options.masterSecret, PURPOSE);
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  const { reader, world } = options;

  async function load(appId: string): Promise<Remembered> {
    const sealed = await readSealedApp(reader, appId);
    const fresh = { atMs: world.nowMs(), opened: sealed === null ? null : open(sealing, sealed) };
    remembered.set(appId, fresh);
    return fresh;
  }

  function rememberedKey(appId: string): string | null {
    const known = remembered.get(appId);
    const isYoung = known !== undefined && isYoungerThan(known, MEMORY_MS, world.nowMs());
    return isYoung ? (accessOf(known, world.nowMs())?.keys[0] ?? null) : null;
  }

  const keys: AppKeys = {
    async keysFor(appId, maxAgeMs = MEMORY_MS) {
      const known = remembered.get(appId);
      const isYoung = known !== undefined && isYoungerThan(known, maxAgeMs, world.nowMs());
      return accessOf(isYoung ? known : await load(appId), world.nowMs());
    },
    lastKnownKeysFor(appId) {
      const known = remembered.get(appId);
      return known === undefined ? null : accessOf(known, world.nowMs());
    },
    appKey: (appId) => rememberedKey(appId) ?? keys.keysFor(appId).then((access) => firstKey(appId, access)),
    create(appId) {
      const appKey = Buffer.from(world.random(KEY_BYTES)).toString('base64url');
      return { appKey, sealedKey: keys.seal(appId, appKey) };
    },
    seal: (appId, appKey) => sealing.seal(appId, appKey, world),
  };
  return keys;
}

/**
 * The id of the newest app if its key does not open under this master secret, else null. Checked at the start, because with
 * a wrong secret every signed call and every webhook would fail.
 */
export async function findLockedApp(options: {
  readonly masterSecret: Uint8Array;
  readonly reader: Reader;
}): Promise<string | null> {
  const newest = await readNewestSealedApp(options.reader);
  if (newest === null) return null;
  const { appId } = newest.app;
  try {
    openSealing(options.masterSecret, PURPOSE).unseal(appId, newest.sealedKey);
    return null;
  } catch {
    return appId;
  }
}

function firstKey(appId: string, access: AppAccess | null): string {
  if (access === null) throw new Bug(`app ${appId} has no key`);
  return access.keys[0];
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
  // A negative age counts as old, so that a clock that was set back does not keep an old key valid.
  return ageMs >= 0 && ageMs < limit;
}

/** The grace period is checked at every use, so caching never prolongs it. */
function accessOf({ opened }: Remembered, nowMs: number): AppAccess | null {
  if (opened === null) return null;
  const withPrevious = opened.previous !== null && nowMs < opened.previousUntilMs;
  return { app: opened.app, keys: withPrevious ? [opened.current, opened.previous] : [opened.current] };
}

function open(sealing: Sealing, sealed: SealedApp): OpenedApp {
  const { appId } = sealed.app;
  return {
    app: sealed.app,
    current: sealing.unseal(appId, sealed.sealedKey),
    previous: sealed.previousSealedKey === null ? null : sealing.unseal(appId, sealed.previousSealedKey),
    previousUntilMs: sealed.previousKeyUntilMs ?? 0,
  };
}
