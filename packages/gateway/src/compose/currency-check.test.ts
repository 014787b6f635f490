// Tokens come on as the chain confirms them, a few at a time: what cannot be asked keeps nothing else waiting.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { Currency } from '@ducat/core/chain/currency';
import { describe, expect, it } from 'vitest';
import { type CheckedChain, createCurrencyCheck } from './currency-check.ts';
import { Outage } from '../runtime/outage.ts';
import { createHandClock } from '@ducat/testkit/hand-clock';

const enabled = eth.currencies.filter((currency) => currency.enabled).map(({ currencyId }) => currencyId);

/** A chain whose answer to a list of tokens is scripted; every list that was asked is kept. */
function scripted(answer: (ids: readonly number[], round: number) => readonly number[]) {
  const asked: (readonly number[])[] = [];
  const chain: CheckedChain = {
    definition: eth,
    checkCurrencies: async (currencies: readonly Currency[]) => {
      const ids = currencies.map(({ currencyId }) => currencyId);
      asked.push(ids);
      return answer(ids, asked.length).map((currencyId) => ({ currencyId, reason: 'it is another' }));
    },
  };
  const clock = createHandClock(0);
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  const check = createCurrencyCheck([chain], clock, { debug: note, info: note, warn: note, error: note });
  const stop = new AbortController();
  const running = check.run(chain, stop.signal);
  const on = () => enabled.filter((id) => check.isOn(id));
  return { asked, clock, lines, check, on, running, stop };
}

function outage(): never {
  throw new Outage('down', { retryable: true });
}

describe('the check of currencies', () => {
  it('asks for a few at a time, the first of the catalogue first, and never for what is off', async () => {
    const { asked, on, running } = scripted(() => []);
    await running;
    expect(asked[0]?.slice(0, 2)).toEqual([1000, 1001]);
    expect(Math.max(...asked.map((ids) => ids.length))).toBeLessThanOrEqual(10);
    expect(asked.flat()).toEqual(enabled);
    expect(on()).toEqual(enabled);
  });

  it('leaves off what the chain contradicts, and says so', async () => {
    const { check, on, lines, running } = scripted((ids) => ids.filter((id) => id === 1002));
    const unasked = () => enabled.filter((id) => check.isUnasked(id));
    expect(unasked()).toEqual(enabled.filter((id) => id !== 1000));
    await running;
    expect(unasked()).toEqual([]);
    expect(on()).toEqual(enabled.filter((id) => id !== 1002));
    expect(lines).toEqual(['currency is off: it is not what the chain says']);
  });

  it('takes the coin off too, where the chain counts it in other digits', async () => {
    const { on, check, running } = scripted((ids) => ids.filter((id) => id === 1000));
    expect(check.isOn(1000)).toBe(true);
    await running;
    expect(on()).toEqual(enabled.filter((id) => id !== 1000));
  });

  it('switches on what was confirmed while one token can never be asked', async () => {
    const { on, clock, running, stop } = scripted((ids) => (ids.includes(1003) ? outage() : []));
    const others = enabled.filter((id) => id !== 1003);
    for (let round = 0; round < 40 && on().length < others.length; round++) {
      await expect.poll(() => clock.asked.length).toBeGreaterThan(round);
      clock.advance(5 * 60_000);
    }
    expect(on()).toEqual(others);
    stop.abort();
    await running;
  });

  it('asks less and less often while nobody answers, and says so once', async () => {
    const { clock, lines, running, stop } = scripted(outage);
    for (let round = 1; round <= 9; round++) {
      await expect.poll(() => clock.asked.length).toBe(round);
      clock.advance(5 * 60_000);
    }
    expect(clock.asked.slice(0, 9).map((ms) => ms / 1_000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
    expect(lines).toEqual(['tokens are off until the chain has confirmed them']);
    stop.abort();
    await running;
  });

  it('offers the coin alone while no node answers, and everything once one does', async () => {
    let isDown = true;
    const { on, clock, running, lines } = scripted(() => (isDown ? outage() : []));
    await expect.poll(() => clock.asked.length).toBe(1);
    expect(on()).toEqual([1000]);
    expect(lines).toEqual(['tokens are off until the chain has confirmed them']);
    isDown = false;
    clock.advance(5_000);
    await running;
    expect(on()).toEqual(enabled);
    expect(lines.at(-1)).toBe('the chain was asked about every token');
  });
});
