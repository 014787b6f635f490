// A chain as one process sees it: every call waits for the scheduler, may fail, and may reach an endpoint that lags.
import type { ChainPort } from '@ducat/gateway/chains/port';
import { Outage } from '@ducat/gateway/outage';
import type { Scheduler } from './scheduler.ts';
import type { SimChain } from './sim-chain.ts';
import type { SimProcess } from './sim-process.ts';

export interface ChainGate {
  readonly scheduler: Scheduler;
  /** Whether the next call ends in an outage. */
  readonly isAway: (chain: SimChain) => boolean;
  /** How many blocks the endpoint that answers the next call is behind. */
  readonly lagBlocks: () => number;
}

export function gatedChain(process: SimProcess, chain: SimChain, gate: ChainGate): ChainPort {
  const { port } = chain.fake;
  const { name } = chain.definition;
  const ask = <T>(label: string, call: () => Promise<T>): Promise<T> =>
    gate.scheduler.ask(process, `${name} ${label}`, async () => {
      if (gate.isAway(chain)) throw new Outage(`${name} cannot be reached`, { retryable: true });
      chain.fake.setLag(gate.lagBlocks());
      // The fake chain answers at once, so that the lag is of this call alone.
      const answer = call();
      chain.fake.setLag(0);
      return answer;
    });
  return {
    ...port,
    head: () => ask('head', () => port.head()),
    finalBlock: (atMost) => ask(`final block ≤ ${atMost}`, () => port.finalBlock(atMost)),
    headers: (from, to) => ask(`headers ${from}-${to}`, () => port.headers(from, to)),
    headerOf: (hash) => ask(`header of ${hash}`, () => port.headerOf(hash)),
    readBlock: (number, watched) => ask(`block ${number}`, () => port.readBlock(number, watched)),
    balances: (addresses, currency, at) =>
      ask(`balances at ${at.number}`, () => port.balances(addresses, currency, at)),
    checkCurrencies: (currencies) => ask('check currencies', () => port.checkCurrencies(currencies)),
  };
}
