// Under all operations, a chain's blocks stay linked, its index correct, and no sun appears or vanishes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Snapshots } from '../control/snapshots.ts';
import { openChain } from '../open-chain.ts';
import { referenceTo } from '../protocol/block-header.ts';
import { contractSchemas } from '../protocol/contracts.ts';
import { accountKeys, testMnemonic } from '../protocol/keys.ts';
import { Rejection } from '../protocol/rejection.ts';
import { make } from '../protocol/schema.ts';
import { sign } from '../protocol/signature.ts';
import { buildTransaction, type ContractCall } from '../protocol/transaction.ts';
import type { Chain } from './chain.ts';
import { reorg } from './forks.ts';
import { blockOf } from './ledger.ts';

const keys = await accountKeys(testMnemonic, 5);
const funded = 3;

function startChain() {
  return openChain({
    accounts: keys.slice(0, funded).map(({ address }) => address),
    balance: 20_000_000n,
    genesisTimestamp: 1_700_000_000_000,
    parameters: {},
    solidLag: 4,
    stateFile: null,
  }).chain;
}

let lastTimestamp = 0;

/** Sends a transaction; a refusal is accepted as an answer. */
async function send(chain: Chain, from: number, call: ContractCall): Promise<void> {
  lastTimestamp += 1;
  const unsigned = buildTransaction(call, {
    ...referenceTo(chain.solidHead.id),
    expirationMs: chain.head.timestamp + 3_600_000,
    timestampMs: lastTimestamp,
  });
  const signatures = [sign(unsigned.txId, keys[from]!.privateKey)];
  await chain.broadcast({ ...unsigned, signatures }).catch((error: unknown) => {
    if (!(error instanceof Rejection)) throw error;
  });
}

const account = fc.integer({ min: 0, max: keys.length - 1 });
const sun = fc.bigInt({ min: -1n, max: 25_000_000n });
const step = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), from: account, to: account, sun }),
  fc.record({ kind: fc.constant('freeze' as const), from: account, sun }),
  fc.record({ kind: fc.constant('lend' as const), from: account, to: account, sun }),
  fc.record({ kind: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant('reorg' as const),
    depth: fc.integer({ min: 1, max: 4 }),
    orphans: fc.constantFrom('requeue' as const, 'drop' as const, 'include' as const),
  }),
  fc.record({ kind: fc.constant('snapshot' as const) }),
  fc.record({ kind: fc.constant('revert' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(
  chain: Chain,
  snapshots: Snapshots,
  last: { snapshot: number },
  action: Step,
): Promise<void> {
  const owner_address = 'from' in action ? keys[action.from]!.address : '';
  const receiver = 'to' in action ? keys[action.to]!.address : '';
  switch (action.kind) {
    case 'pay': {
      const value = make(contractSchemas.TransferContract, {
        owner_address,
        to_address: receiver,
        amount: action.sun,
      });
      return send(chain, action.from, { name: 'TransferContract', value });
    }
    case 'freeze': {
      const value = make(contractSchemas.FreezeBalanceV2Contract, {
        owner_address,
        frozen_balance: action.sun,
        resource: 'ENERGY',
      });
      return send(chain, action.from, { name: 'FreezeBalanceV2Contract', value });
    }
    case 'lend': {
      const value = make(contractSchemas.DelegateResourceContract, {
        owner_address,
        receiver_address: receiver,
        balance: action.sun,
        resource: 'ENERGY',
      });
      return send(chain, action.from, { name: 'DelegateResourceContract', value });
    }
    case 'mine':
      await chain.mine(action.count);
      return;
    case 'reorg':
      if (chain.head.number - action.depth < chain.ledger.solidNumber) return;
      await reorg(chain, action);
      return;
    case 'snapshot':
      last.snapshot = snapshots.take();
      return;
    case 'revert':
      if (last.snapshot > 0) await snapshots.restore(last.snapshot);
  }
}

function checkChain(chain: Chain, supply: bigint): void {
  const { ledger } = chain;
  let fees = 0n;
  let transactions = 0;
  for (let number = chain.head.number; number > 0; number -= 1) {
    const block = blockOf(ledger, ledger.main.byNumber.get(number)!);
    expect(block.number).toBe(number);
    expect(block.header.parentHash).toBe(ledger.main.byNumber.get(number - 1));
    expect(block.timestamp).toBeGreaterThan(blockOf(ledger, block.header.parentHash).timestamp);
    block.transactions.forEach(({ tx, info }, index) => {
      expect(ledger.main.places.get(tx.txId)).toEqual({ blockId: block.id, index });
      fees += info.fee;
      transactions += 1;
    });
  }
  expect(ledger.main.byNumber.size).toBe(chain.head.number + 1);
  expect(ledger.main.places.size).toBe(transactions);
  expect(ledger.solidNumber).toBeLessThanOrEqual(chain.head.number);
  expect(worth(chain) + fees).toBe(supply);
}

/** All sun of all accounts, staked and lent included. No balance is negative. */
function worth(chain: Chain): bigint {
  let sum = 0n;
  for (const { balance, frozen, lent } of chain.head.state.accounts.values()) {
    expect(balance).toBeGreaterThanOrEqual(0n);
    sum += balance + frozen.ENERGY + lent.ENERGY;
  }
  return sum;
}

describe('a chain', () => {
  it('keeps its invariants under any series of payments, stakes, blocks, forks and snapshots', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (actions) => {
        const chain = startChain();
        const supply = worth(chain);
        const snapshots = new Snapshots(chain);
        const last = { snapshot: 0 };
        for (const action of actions) {
          await take(chain, snapshots, last, action);
          checkChain(chain, supply);
        }
      }),
      { numRuns: 40 },
    );
  });
});
