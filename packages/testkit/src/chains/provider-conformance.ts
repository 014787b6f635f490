// What every reader of a provider must do, written once against the port; each family brings a driver for its own nodes.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { unitsOf } from '@ducat/core/money/amount';
import type { ProviderReader } from '@ducat/gateway/chains/port/provider-reader';
import type { ChainBlock } from '@ducat/gateway/chains/port/reader';
import { Outage } from '@ducat/gateway/runtime/outage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scenario, scenarios, type Staged } from './conformance.ts';

export interface ProviderDriver {
  readonly definition: ChainDefinition;
  readonly reader: ProviderReader;
  /** All currencies that are read: the native currency first, then tokens. */
  readonly currencies: readonly Currency[];
  /** A currency whose contract exists, with other decimals than the chain reports. Null where that cannot be. */
  readonly wrongDecimals: Currency | null;
  /** Null where this chain cannot stage the scenario. */
  readonly scenarios: Readonly<Record<Scenario, (() => Promise<Staged>) | null>>;
  /** Mines empty blocks. */
  readonly mine: (count: number) => Promise<void>;
  /** Mines a payment and reads its `identities`, forks it away, and mines it again in another block. */
  movePayment(): Promise<{
    readonly before: Staged;
    readonly readBefore: readonly string[];
    readonly after: Staged;
  }>;
  stop(): Promise<void>;
}

type Reading = Pick<ProviderDriver, 'reader' | 'currencies'>;

/** Blocks after which a block is final on every chain of the tests. */
const untilFinal = 8;

/** Identities of the transfers in a block to the recipients. */
export async function identities(driver: Reading, staged: Staged): Promise<readonly string[]> {
  const block = await readBlock(driver, staged.block);
  return transfersTo(block, staged).map((one) => `${one.chain} ${one.txId} ${one.position}`);
}

/** Declares the tests of one reader. */
export function describeProviderConformance(name: string, start: () => Promise<ProviderDriver>): void {
  describe(`${name} as a reader of one provider`, () => {
    let driver: ProviderDriver;
    beforeAll(async () => {
      driver = await start();
    });
    afterAll(() => driver.stop());
    scenarioTests(() => driver);
    blockTests(() => driver);
    finalityTests(() => driver);
    balanceTests(() => driver);
  });
}

function scenarioTests(driver: () => ProviderDriver): void {
  for (const scenario of scenarios) {
    it(`reads ${scenario} for exactly what it moved`, async (context) => {
      const stage = driver().scenarios[scenario];
      if (stage === null) return context.skip('this family has no such thing');
      const staged = await stage();
      const { reader, currencies, mine } = driver();
      const block = await readBlock(driver(), staged.block);
      expect(block.header.number).toBe(staged.block);
      const proposed = [...block.proposals, ...(await traced(reader, block.header, staged))];
      const seen = [
        ...transfersTo(block, staged),
        ...proposed.filter(({ to }) => staged.recipients.includes(to)),
      ];
      expect(
        seen.map(({ amount, to, position }) => ({
          currencyId: amount.currencyId,
          to,
          units: unitsOf(amount),
          position,
        })),
      ).toEqual(staged.expected);
      // The balance confirms what a trace proposes: the recipients are new, so each holds exactly what it was paid.
      const [native] = currencies;
      if (native === undefined) throw new Error('there is a native currency');
      await mine(untilFinal);
      const { amounts } = await reader.balances(staged.recipients, native, block.header);
      expect(amounts.map(unitsOf)).toEqual(staged.recipients.map((to) => paidTo(to, native, staged)));
    });
  }
}

function blockTests(driver: () => ProviderDriver): void {
  it('reads the same block twice with the same result', async () => {
    const { block } = await must(driver().scenarios['a token payment'])();
    const first = await readBlock(driver(), block);
    expect(first.transfers.length).toBeGreaterThan(0);
    expect(await readBlock(driver(), block)).toEqual(first);
  });
  it('has neither block nor header above the head, and no header of an unknown hash', async () => {
    const { reader, currencies } = driver();
    const above = (await reader.head()) + 1;
    expect(await reader.block(above, { currencies, txIds: new Set() })).toBeNull();
    expect(await reader.header(above)).toBeNull();
    const { hash } = await headerAt(reader, 0);
    expect(await reader.headerByHash(unlike(hash))).toBeNull();
  });
  it('links every header to its parent, and finds each by its hash', async () => {
    const { reader, mine } = driver();
    await mine(3);
    const head = await reader.head();
    let above = await headerAt(reader, head);
    expect((await readBlock(driver(), head)).header).toEqual(above);
    for (let number = head - 1; number >= Math.max(0, head - 10); number--) {
      const header = await headerAt(reader, number);
      expect(header).toMatchObject({ number, hash: above.parentHash });
      expect(await reader.headerByHash(header.hash)).toEqual(header);
      above = header;
    }
  });
  it('reports only currencies that are asked for', async () => {
    const { block } = await must(driver().scenarios['a token payment'])();
    expect((await readBlock({ ...driver(), currencies: [] }, block)).transfers).toEqual([]);
  });
  it('reports the inclusion of a transaction that is named, and of no other', async () => {
    const staged = await must(driver().scenarios['a token payment'])();
    const [payment] = transfersTo(await readBlock(driver(), staged.block), staged);
    if (payment === undefined) throw new Error('the payment was not read');
    const txIds = new Set([payment.txId, unlike(payment.txId)]);
    const block = await readBlock(driver(), staged.block, txIds);
    expect(block.inclusions).toMatchObject([
      { chain: driver().definition.name, txId: payment.txId, block: block.header, status: 'succeeded' },
    ]);
  });
  it('keeps the identity of a payment that a fork moves to another block', async () => {
    const { before, readBefore, after } = await driver().movePayment();
    expect(readBefore).toHaveLength(1);
    expect(await identities(driver(), after)).toEqual(readBefore);
    expect(await identities(driver(), before)).toEqual([]);
  });
}

function finalityTests(driver: () => ProviderDriver): void {
  it('calls a block final that lies behind the head, where the chain has finality of its own', async (context) => {
    const { reader, mine, definition } = driver();
    if (definition.nodeFinality === 'none') return context.skip('this chain counts confirmations alone');
    await mine(untilFinal);
    const final = await reader.finalHeight();
    expect(final).toBeGreaterThan(0);
    expect(final).toBeLessThan(await reader.head());
  });
  it('reports the same of a block when it is final', async () => {
    const { reader, mine, currencies } = driver();
    const staged = await must(driver().scenarios['a token payment'])();
    const shown = await readBlock(driver(), staged.block);
    await mine(untilFinal);
    const final = await reader.finalBlock(staged.block, { currencies, txIds: new Set() });
    expect(final).toEqual(shown);
  });
}

function balanceTests(driver: () => ProviderDriver): void {
  it('reports balances of a token in the order asked, after the block or a later one that is final', async () => {
    const { reader, currencies, mine } = driver();
    const { block, recipients, expected } = await must(driver().scenarios['a token payment'])();
    const token = currencies.find(({ currencyId }) => currencyId === expected[0]?.currencyId);
    const [recipient] = recipients;
    if (recipient === undefined || token === undefined) throw new Error('the payment is incomplete');
    const nobody = `${recipient.slice(0, -4)}dead`;
    const header = await headerAt(reader, block);
    await mine(untilFinal);
    const report = await reader.balances([nobody, recipient], token, header);
    expect(report.amounts.map(unitsOf)).toEqual([0n, expected[0]?.units]);
    expect(report.provider).toBe(reader.provider);
    expect(report.at).toBeGreaterThanOrEqual(block);
    expect(await reader.balances([], token, header)).toMatchObject({ amounts: [] });
    if (!reader.hasPastBalances) return;
    expect(report.at).toBe(block);
    const before = await reader.balances([recipient], token, await headerAt(reader, block - 1));
    expect(before.amounts.map(unitsOf)).toEqual([0n]);
  });
  it('finds nothing wrong with currencies that are right, and names the one that is not', async () => {
    const { reader, currencies, wrongDecimals } = driver();
    for (const currency of currencies) expect(await reader.checkCurrency(currency)).toBeNull();
    if (wrongDecimals !== null) expect(await reader.checkCurrency(wrongDecimals)).toContain('decimals');
  });
}

async function readBlock(
  { reader, currencies }: Reading,
  number: number,
  txIds: ReadonlySet<string> = new Set(),
): Promise<ChainBlock> {
  const block = await reader.block(number, { currencies, txIds });
  if (block === null) throw new Error(`there is no block ${number}`);
  return block;
}

async function headerAt(reader: ProviderReader, number: number): Promise<BlockHeader> {
  const header = await reader.header(number);
  if (header === null) throw new Error(`there is no block ${number}`);
  return header;
}

/** What a trace of the block shows. Empty where the family has no traces, because its blocks carry the proposals. */
async function traced(
  reader: ProviderReader,
  block: BlockHeader,
  staged: Staged,
): Promise<readonly Transfer[]> {
  try {
    return await reader.internalTransfers(block, staged.recipients);
  } catch (error) {
    if (error instanceof Outage && error.kind === 'unsupported') return [];
    throw error;
  }
}

/** A hash of the same form that does not exist. */
function unlike(hash: string): string {
  return `${hash.slice(0, -8)}deadbeef`;
}

function transfersTo({ transfers }: ChainBlock, { recipients }: Staged): readonly Transfer[] {
  return transfers.filter(({ to }) => recipients.includes(to));
}

function paidTo(to: string, { currencyId }: Currency, { expected, absent = 0n }: Staged): bigint {
  return expected
    .filter((one) => one.to === to && one.currencyId === currencyId)
    .reduce((sum, { units }) => sum + units, absent);
}

function must<T>(value: T | null): T {
  if (value === null) throw new Error('every chain can do this');
  return value;
}
