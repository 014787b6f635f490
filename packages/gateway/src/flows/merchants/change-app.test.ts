// Settings of an app and of its merchant change one by one, and within their bounds.
import { MAX_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { MAX_TOLERANCE_PPM } from '@ducat/core/order/order';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { readCurrenciesOff } from '../../db/tables/apps.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { type AppChange, changeApp } from './change-app.ts';
import { changeMerchant } from './change-merchant.ts';
import { createMerchant } from './create-merchant.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 0 });
});

afterEach(() => database.drop());

function change(settings: Omit<AppChange, 'appId'>, appId = 'app_1') {
  return database.transact((tx) => changeApp(tx, { appId, ...settings }));
}

describe('changeApp', () => {
  it('changes what is named and leaves the rest', async () => {
    const before = { enabled: true, tolerancePpm: 0, callbackUrl: 'http://shop.test/hook' };
    expect(await change({})).toMatchObject({ outcome: 'changed', app: before });
    expect(await change({ tolerancePpm: 15_000 })).toMatchObject({
      app: { ...before, tolerancePpm: 15_000 },
    });
    expect(await change({ enabled: false, tolerancePpm: 0 })).toMatchObject({
      app: { ...before, enabled: false },
    });
    expect(await change({ enabled: true, callbackUrl: 'https://shop.test/new' })).toMatchObject({
      app: { ...before, callbackUrl: 'https://shop.test/new' },
    });
  });

  it('keeps the currencies that are off, each once, for this app alone', async () => {
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 0 });
    await change({ currenciesOff: [1001, 2001] });
    expect(await change({ currenciesOff: [1001, 2000], currenciesOn: [2001, 4000] })).toMatchObject({
      currenciesOff: new Set([1001, 2000]),
    });
    expect(await readCurrenciesOff(database.reader, 'app_2')).toEqual(new Set());
  });

  it('takes the widest tolerance that the schema takes, and no wider one', async () => {
    const most = Number(MAX_TOLERANCE_PPM);
    expect(await change({ tolerancePpm: most })).toMatchObject({ outcome: 'changed' });
    await expect(change({ tolerancePpm: most + 1 })).rejects.toThrow('tolerance');
    await expect(change({ tolerancePpm: -1 })).rejects.toThrow('tolerance');
  });

  it('says so where there is no such app, and leaves nothing behind', async () => {
    expect(await change({ currenciesOff: [1001] }, 'app_none')).toEqual({ outcome: 'app-unknown' });
    expect(await readCurrenciesOff(database.reader, 'app_none')).toEqual(new Set());
  });
});

describe('changeMerchant', () => {
  const feeOf = async () =>
    (await database.reader.read<{ fee: number }>('SELECT deposit_fee_ppm AS fee FROM merchants', []))[0]?.fee;

  it('sets the fee, up to the one bound of flow and schema', async () => {
    const set = (depositFeePpm: number, merchantId = 'mer_1') =>
      database.transact((tx) => changeMerchant(tx, { merchantId, depositFeePpm }));
    const most = Number(MAX_DEPOSIT_FEE_PPM);
    expect([await set(most), await feeOf()]).toEqual([{ outcome: 'changed' }, most]);
    expect([await set(0), await feeOf()]).toEqual([{ outcome: 'changed' }, 0]);
    await expect(set(most + 1)).rejects.toThrow('a fee lies between');
    expect(await set(300, 'mer_none')).toEqual({ outcome: 'merchant-unknown' });
    const tooMuch = { merchantId: 'mer_2', name: 'Shop', depositFeePpm: most + 1, createdAtMs: 0 };
    await expect(database.transact((tx) => createMerchant(tx, tooMuch))).rejects.toThrow(
      'a fee lies between',
    );
  });
});
