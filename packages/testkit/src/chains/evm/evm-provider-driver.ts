// Drives a reader of an EVM provider through the conformance suite, on a real dev node that really executes and forks.
import { evmAddressScheme } from '@ducat/gateway/chains/evm/address';
import { createEvmReaders } from '@ducat/gateway/chains/evm/evm-reader';
import { keccakOfBytes } from '@ducat/gateway/chains/keys/keccak';
import { realWorld } from '@ducat/gateway/runtime/world';
import type { Scenario, Staged } from '../conformance.ts';
import { identities, type ProviderDriver } from '../provider-conformance.ts';
import { testCurrency, testDefinition } from '../test-currencies.ts';
import { AnvilPayer } from './anvil-payer.ts';
import { mintSelector, puppetCode, tokenCall, tokenCode, transferSelector } from './evm-contracts.ts';
import { evmScenarios } from './evm-scenarios.ts';

type Scenarios = Record<Scenario, () => Promise<Staged>>;

/** Starts a node, deploys the tokens and gives the payer a stock of them. */
export async function startEvmProviderDriver(): Promise<ProviderDriver> {
  const payer = await AnvilPayer.start();
  const token = await payer.deploy(tokenCode());
  const twin = await payer.deploy(tokenCode({ decimals: 18 }));
  const feeToken = await payer.deploy(tokenCode({ feePercent: 1 }));
  const falseToken = await payer.deploy(tokenCode({ returnsFalse: true }));
  const puppet = await payer.deploy(puppetCode());
  for (const to of [token, twin, feeToken])
    await payer.sendAndMine({ to, data: tokenCall(mintSelector, payer.address, 10n ** 15n) });
  const currencies = [
    testCurrency(1000, null, 18),
    // An operator may write a contract's address in mixed case.
    testCurrency(1001, evmAddressScheme.display(token)),
    testCurrency(1003, feeToken),
    testCurrency(1004, falseToken),
    testCurrency(1005, puppet),
  ];
  const definition = testDefinition({ currencies });
  const [reader] = createEvmReaders({ definition, rpcUrls: [payer.chain.rpcUrl], world: realWorld });
  if (reader === undefined) throw new Error('there is one reader for each address');
  let addresses = 0x10000;
  const fresh = (): string => `0x${'b'.repeat(30)}${(++addresses).toString(16).padStart(10, '0')}`;
  // The address of a contract's first child: the hash of the creator and nonce 1 as RLP.
  const childOf = async ({ created }: { created: string }) =>
    `0x${keccakOfBytes(Buffer.from(`d694${created.slice(2)}01`, 'hex')).slice(24)}`;
  return {
    definition,
    reader,
    currencies,
    wrongDecimals: testCurrency(1002, twin),
    scenarios: internally(evmScenarios({ payer, fresh, token, twin, feeToken, falseToken, puppet, childOf })),
    mine: (count) => payer.chain.mine(count),
    movePayment: async () => {
      const recipients = [fresh()];
      const snapshot = await payer.chain.snapshot();
      const data = tokenCall(transferSelector, String(recipients[0]), 5n);
      const { block, id } = await payer.sendAndMine({ to: token, data, gas: 100_000 });
      const before = { block, recipients, expected: [] };
      const readBefore = await identities({ reader, currencies }, before);
      const raw = await payer.chain.rpc('eth_getRawTransactionByHash', [id]);
      await payer.chain.revert(snapshot);
      // Mines another block of the same height, and then the same bytes again, behind another transfer.
      await payer.chain.mine();
      await payer.sendRawBehind(String(raw), token, tokenCall(mintSelector, fresh(), 1n));
      return { before, readBefore, after: { ...before, block: block + 1 } };
    },
    stop: () => payer.chain.stop(),
  };
}

/** The scenarios name the position of an internal transaction `call:`, the reader `internal:`. */
function internally(scenarios: Scenarios): Scenarios {
  const named = (stage: () => Promise<Staged>) => async (): Promise<Staged> => {
    const staged = await stage();
    const expected = staged.expected.map((one) => ({
      ...one,
      position: one.position.replace(/^call:/, 'internal:'),
    }));
    return { ...staged, expected };
  };
  const entries = Object.entries(scenarios).map(([name, stage]) => [name, named(stage)]);
  // The record has every scenario because it is made from one that has, which the type of fromEntries does not say.
  return Object.fromEntries(entries) as Scenarios;
}
