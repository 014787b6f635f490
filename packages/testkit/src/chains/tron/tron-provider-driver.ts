// Drives a reader of a Tron provider through the conformance suite, on a dev chain with real blocks, receipts and forks.
import { createTronReaders } from '@ducat/gateway/chains/tron/tron-reader';
import { realWorld } from '@ducat/gateway/runtime/world';
import { type Scenario, scenarios, type Staged } from '../conformance.ts';
import { mintSelector, puppetCode, tokenCall, tokenCode, transferSelector } from '../evm/evm-contracts.ts';
import { evmScenarios } from '../evm/evm-scenarios.ts';
import { identities, type ProviderDriver } from '../provider-conformance.ts';
import { testCurrency, testTronDefinition } from '../test-currencies.ts';
import { toTron, TronPayer } from './tron-payer.ts';

/** The positions that internal transactions of the scenarios have in java-tron's flat list. */
const positions: Readonly<Partial<Record<Scenario, string>>> = {
  'value inside a contract call': 'internal:2.0',
  'a selfdestruct that sends': 'internal:0.0',
  'a call that pays and is reverted': 'internal:0.0',
  'a call that pays beside a reverted call': 'internal:3.0',
  'a creation that is endowed': 'internal:0.0',
};

type Scenarios = Record<Scenario, () => Promise<Staged>>;

/** Starts a chain, deploys the tokens and gives the payer a stock of them. */
export async function startTronProviderDriver(ports: 'one' | 'two'): Promise<ProviderDriver> {
  const payer = await TronPayer.start();
  const { dev } = payer;
  const tokens = await deployTokens(payer);
  const { token, twin, feeToken, falseToken, puppet } = tokens;
  const currencies = [
    testCurrency(1000, null),
    testCurrency(1001, toTron(token)),
    // An operator may write a contract's address in any form.
    testCurrency(1003, feeToken),
    testCurrency(1004, toTron(falseToken)),
    testCurrency(1005, toTron(puppet)),
  ];
  const definition = await testTronDefinition(dev.fullUrl, { currencies });
  const [reader] = createTronReaders({
    definition,
    rpcUrls: [dev.fullUrl],
    solidityUrls: ports === 'two' ? [dev.solidityUrl] : [],
    world: realWorld,
    requestsPerSecond: 1_000,
  });
  if (reader === undefined) throw new Error('there is one reader for each address');
  let addresses = 0x10000;
  const fresh = (): string => `0x${'b'.repeat(30)}${(++addresses).toString(16).padStart(10, '0')}`;
  const childOf = ({ id }: { id: string }) => payer.createdInside(id);
  return {
    definition,
    reader,
    currencies,
    wrongDecimals: testCurrency(1002, toTron(twin)),
    scenarios: {
      ...onTron(evmScenarios({ payer, fresh, childOf, ...tokens })),
      'value sent on by an account that borrows code': null,
      // The value of a creation goes to the new contract, which is never an address of ours.
      'a creation by the transaction itself': null,
    },
    mine: async (count) => {
      await dev.mine(count);
    },
    movePayment: async () => {
      const recipient = fresh();
      const parent = dev.head().number;
      const data = tokenCall(transferSelector, recipient, 5n);
      const { block, id } = await payer.sendAndMine({ to: token, data });
      const before = { block, recipients: [toTron(recipient)], expected: [] };
      const readBefore = await identities({ reader, currencies }, before);
      // Mines another block of the same height, and then the same bytes again in the next block.
      await dev.openBranch('moved', parent);
      await dev.mineOn('moved');
      await dev.mineOn('moved', 1, [id]);
      await dev.switchTo('moved');
      return { before, readBefore, after: { ...before, block: block + 1 } };
    },
    stop: () => dev.stop(),
  };
}

async function deployTokens(payer: TronPayer) {
  const token = await payer.deploy(tokenCode());
  const twin = await payer.deploy(tokenCode({ decimals: 18 }));
  const feeToken = await payer.deploy(tokenCode({ feePercent: 1 }));
  const falseToken = await payer.deploy(tokenCode({ returnsFalse: true }));
  const puppet = await payer.deploy(puppetCode());
  for (const to of [token, twin, feeToken])
    await payer.sendAndMine({ to, data: tokenCall(mintSelector, payer.address, 10n ** 15n) });
  return { token, twin, feeToken, falseToken, puppet };
}

function onTron(stages: Scenarios): Scenarios {
  const translated = scenarios.map((scenario) => [
    scenario,
    async (): Promise<Staged> => {
      const { block, recipients, expected } = await stages[scenario]();
      return {
        block,
        recipients: recipients.map(toTron),
        expected: expected.map((one) => ({
          ...one,
          to: toTron(one.to),
          position: positions[scenario] ?? one.position.replace(/^call:(\d+)$/, 'internal:$1.0'),
        })),
      };
    },
  ]);
  // The record has every scenario because it is made from their list, which fromEntries cannot know.
  return Object.fromEntries(translated) as Scenarios;
}
