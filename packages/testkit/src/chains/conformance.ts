// What every chain adapter must do, written once against the port; each family brings a driver for its own nodes.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainPort } from '@ducat/gateway/chains/port';

/** A transfer as far as it can be known before it is mined. */
export interface Expected {
  readonly currencyId: number;
  readonly to: string;
  readonly units: bigint;
  readonly position: string;
}

/** What a driver did on its chain: the block it is in, the addresses to look at, and what they must have got. */
export interface Staged {
  readonly block: number;
  readonly recipients: readonly string[];
  readonly expected: readonly Expected[];
}

/** Everything that can look like a payment, and what it comes to. */
export const scenarios = [
  'a native payment',
  'a token payment',
  'a zero-value transfer',
  'dust of one unit',
  'one unit behind three hundred zero-value transfers',
  'a token that takes a fee',
  'two transfers in one transaction',
  'five recipients in one transaction',
  'a transfer to oneself',
  'a twin token with other decimals',
  'a failed transaction with perfect calldata',
  'an event forged by another contract',
  'a token that returns false and moves nothing',
  'ERC-721 topics from a watched contract',
  'odd data from a watched contract',
  'dirty address topics from a watched contract',
  'the largest amount',
  'value inside a contract call',
  'value shown by a delegatecall',
  'value shown by a callcode',
  'a call that pays below a reverted call',
  'a call that pays and is reverted',
  'a call that pays beside a reverted call',
  'a selfdestruct that sends',
  'a creation that is endowed',
  'a creation by the transaction itself',
  'a payment to contract code that fails',
  'value sent on by an account that borrows code',
] as const;

export type Scenario = (typeof scenarios)[number];

export interface ChainDriver {
  readonly port: ChainPort;
  /** All that are watched: the main currency, and tokens. */
  readonly currencies: readonly Currency[];
  /** A currency whose contract is there, with other decimals than the chain says; null where that cannot be. */
  readonly wrongDecimals: Currency | null;
  /** Null where this chain cannot do such a thing. */
  readonly scenarios: Readonly<Record<Scenario, (() => Promise<Staged>) | null>>;
  /** Mines empty blocks. */
  mine(count: number): Promise<void>;
  /** Mines a payment, forks it away, and mines the same transaction again in another place. */
  movePayment(): Promise<{
    readonly before: Staged;
    readonly readBefore: readonly string[];
    readonly after: Staged;
  }>;
  stop(): Promise<void>;
}

/** Identities of the transfers in a block to any of these addresses. */
export async function identities(
  port: ChainPort,
  block: number,
  currencies: readonly Currency[],
  to: readonly string[],
): Promise<readonly string[]> {
  const read = await port.readBlock(block, currencies);
  return (read?.transfers ?? [])
    .filter((one) => to.includes(one.to))
    .map((one) => `${one.chain} ${one.txId} ${one.position}`);
}

/** Declares the tests of one adapter. */
export function describeConformance(name: string, start: () => Promise<ChainDriver>): void {
  describe(`${name} as a chain port`, () => {
    let driver: ChainDriver;
    beforeAll(async () => {
      driver = await start();
    });
    afterAll(() => driver.stop());
    scenarioTests(() => driver);
    blockTests(() => driver);
    forkTests(() => driver);
    questionTests(() => driver);
  });
}

function scenarioTests(driver: () => ChainDriver): void {
  for (const scenario of scenarios) {
    it(`reads ${scenario} for exactly what it moved`, async (context) => {
      const stage = driver().scenarios[scenario];
      if (stage === null) return context.skip('this family has no such thing');
      const { block, recipients, expected } = await stage();
      const read = await driver().port.readBlock(block, driver().currencies);
      const seen = (read?.transfers ?? [])
        .filter(({ to }) => recipients.includes(to))
        .map(({ amount, to, position }) => ({
          currencyId: amount.currencyId,
          to,
          units: unitsOf(amount),
          position,
        }));
      expect(read?.header.number).toBe(block);
      expect(seen).toEqual(expected);
    });
  }
}

function blockTests(driver: () => ChainDriver): void {
  it('reads the same block twice with the same result', async () => {
    const { block } = await must(driver().scenarios['a token payment'])();
    const first = await driver().port.readBlock(block, driver().currencies);
    expect(first?.transfers.length).toBeGreaterThan(0);
    expect(await driver().port.readBlock(block, driver().currencies)).toEqual(first);
  });
  it('has no block above the head', async () => {
    const head = await driver().port.head();
    expect(await driver().port.readBlock(head + 1, driver().currencies)).toBeNull();
  });
  it('links every header to its parent and leaves out the missing ones', async () => {
    await driver().mine(3);
    const head = await driver().port.head();
    const headers = await driver().port.headers(0, head + 5);
    expect(headers.map(({ number }) => number)).toEqual(
      Array.from({ length: head + 1 }, (_, index) => index),
    );
    for (const [index, header] of headers.entries()) {
      if (index > 0) expect(header.parentHash).toBe(headers[index - 1]?.hash);
    }
    expect((await driver().port.readBlock(head, []))?.header).toEqual(headers.at(-1));
  });
  it('tells only currencies that are watched', async () => {
    const { block } = await must(driver().scenarios['a token payment'])();
    expect((await driver().port.readBlock(block, []))?.transfers).toEqual([]);
  });
}

function forkTests(driver: () => ChainDriver): void {
  it('keeps the identity of a payment that a fork moves to another place', async () => {
    const { before, readBefore, after } = await driver().movePayment();
    const first = readBefore;
    expect(first).toHaveLength(1);
    expect(await identities(driver().port, after.block, driver().currencies, after.recipients)).toEqual(
      first,
    );
    const old = await driver().port.readBlock(before.block, driver().currencies);
    expect(old?.transfers.filter(({ to }) => before.recipients.includes(to)) ?? []).toEqual([]);
  });
  it('calls a block final that lies behind the head, and never one above the limit', async () => {
    await driver().mine(8);
    const head = await driver().port.head();
    const final = await driver().port.finalBlock(head);
    if (final === null) throw new Error('nothing is final');
    expect(final.number).toBeLessThan(head);
    expect(await driver().port.headers(final.number, final.number)).toMatchObject([{ hash: final.hash }]);
    expect((await driver().port.finalBlock(1))?.number).toBe(1);
    expect(await driver().port.finalBlock(-1)).toBeNull();
  });
  it('tells the same of a block when it is final, where it has to be read again', async (context) => {
    const { readFinal } = driver().port;
    if (readFinal === null) return context.skip('a block of this family proves itself');
    const { block } = await must(driver().scenarios['a token payment'])();
    const shown = await driver().port.readBlock(block, driver().currencies);
    await expect(readFinal(block, driver().currencies)).rejects.toThrow('does not have block');
    await driver().mine(8);
    expect(await readFinal(block, driver().currencies)).toEqual(shown);
  });
}

function questionTests(driver: () => ChainDriver): void {
  it('tells balances at a block in the order asked', async () => {
    const { block, recipients, expected } = await must(driver().scenarios['a token payment'])();
    const [recipient] = recipients;
    const [payment] = expected;
    const token = driver().currencies.find(({ currencyId }) => currencyId === payment?.currencyId);
    const header = (await driver().port.headers(block, block))[0];
    if (!recipient || !payment || !token || !header) throw new Error('the payment is incomplete');
    await driver().mine(1);
    const nobody = `${recipient.slice(0, -4)}dead`;
    const balances = await driver().port.balances([nobody, recipient], token, header);
    expect(balances.map(unitsOf)).toEqual([0n, payment.units]);
    const earlier = (await driver().port.headers(block - 1, block - 1))[0];
    if (!earlier) throw new Error('there is no earlier block');
    expect((await driver().port.balances([recipient], token, earlier)).map(unitsOf)).toEqual([0n]);
  });
  it('finds nothing wrong with currencies that are right, and names the one that is not', async () => {
    const right = driver().currencies;
    const wrong = driver().wrongDecimals;
    expect(await driver().port.checkCurrencies(right)).toEqual([]);
    expect(nativeCurrency(driver().port.definition).contract).toBeNull();
    if (wrong === null) return;
    const mismatches = await driver().port.checkCurrencies([...right, wrong]);
    expect(mismatches.map(({ currencyId }) => currencyId)).toEqual([wrong.currencyId]);
  });
}

function must<T>(value: T | null): T {
  if (value === null) throw new Error('every chain can do this');
  return value;
}
