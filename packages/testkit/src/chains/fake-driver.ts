// Drives the fake chain through the conformance suite.
import type { ChainDriver, Expected, Scenario, Staged } from './conformance.ts';
import { identities, scenarios } from './conformance.ts';
import { createFakeChain, type FakeChain } from '@ducat/gateway/chains/fake/fake-chain';
import type { FakeMovement, FakeTransaction } from '@ducat/gateway/chains/fake/fake-ledger';
import { testCurrency, testDefinition } from './test-currencies.ts';

const payer = `0x${'aa'.repeat(20)}`;
const native = testCurrency(1000, null, 18);
const token = testCurrency(1001, `0x${'cc'.repeat(20)}`);
const twin = 1002;

/** A driver over a new fake chain; it stages what a chain without contracts can have. */
export async function startFakeDriver(): Promise<ChainDriver> {
  const definition = testDefinition({ currencies: [native, token] });
  const chain = createFakeChain({ definition, seed: 7, startTime: 1_700_000_000 });
  let addresses = 0;
  const fresh = (): string => `0x${(++addresses).toString(16).padStart(40, 'b')}`;
  return {
    port: chain.port,
    currencies: [native, token],
    wrongDecimals: null,
    scenarios: { ...cannot(), ...possible(chain, fresh) },
    mine: async (count) => {
      for (let mined = 0; mined < count; mined++) chain.mine();
    },
    movePayment: async () => {
      const recipient = fresh();
      const payment: FakeTransaction = { txId: `0x${'77'.repeat(32)}`, movements: [pay(recipient, 5n)] };
      const before = stage(chain, [payment], [recipient]);
      const readBefore = await identities(chain.port, before.block, [token], [recipient]);
      const other: FakeTransaction = { movements: [pay(fresh(), 1n)] };
      chain.fork(1, [[other], [other, payment]]);
      return { before, readBefore, after: { ...before, block: chain.height } };
    },
    stop: async () => {},
  };
}

function possible(chain: FakeChain, fresh: () => string): Partial<Record<Scenario, () => Promise<Staged>>> {
  const one =
    (movement: (to: string) => FakeMovement, failed = false) =>
    async () => {
      const recipient = fresh();
      return stage(chain, [{ movements: [movement(recipient)], failed }], [recipient]);
    };
  return {
    'a native payment': one((to) => ({ ...pay(to, 3n), currencyId: native.currencyId })),
    'a token payment': one((to) => pay(to, 1_000_000n)),
    'a zero-value transfer': one((to) => pay(to, 0n)),
    'dust of one unit': one((to) => pay(to, 1n)),
    'one unit behind three hundred zero-value transfers': async () => {
      const recipient = fresh();
      const spam = Array.from({ length: 300 }, () => pay(recipient, 0n));
      return stage(chain, [{ movements: [...spam, pay(recipient, 1n)] }], [recipient]);
    },
    'a transfer to oneself': one((to) => ({ ...pay(to, 9n), from: to })),
    'a twin token with other decimals': one((to) => ({ ...pay(to, 9n), currencyId: twin })),
    'a failed transaction with perfect calldata': one((to) => pay(to, 9n), true),
    'the largest amount': one((to) => pay(to, 2n ** 256n - 1n)),
    'two transfers in one transaction': async () => {
      const recipient = fresh();
      return stage(chain, [{ movements: [pay(recipient, 1n), pay(recipient, 1n)] }], [recipient]);
    },
    'five recipients in one transaction': async () => {
      const recipients = [fresh(), fresh(), fresh(), fresh(), fresh()];
      return stage(chain, [{ movements: recipients.map((to) => pay(to, 4n)) }], recipients);
    },
  };
}

function stage(
  chain: FakeChain,
  transactions: readonly FakeTransaction[],
  recipients: readonly string[],
): Staged {
  const expected: Expected[] = [];
  for (const { movements, failed = false } of transactions) {
    for (const [index, { currencyId, to, units }] of movements.entries()) {
      if (failed || units === 0n || currencyId === twin) continue;
      expected.push({ currencyId, to, units, position: `log:${index}` });
    }
  }
  return { block: chain.mine(transactions).number, recipients, expected };
}

function pay(to: string, units: bigint): FakeMovement {
  return { currencyId: token.currencyId, from: payer, to, units };
}

function cannot(): Record<Scenario, null> {
  // The record has every scenario because it is made from their list, which fromEntries cannot tell.
  return Object.fromEntries(scenarios.map((scenario) => [scenario, null])) as Record<Scenario, null>;
}
