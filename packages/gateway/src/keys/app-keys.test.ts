// Shows that AppKeys are stored sealed, open only for their app and secret, and are remembered briefly.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createAppKeys, findLockedApp, MEMORY_MS } from './app-keys.ts';
import { createApp } from '../flows/merchants/create-app.ts';
import { createMerchant } from '../flows/merchants/create-merchant.ts';
import { rotateAppKey } from '../flows/merchants/rotate-app-key.ts';
import { storeAccountKey } from '../flows/addresses/store-account-key.ts';
import { createTestWorld } from '@ducat/testkit/api/test-world';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';

const masterSecret = Buffer.alloc(32, 9);
const row = {
  merchantId: 'mer_1',
  name: 'Shop',
  kind: 'PAYMENT',
  callbackUrl: null,
  tolerancePpm: 0,
  createdAtMs: 0,
} as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 4);
  await database.transact((tx) =>
    createMerchant(tx, { merchantId: 'mer_1', name: 'Shop', depositFeePpm: 300, createdAtMs: 0 }),
  );
});
afterAll(() => database.drop());

function keysUnder(secret: Uint8Array, world = createTestWorld(0)) {
  return createAppKeys({ masterSecret: secret, reader: database.reader, world });
}

async function addApp(appId: string): Promise<string> {
  const { appKey, sealedKey } = keysUnder(masterSecret).create(appId);
  await database.transact((tx) => createApp(tx, { ...row, appId, sealedKey }));
  return appKey;
}

describe('createAppKeys', () => {
  it('makes keys of 32 random bytes and gives back what was stored', async () => {
    const appKey = await addApp('app_a');
    expect(appKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await keysUnder(masterSecret).appKey('app_a')).toBe(appKey);
    expect(keysUnder(masterSecret).create('app_a').appKey).not.toBe(appKey);
  });

  it('stores nothing that shows the key, and seals the same key differently each time', async () => {
    const appKey = await addApp('app_b');
    const [stored] = await database.reader.read<{ sealed_key: Buffer }>(
      "SELECT sealed_key FROM apps WHERE app_id = 'app_b'",
      [],
    );
    expect(stored?.sealed_key.includes(appKey)).toBe(false);
    const keys = keysUnder(masterSecret);
    expect(keys.seal('app_b', appKey).equals(keys.seal('app_b', appKey))).toBe(false);
  });

  it('does not open a key under another secret, moved to another app, or altered', async () => {
    await addApp('app_c');
    await addApp('app_d');
    await expect(keysUnder(Buffer.alloc(32, 1)).appKey('app_c')).rejects.toThrow('does not open');
    await database.transact((tx) =>
      tx.write(
        "UPDATE apps SET sealed_key = (SELECT sealed_key FROM apps WHERE app_id = 'app_d') WHERE app_id = 'app_c'",
        [],
      ),
    );
    await expect(keysUnder(masterSecret).appKey('app_c')).rejects.toThrow('does not open');
    for (const change of [
      "'\\x'",
      "'\\x02' || substr(sealed_key, 2)",
      'substr(sealed_key, 1, 20)',
      'substr(sealed_key, 1, 72)',
    ]) {
      await database.transact((tx) =>
        tx.write(`UPDATE apps SET sealed_key = ${change} WHERE app_id = 'app_d'`, []),
      );
      await expect(keysUnder(masterSecret).appKey('app_d')).rejects.toThrow('does not open');
    }
  });

  it('remembers a key for five seconds and an unknown app for one', async () => {
    const world = createTestWorld(0);
    const keys = keysUnder(masterSecret, world);
    expect(await keys.keysFor('app_e')).toBe(null);
    const first = await addApp('app_e');
    expect([await keys.keysFor('app_e'), keys.lastKnownKeysFor('app_e')]).toEqual([null, null]);
    world.advance(1_000);
    expect((await keys.keysFor('app_e'))?.keys).toEqual([first]);
    const { appKey, sealedKey } = keys.create('app_e');
    await database.transact((tx) =>
      rotateAppKey(tx, { appId: 'app_e', sealedKey, nowMs: 1_000, graceMs: 0 }),
    );
    world.advance(MEMORY_MS - 1);
    expect(keys.appKey('app_e')).toBe(first);
    world.advance(1);
    expect(keys.appKey('app_e')).toBeInstanceOf(Promise);
    // What was known last stays known, for a time when the database cannot be asked.
    expect(keys.lastKnownKeysFor('app_e')?.keys).toEqual([first]);
    expect((await keys.keysFor('app_e'))?.keys).toEqual([appKey]);
  });

  it('keeps the old key for a day beside the new one, and only the last old key', async () => {
    const world = createTestWorld(0);
    const keys = keysUnder(masterSecret, world);
    const first = await addApp('app_f');
    const second = keys.create('app_f');
    await database.transact((tx) =>
      rotateAppKey(tx, { appId: 'app_f', sealedKey: second.sealedKey, nowMs: 0 }),
    );
    expect((await keys.keysFor('app_f'))?.keys).toEqual([second.appKey, first]);
    const third = keys.create('app_f');
    await database.transact((tx) =>
      rotateAppKey(tx, { appId: 'app_f', sealedKey: third.sealedKey, nowMs: 0 }),
    );
    expect((await keys.keysFor('app_f', 0))?.keys).toEqual([third.appKey, second.appKey]);
    world.advance(24 * 3_600_000);
    expect((await keys.keysFor('app_f'))?.keys).toEqual([third.appKey]);
  });

  it('refuses a weak master secret and says so when an app has no key', async () => {
    expect(() => keysUnder(Buffer.alloc(31))).toThrow('32 bytes');
    await expect(keysUnder(masterSecret).appKey('app_none')).rejects.toThrow('has no key');
  });
});

describe('findLockedApp', () => {
  it('names the newest app under a wrong secret, and no app under the right one or without apps', async () => {
    const fresh = await openTestDatabase(inject('postgresAdminUrl'), 2);
    try {
      const { reader, transact } = fresh;
      const wrong = Buffer.alloc(32, 1);
      expect(await findLockedApp({ masterSecret: wrong, reader })).toBe(null);
      const keys = createAppKeys({ masterSecret, reader, world: createTestWorld(0) });
      await transact((tx) =>
        createMerchant(tx, { merchantId: 'mer_1', name: 'Shop', depositFeePpm: 300, createdAtMs: 0 }),
      );
      for (const [appId, createdAtMs] of [['app_new', 2] as const, ['app_old', 1] as const]) {
        const { sealedKey } = keys.create(appId);
        await transact((tx) => createApp(tx, { ...row, appId, sealedKey, createdAtMs }));
      }
      expect(await findLockedApp({ masterSecret, reader })).toBe(null);
      expect(await findLockedApp({ masterSecret: wrong, reader })).toBe('app_new');
    } finally {
      await fresh.drop();
    }
  });
});

describe('the flows of apps', () => {
  it('give each app an account of its own, and none to an unknown merchant', async () => {
    const sealedKey = Buffer.of(1);
    const add = (appId: string, merchantId: string) =>
      database.transact((tx) => createApp(tx, { ...row, appId, merchantId, sealedKey }));
    const made = await Promise.all(['app_g', 'app_h', 'app_i'].map((appId) => add(appId, 'mer_1')));
    const accounts = made.map((app) => (app.outcome === 'created' ? app.account : -1));
    expect(new Set(accounts).size).toBe(3);
    expect(await add('app_j', 'mer_none')).toEqual({ outcome: 'merchant-unknown' });
  });

  it('keep an account key once and never replace it by another', async () => {
    await addApp('app_k');
    const store = (accountPublicKey: string) =>
      database.transact((tx) => storeAccountKey(tx, { appId: 'app_k', family: 'evm', accountPublicKey }));
    await store('xpub1');
    await store('xpub1');
    await expect(store('xpub2')).rejects.toThrow('already has another evm account key');
  });

  it('say when there is no such app', async () => {
    const rotation = { appId: 'app_none', sealedKey: Buffer.of(1), nowMs: 0 };
    expect(await database.transact((tx) => rotateAppKey(tx, rotation))).toEqual({ outcome: 'app-unknown' });
  });
});
