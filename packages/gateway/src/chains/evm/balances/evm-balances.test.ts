// Balances in every way in which a provider lets us ask, on a real dev node behind a proxy that changes its answers.
import { unitsOf } from '@ducat/core/money/amount';
import { tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { type ReaderStage, recipient, startReaderStage } from '@ducat/testkit/chains/evm/reader-stage';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../../runtime/outage.ts';
import type { ProviderReader } from '../../port/provider-reader.ts';

let stage: ReaderStage;
beforeAll(async () => {
  stage = await startReaderStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.proxy.change());

/** An address that holds nothing, the recipient, and so many other addresses that hold nothing. */
const holders = (others = 0): readonly string[] => [
  `0x${'77'.repeat(20)}`,
  recipient,
  ...Array.from({ length: others }, (_, index) => `0x${(index + 0x10000).toString(16).padStart(40, '0')}`),
];
const read = async (reader: ProviderReader, addresses = holders(), currency = stage.currencies[1]) => {
  if (currency === undefined) throw new Error('there are two currencies');
  const { amounts } = await reader.balances(addresses, currency, stage.block);
  return amounts.map(unitsOf);
};
const callsSince = (asked: number): readonly string[] => stage.proxy.asked.slice(asked).filter(isOfBalances);
const isOfBalances = (method: string): boolean => ['eth_call', 'eth_getBalance'].includes(method);
/** Changes the node's answers with many balances. Such an answer is longer than one word; no other answer is. */
const withMany = (change: (words: string) => object) => (body: string) => {
  const { result, ...rest } = JSON.parse(body);
  const isMany = typeof result === 'string' && result.length > 2 + 64;
  return { body: isMany ? JSON.stringify({ ...rest, ...change(result) }) : body };
};
const refusing = (message: string, most = 0) =>
  withMany((words) =>
    words.length > 2 + (most + 2) * 64 ? { error: { code: -32_000, message } } : { result: words },
  );

describe('balances of many addresses', () => {
  it('come in one call for each five hundred, native and of tokens', async () => {
    const reader = stage.reader();
    await reader.head();
    for (const [index, units] of [7n, 10n].entries()) {
      const asked = stage.proxy.asked.length;
      const balances = await read(reader, holders(998), stage.currencies[index]);
      expect(balances).toEqual([0n, units, ...Array.from({ length: 998 }, () => 0n)]);
      expect(callsSince(asked)).toEqual(['eth_call', 'eth_call']);
    }
  });

  it('are asked for singly where the provider does not run code that comes with a call', async () => {
    const reader = stage.reader();
    for (const body of [
      withMany(() => ({ result: '0x' })),
      withMany(() => ({ result: null })),
      refusing('to is missing'),
    ]) {
      stage.proxy.change({ body });
      const asked = stage.proxy.asked.length;
      expect(await read(reader)).toEqual([0n, 10n]);
      expect(callsSince(asked)).toHaveLength(3);
      expect(await read(reader, holders(), stage.currencies[0])).toEqual([0n, 7n]);
    }
  });

  it('are asked for in halves where they are too much at once, down to single ones', async () => {
    const reader = stage.reader();
    for (const message of [
      'out of gas',
      'max initcode size exceeded: code size 60000',
      'response too large',
    ]) {
      stage.proxy.change({ body: refusing(message, 60) });
      const asked = stage.proxy.asked.length;
      expect((await read(reader, holders(98)))[1]).toBe(10n);
      expect(callsSince(asked)).toHaveLength(3);
    }
    stage.proxy.change({ body: refusing('out of gas') });
    expect(await read(reader)).toEqual([0n, 10n]);
    stage.proxy.change({ errors: { eth_call: { code: -32_000, message: 'out of gas' } } });
    await expect(read(reader, holders(2))).rejects.toThrow('out of gas');
  });

  it('of another branch are refused', async () => {
    const reader = stage.reader();
    for (const word of [0, 1]) {
      stage.proxy.change({
        body: withMany((words) => {
          const at = 2 + word * 64 + 63;
          return { result: `${words.slice(0, at)}${words[at] === '1' ? '2' : '1'}${words.slice(at + 1)}` };
        }),
      });
      await expect(read(reader)).rejects.toMatchObject({ kind: 'invalid' });
    }
    const unknown = { ...stage.block, hash: `0x${'77'.repeat(32)}` };
    const currency = testCurrency(1000, null, 18);
    await expect(reader.balances([recipient], currency, unknown)).rejects.toMatchObject({ kind: 'not-yet' });
    const elsewhere = { ...stage.block, number: stage.block.number + 1 };
    await expect(reader.balances([recipient], currency, elsewhere)).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  it.each([
    ['historical state 12ab is not available', 'unsupported'],
    ['missing trie node 12ab', 'unsupported'],
    ['header not found', 'not-yet'],
    ['too many requests', 'throttled'],
    ['the request timed out', 'unavailable'],
  ])('are an outage where the node says "%s"', async (message, kind) => {
    stage.proxy.change({ body: refusing(message) });
    await expect(read(stage.reader())).rejects.toMatchObject({ name: 'Outage', kind });
  });
});

describe('a token', () => {
  it('that fails for one address is asked alone, so that it says why, and spoils no other', async () => {
    // Reverts for the recipient, and gives 1 for anybody else.
    const picky = await stage.payer.deploy(
      assemble(`4 CALLDATALOAD ${BigInt(recipient)} EQ @no JUMPI 1 0 MSTORE 32 0 RETURN :no 0 0 REVERT`),
    );
    const token = testCurrency(1009, picky);
    const at = await headerNow();
    const reader = stage.reader();
    const others = holders(3).filter((one) => one !== recipient);
    const { amounts } = await reader.balances(others, token, at);
    expect(amounts.map(unitsOf)).toEqual([1n, 1n, 1n, 1n]);
    const failure = reader.balances(holders(3), token, at);
    await expect(failure).rejects.toMatchObject({ kind: 'unsupported', retryable: false });
  });

  it('with the largest balance is read, whatever the call marks with that number', async () => {
    const full = await stage.payer.deploy(assemble(`${2n ** 256n - 1n} 0 MSTORE 32 0 RETURN`));
    const { amounts } = await stage.reader().balances(holders(), testCurrency(1009, full), await headerNow());
    expect(amounts.map(unitsOf)).toEqual([2n ** 256n - 1n, 2n ** 256n - 1n]);
  });

  it('that burns all gas, gives half a word, or is not there, yet or at all, has no balance', async () => {
    const burner = await stage.payer.deploy(assemble(':again @again JUMP'));
    const half = await stage.payer.deploy(assemble('16 0 RETURN'));
    const at = await headerNow();
    const later = await stage.payer.deploy(tokenCode());
    for (const contract of [burner, half, later, `0x${'77'.repeat(20)}`]) {
      const failure = stage.reader().balances(holders(), testCurrency(1009, contract), at);
      await expect(failure).rejects.toMatchObject({ kind: 'unsupported', retryable: false });
    }
  });

  it.each(['0xzz', '0x', '0x00', `0x${'9'.repeat(85)}`, null, 7])('is no balance as %j', async (answer) => {
    const singly = { code: -32_000, message: 'to is missing' };
    stage.proxy.change({
      result: (method, result) => (method === 'eth_getBalance' ? answer : result),
      errors: { eth_call: singly },
    });
    const failure = read(stage.reader(), holders(), stage.currencies[0]);
    await expect(failure).rejects.toThrow('no balance of');
    await expect(failure).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('is checked by itself, with the reason', async () => {
    const reader = stage.reader();
    const [reverting, invalid] = [
      await stage.payer.deploy(assemble(0, 0, 'REVERT')),
      await stage.payer.deploy('fe'),
    ];
    for (const currency of stage.currencies) expect(await reader.checkCurrency(currency)).toBeNull();
    expect(await reader.checkCurrency(testCurrency(1, null, 6))).toContain('18 decimals on every EVM chain');
    expect(await reader.checkCurrency(testCurrency(1, reverting))).toContain('does not give its decimals');
    expect(await reader.checkCurrency(testCurrency(1, invalid))).toContain('does not give its decimals');
    expect(await reader.checkCurrency(testCurrency(1, recipient))).toContain('no contract at');
    expect(await reader.checkCurrency(testCurrency(1, String(stage.currencies[1]?.contract), 7))).toContain(
      'not 7',
    );
    stage.proxy.change({ errors: { eth_call: { code: -32_005, message: 'limit exceeded' } } });
    await expect(reader.checkCurrency(testCurrency(1, reverting))).rejects.toThrow(Outage);
    stage.proxy.change({ result: (method, result) => (method === 'eth_getCode' ? '0xzz' : result) });
    await expect(reader.checkCurrency(testCurrency(1, reverting))).rejects.toThrow('no code');
  });
});

async function headerNow() {
  const reader = stage.reader();
  const header = await reader.header(await reader.head());
  if (header === null) throw new Error('the head is there');
  return header;
}
