// Drives the Tron adapter through the conformance suite, on a dev chain with real blocks, receipts and forks.
import { realWorld } from '@ducat/gateway/runtime/world';
import { type ChainDriver, identities, type Scenario, scenarios, type Staged } from '../conformance.ts';
import { createTronChain } from '@ducat/gateway/chains/tron/tron-chain';
import { mintSelector, puppetCode, tokenCall, tokenCode, transferSelector } from '../evm/evm-contracts.ts';
import { type EvmStage, evmScenarios } from '../evm/evm-scenarios.ts';
import { testCurrency, testTronDefinition } from '../test-currencies.ts';
import { toTron, TronPayer } from './tron-payer.ts';

/** The places that inner calls of the scenarios have in java-tron's flat list. */
const innerPlaces: Readonly<Partial<Record<Scenario, string>>> = {
  'value inside a contract call': 'inner:2.0',
  'a selfdestruct that sends': 'inner:0.0',
  'a call that pays and is reverted': 'inner:0.0',
  'a call that pays beside a reverted call': 'inner:3.0',
  'a creation that is endowed': 'inner:0.0',
};

/** Starts a chain, deploys the tokens and gives the payer a stock of them. */
export async function startTronDriver(ports: 'one' | 'two' = 'one'): Promise<ChainDriver> {
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
  const port = createTronChain({
    definition,
    rpcUrls: [dev.fullUrl],
    solidityUrls: ports === 'two' ? [dev.solidityUrl] : [],
    world: realWorld,
    requestsPerSecond: 1_000,
  });
  let addresses = 0x10000;
  const fresh = (): string => `0x${'b'.repeat(30)}${(++addresses).toString(16).padStart(10, '0')}`;
  return {
    port,
    currencies,
    wrongDecimals: testCurrency(1002, toTron(twin)),
    scenarios: {
      ...inTronsWords(
        evmScenarios({
          payer,
          fresh,
          ...tokens,
          childOf: ({ id }) => payer.createdInside(id),
        }),
      ),
      'value sent on by an account that borrows code': null,
    },
    mine: async (count) => {
      await dev.mine(count);
    },
    movePayment: async () => {
      const recipient = fresh();
      const before = dev.head().number;
      const { block, id } = await payer.sendAndMine({
        to: token,
        data: tokenCall(transferSelector, recipient, 5n),
      });
      const staged = { block, recipients: [toTron(recipient)], expected: [] };
      const readBefore = await identities(port, block, currencies, staged.recipients);
      // Another block of the same height, and then the same bytes again in the next one.
      await dev.openBranch('moved', before);
      await dev.mineOn('moved');
      await dev.mineOn('moved', 1, [id]);
      await dev.switchTo('moved');
      return { before: staged, readBefore, after: { ...staged, block: block + 1 } };
    },
    stop: () => dev.stop(),
  };
}

async function deployTokens(
  payer: TronPayer,
): Promise<Pick<EvmStage, 'token' | 'twin' | 'feeToken' | 'falseToken' | 'puppet'>> {
  const token = await payer.deploy(tokenCode());
  const twin = await payer.deploy(tokenCode({ decimals: 18 }));
  const feeToken = await payer.deploy(tokenCode({ feePercent: 1 }));
  const falseToken = await payer.deploy(tokenCode({ returnsFalse: true }));
  const puppet = await payer.deploy(puppetCode());
  for (const to of [token, twin, feeToken]) {
    await payer.sendAndMine({ to, data: tokenCall(mintSelector, payer.address, 10n ** 15n) });
  }
  return { token, twin, feeToken, falseToken, puppet };
}

type Stages = Readonly<Record<Scenario, () => Promise<Staged>>>;

function inTronsWords(stages: Stages): Stages {
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
          position: innerPlaces[scenario] ?? one.position.replace(/^call:(\d+)$/, 'inner:$1.0'),
        })),
      };
    },
  ]);
  // The record has every scenario because it is made from their list, which fromEntries cannot tell.
  return Object.fromEntries(translated) as Stages;
}
