// A currency number keeps its meaning, and is not taken away while an order waits for it.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, insertTestOrder, USDT } from '@ducat/testkit/fixtures';
import { requestOutgoing } from '../outgoing/request-outgoing.ts';
import { pinCurrencies, type PinTrouble } from './pin-currencies.ts';

const usdt = { currencyId: USDT, chain: 'ETH', symbol: 'USDT', contract: '0xaa', decimals: 6 };
const coin = { currencyId: 1000, chain: 'ETH', symbol: 'ETH', contract: '', decimals: 18 };
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
});

afterEach(() => database.drop());

async function pin(...configured: (typeof usdt)[]): Promise<readonly string[]> {
  return messagesOf(await database.transact((tx) => pinCurrencies(tx, configured)));
}

function messagesOf(troubles: readonly PinTrouble[]): readonly string[] {
  return troubles.map(({ message }) => message);
}

describe('pinCurrencies', () => {
  it('takes the same configuration again, and a longer one', async () => {
    expect(await pin(coin)).toEqual([]);
    expect(await pin(coin, usdt)).toEqual([]);
    expect(await pin(coin, usdt)).toEqual([]);
  });

  it.each([
    ['decimals', { ...usdt, decimals: 18 }],
    ['a contract', { ...usdt, contract: '0xbb' }],
    ['a chain', { ...usdt, chain: 'BSC' }],
  ])('refuses %s that changed once an order used it, and only then', async (_, changed) => {
    await pin(coin, changed);
    expect(await pin(coin, usdt)).toEqual([]);
    await insertApp(database);
    await insertTestOrder(database);
    expect(await pin(coin, changed)).toEqual([expect.stringContaining('currency 1001 (USDT on ETH')]);
  });

  it('forgets what an unused number cost where it means another token from now on', async () => {
    const prices = () => database.reader.read('SELECT currency_id AS id FROM price_history ORDER BY id', []);
    await pin(coin, usdt);
    await database.transact((tx) =>
      tx.write('INSERT INTO price_history SELECT currency_id, 900, 1 FROM currencies', []),
    );
    await pin(coin, { ...usdt, symbol: 'TETHER' });
    expect(await prices()).toEqual([{ id: 1000 }, { id: USDT }]);
    await pin(coin, { ...usdt, contract: '0xbb' });
    expect(await prices()).toEqual([{ id: 1000 }]);
  });

  it('refuses to lose a currency that an order waits for, and only then', async () => {
    await pin(coin, usdt);
    expect(await pin(coin)).toEqual([]);
    await insertApp(database);
    await insertTestOrder(database);
    expect(await pin(coin)).toEqual([expect.stringContaining('orders wait for it')]);
  });

  it('goes on where such a currency is left out as damaged, and says that its chain has to wait', async () => {
    await pin(coin, usdt);
    await insertApp(database);
    await insertTestOrder(database);
    const isLeftOut = ({ currencyId }: typeof usdt) => currencyId === USDT;
    const troubles = await database.transact((tx) => pinCurrencies(tx, [coin], [], isLeftOut));
    expect(troubles).toMatchObject([{ chain: 'ETH', isLeftOut: true }]);
  });

  it('has the chain wait also where its addresses can be paid again, by a QR code or late', async () => {
    await pin(coin, usdt);
    await insertApp(database);
    await insertTestOrder(database);
    const leftOut = ({ currencyId }: typeof usdt) => currencyId === USDT;
    await database.transact((tx) => tx.write(`UPDATE orders SET status = 'TIME-OUT'`, []));
    const troubles = await database.transact((tx) => pinCurrencies(tx, [coin], [], leftOut));
    expect(troubles).toMatchObject([{ chain: 'ETH', isLeftOut: true }]);
    // A chain that is not read without it has nothing to wait for.
    expect(await database.transact((tx) => pinCurrencies(tx, [], [], () => true))).toEqual([]);
  });

  // hits mark: what-is-being-sent-stays-configured
  it('refuses to lose a currency that is being sent: its final block would look as if nothing had moved', async () => {
    await pin(coin, usdt);
    await insertApp(database);
    await database.transact(async (tx) => {
      await tx.write(
        "INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ('evm', 0, '0xwallet', 'wallet')",
        [],
      );
      await requestOutgoing(tx, {
        outgoingId: 'out_1',
        chain: eth,
        subject: { kind: 'payout', id: 'pay_1', approval: null },
        from: '0xwallet',
        to: '0xthem',
        amount: amountOf(USDT, 5n),
        feeCap: amountOf(1000, 1n),
        nowMs: 0,
      });
    });
    expect(await pin(coin)).toEqual([expect.stringContaining('payouts or collections move it')]);
    await database.transact((tx) =>
      tx.write(
        "UPDATE outgoing_transactions SET state = 'cancelled', next_at_ms = NULL, ended_at_ms = 0",
        [],
      ),
    );
    expect(await pin(coin)).toEqual([]);
  });

  it('gives a contract that was used no second number, also when nothing waits any more', async () => {
    const again = { ...usdt, currencyId: 1900 };
    await pin(coin, usdt);
    expect(await pin(coin, again)).toEqual([]);
    expect(await pin(coin, usdt)).toEqual([]);
    await insertApp(database);
    await insertTestOrder(database);
    await database.transact((tx) => tx.write("UPDATE orders SET status = 'TIME-OUT'", []));
    const refused = [
      'currency 1001 (USDT on ETH, 0xaa, 6 decimals) has been used and cannot go on as currency 1900; state it under 1001',
    ];
    expect(await pin(coin, again)).toEqual(refused);
    expect(messagesOf(await database.transact((tx) => pinCurrencies(tx, [coin], [again])))).toEqual(refused);
    // The same address on another chain is another contract.
    expect(await pin(coin, { ...again, chain: 'BSC', currencyId: 2900 })).toEqual([]);
    expect(await pin(coin, usdt)).toEqual([]);
  });

  it('gives the coin of a chain no second number either', async () => {
    await pin(coin, usdt);
    await insertApp(database);
    await insertTestOrder(database, { currencyId: 1000 });
    await database.transact((tx) => tx.write("UPDATE orders SET status = 'TIME-OUT'", []));
    expect(await pin({ ...coin, currencyId: 7000 })).toEqual([
      expect.stringContaining('cannot go on as currency 7000; state it under 1000'),
    ]);
  });

  it('leaves a start to books in which a contract has two numbers already', async () => {
    const again = { ...usdt, currencyId: 1900 };
    await pin(coin, usdt);
    await insertApp(database);
    await insertTestOrder(database);
    await insertTestOrder(database, { currencyId: 1900, tradeNo: 'other', outTradeNo: 'other' });
    await database.transact((tx) => tx.write("UPDATE orders SET status = 'TIME-OUT'", []));
    await database.transact((tx) =>
      tx.write(
        "INSERT INTO currencies (currency_id, chain, symbol, contract, decimals) VALUES (1900, 'ETH', 'USDT', '0xaa', 6)",
        [],
      ),
    );
    expect(await pin(coin, usdt)).toEqual([]);
    expect(await pin(coin, again)).toEqual([]);
  });

  it('pins nothing of a configuration that it refuses', async () => {
    await pin(coin, usdt);
    await insertApp(database);
    await insertTestOrder(database);
    const mistyped = { ...coin, currencyId: 1050, decimals: 8 };
    expect(await pin(coin, { ...usdt, decimals: 18 }, mistyped)).toHaveLength(1);
    const rows = await database.reader.read('SELECT currency_id FROM currencies ORDER BY 1', []);
    expect(rows).toEqual([{ currency_id: 1000 }, { currency_id: 1001 }]);
  });

  it('holds what is switched off to what is pinned, and pins no draft', async () => {
    const pinWithOff = async (off: typeof usdt) =>
      messagesOf(await database.transact((tx) => pinCurrencies(tx, [coin], [off])));
    expect(await pinWithOff({ ...usdt, contract: '0xdraft' })).toEqual([]);
    expect(await pin(coin, usdt)).toEqual([]);
    await insertApp(database);
    await insertTestOrder(database);
    expect(await pinWithOff(usdt)).toEqual([]);
    expect(await pinWithOff({ ...usdt, contract: '0xbb' })).toEqual([
      expect.stringContaining('pinned for ever'),
    ]);
  });
});
