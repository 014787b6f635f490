// Money that no log and no trace shows: the books stay as they are, and the comparison with the chain says so.
import { callOf } from '@ducat/devnet/contracts/contracts';
import { isExplained } from '@ducat/core/ledger/reconcile';
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { checkBooks } from '../src/roles/maintenance/check-books.ts';
import { auditBooks } from '../src/db/reports/audit.ts';
import { startSystem, type System } from '@ducat/testkit/system/system';

const ether = 10n ** 18n;

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'), {
    eth: {
      traces: 'none',
      tokens: [
        { contract: 'rebaseToken', decimals: 18 },
        { contract: 'pausableToken', decimals: 6 },
      ],
    },
  });
});
afterAll(() => system?.close());

interface Found {
  /** By currency on ETH: chain less ledger, and the differences of single addresses, in base units. */
  readonly differences: Readonly<Record<number, readonly [bigint, bigint]>>;
  /** What was logged as an error. */
  readonly errors: readonly object[];
}

/** Checks the books as maintenance does. */
async function check(): Promise<Found> {
  const { eth, bsc, database } = system;
  const errors: object[] = [];
  const ignore = () => undefined;
  const log = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (fields: object) => void errors.push(fields),
  };
  const { troubles, chains, unreachable } = await checkBooks(database.reader, [eth.port, bsc.port], log);
  expect([troubles, unreachable]).toEqual([[], []]);
  const [onEth, onBsc] = chains;
  expect(onBsc!.currencies.every(isExplained)).toBe(true);
  expect(onEth!.unanswered).toEqual([]);
  const differing = onEth!.currencies.filter((one) => !isExplained(one));
  return {
    differences: Object.fromEntries(
      differing.map((one) => [one.currencyId, [unitsOf(one.unexplained), unitsOf(one.astray)] as const]),
    ),
    errors,
  };
}

/** Opens an order, pays it, and waits until it is told. */
async function paid(currencyId: number, token: `0x${string}`, amount: string, units: bigint) {
  const { eth } = system;
  const shop = await system.newShop();
  const order = await shop.order(currencyId, amount);
  await eth.payer().sendToken(token, order.pay_address, units);
  await system.mine(eth);
  await system.makeFinal(eth);
  await shop.confirmed(order.trade_no, 1);
  return order;
}

describe('the comparison of the books with a chain', () => {
  it('finds value that moved inside a transaction where nothing is traced', async () => {
    const { eth, database } = system;
    expect(await check()).toEqual({ differences: {}, errors: [] });
    expect(eth.port.gaps()).toContainEqual(expect.stringContaining('only the balance check shows it'));
    const shop = await system.newShop();
    const order = await shop.order(eth.ids.coin, '1');
    await eth.payer().send(callOf('forwarder', eth.forwarder, 'forward', [order.pay_address], ether));
    await system.mine(eth);
    await system.makeFinal(eth);
    expect(await shop.detail(order.trade_no)).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '0' });
    expect(await auditBooks(database.reader)).toEqual([]);
    const units = String(ether);
    expect(await check()).toEqual({
      differences: { [eth.ids.coin]: [ether, ether] },
      errors: [
        expect.objectContaining({ chain: 'ETH', currencyId: 1000, unexplained: units, astray: units }),
      ],
    });

    // A loss of the same size elsewhere makes the sums agree again; address by address they do not.
    const other = await shop.order(eth.ids.coin, '1');
    await eth.payer().sendNative(other.pay_address, ether);
    await system.mine(eth);
    await eth.node.setBalance(other.pay_address, 0n);
    await system.mine(eth);
    await system.makeFinal(eth);
    await shop.confirmed(other.trade_no, 1);
    expect((await check()).differences).toEqual({ [eth.ids.coin]: [0n, 2n * ether] });
    await eth.node.setBalance(other.pay_address, ether);
    await eth.node.setBalance(order.pay_address, 0n);
    await system.mine(eth);
    await system.makeFinal(eth);
    expect(await check()).toEqual({ differences: {}, errors: [] });
  });

  it('finds balances that grow or shrink without a log', async () => {
    const { eth } = system;
    const { currencyId, address } = eth.further[0]!;
    await paid(currencyId, address, '100', 100n * ether);
    expect((await check()).differences).toEqual({});
    const rebase = async (factor: bigint) => {
      await eth.payer().send(callOf('rebaseToken', address, 'rebase', [factor]));
      await system.mine(eth);
      await system.makeFinal(eth);
    };
    await rebase(2n * ether);
    expect((await check()).differences).toEqual({ [currencyId]: [100n * ether, 100n * ether] });
    await rebase(ether / 4n);
    const found = await check();
    expect(found.differences).toEqual({ [currencyId]: [-75n * ether, 75n * ether] });
    expect(found.errors).toMatchObject([{ currencyId, unexplained: String(-75n * ether) }]);
    await rebase(ether);
    expect(await check()).toEqual({ differences: {}, errors: [] });
  });

  it('finds a balance that the issuer of a token destroyed', async () => {
    const { eth } = system;
    const { currencyId, address } = eth.further[1]!;
    const order = await paid(currencyId, address, '5', 5_000_000n);
    expect((await check()).differences).toEqual({});
    await eth.payer().send(callOf('pausableToken', address, 'addBlackList', [order.pay_address]));
    await eth.payer().send(callOf('pausableToken', address, 'destroyBlackFunds', [order.pay_address]));
    await system.mine(eth);
    await system.makeFinal(eth);
    const found = await check();
    expect(found.differences).toEqual({ [currencyId]: [-5_000_000n, 5_000_000n] });
    expect(found.errors).toHaveLength(1);
    expect(await system.books.troubles()).toEqual([
      `ETH: -5000000 units of currency ${currencyId} are unexplained, 5000000 astray`,
    ]);
  });
});
