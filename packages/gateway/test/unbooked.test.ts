// Money that moves without a log: the books stay as they are, the checks say so, and the currency takes no new orders.
import { callOf } from '@ducat/devnet/contracts/contracts';
import { startSystem, type System } from '@ducat/testkit/system/system';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readDifferences } from '../src/db/tables/books/balance-differences.ts';
import { readSuspensions } from '../src/db/tables/books/currency-suspensions.ts';
import { resumeByHand } from '../src/flows/currencies/resume-by-hand.ts';

const ether = 10n ** 18n;
const patient = { timeout: 30_000, interval: 200 };

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
    checks: { roundMs: 1_000, callsPerMinute: 6_000 },
  });
});
afterAll(() => system?.close());

/** Opens an order, pays it, and waits until its webhook was sent. */
async function paid(currencyId: number, token: `0x${string}`, amount: string, units: bigint) {
  const { eth } = system;
  const shop = await system.newShop();
  const order = await shop.order(currencyId, amount);
  await eth.payer().sendToken(token, order.pay_address, units);
  await settle();
  await shop.confirmed(order.trade_no, 1);
  return { shop, order };
}

async function settle(): Promise<void> {
  await system.mine(system.eth);
  await system.makeFinal(system.eth);
}

async function differences(): Promise<readonly string[]> {
  const found = await readDifferences(system.database.reader, { chain: 'ETH', limit: 9 });
  return found.map(({ currencyId, difference }) => `${currencyId} ${difference.units}`);
}

const suspended = async () =>
  (await readSuspensions(system.database.reader)).map(({ currencyId }) => currencyId);

describe('the checks of reserves in a gateway', () => {
  it('find balances that grow without a log, suspend the currency, and forget what is explained', async () => {
    const { eth, database } = system;
    const { currencyId, address } = eth.further[0]!;
    const { shop } = await paid(currencyId, address, '100', 100n * ether);
    const rebase = async (factor: bigint) => {
      await eth.payer().send(callOf('rebaseToken', address, 'rebase', [factor]));
      await settle();
    };
    await rebase(2n * ether);
    await expect.poll(differences, patient).toEqual([`${currencyId} ${100n * ether}`]);
    await expect.poll(suspended, patient).toEqual([currencyId]);
    await expect
      .poll(() => shop.order(currencyId, '1').catch((error: unknown) => String(error)), patient)
      .toContain('20003');
    const ready = await (await fetch(`${system.operationsUrl()}/readyz`)).text();
    expect(ready).toContain('ledger and chain differ');
    const metrics = await (await fetch(`${system.operationsUrl()}/metrics`)).text();
    const labels = `chain="ETH",currency="[A-Z0-9]+",currency_id="${currencyId}"`;
    expect(metrics).toMatch(new RegExp(`ducat_reserve_difference\\{${labels}\\} 100\n`));
    expect(metrics).toMatch(
      new RegExp(`ducat_currency_suspended\\{${labels},reason="ledger and chain differ"\\} 1`),
    );

    await rebase(ether);
    await expect.poll(differences, patient).toEqual([]);
    expect(await suspended()).toEqual([currencyId]);
    await database.transact((tx) => resumeByHand(tx, currencyId));
    await expect.poll(() => shop.order(currencyId, '1').catch(() => null), patient).not.toBeNull();
    expect(system.errors.filter((line) => line.startsWith('ledger and chain differ'))).toHaveLength(1);
  });

  it('find a balance that the issuer of a token destroyed', async () => {
    const { eth } = system;
    const { currencyId, address } = eth.further[1]!;
    const { order } = await paid(currencyId, address, '5', 5_000_000n);
    expect(await system.books.troubles()).toEqual([]);
    await eth.payer().send(callOf('pausableToken', address, 'addBlackList', [order.pay_address]));
    await eth.payer().send(callOf('pausableToken', address, 'destroyBlackFunds', [order.pay_address]));
    await settle();
    await expect.poll(differences, patient).toEqual([`${currencyId} -5000000`]);
    expect(await system.books.troubles()).toEqual([expect.stringMatching(/^ETH: an address differs by -5 /)]);
  });
});
