// Drives the EVM adapter through the conformance suite, on a real dev node that really executes and forks.
import type { TraceMethod } from '@ducat/core/chain/chain';
import { realWorld } from '@ducat/gateway/runtime/world';
import { type ChainDriver, identities } from '../conformance.ts';
import { evmAddressScheme } from '@ducat/gateway/chains/evm/address';
import { createdAddress } from './blocks/block-roots.ts';
import { createEvmChain } from '@ducat/gateway/chains/evm/evm-chain';
import { AnvilPayer } from './anvil-payer.ts';
import { mintSelector, puppetCode, tokenCall, tokenCode, transferSelector } from './evm-contracts.ts';
import { evmScenarios } from './evm-scenarios.ts';
import { testCurrency, testDefinition } from '../test-currencies.ts';

/** Starts a node, deploys the tokens and gives the payer a stock of them. */
export async function startEvmDriver(
  traceMethod: TraceMethod,
  fetch = globalThis.fetch,
): Promise<ChainDriver> {
  const payer = await AnvilPayer.start();
  const token = await payer.deploy(tokenCode());
  const twin = await payer.deploy(tokenCode({ decimals: 18 }));
  const feeToken = await payer.deploy(tokenCode({ feePercent: 1 }));
  const falseToken = await payer.deploy(tokenCode({ returnsFalse: true }));
  const puppet = await payer.deploy(puppetCode());
  for (const to of [token, twin, feeToken]) {
    await payer.sendAndMine({ to, data: tokenCall(mintSelector, payer.address, 10n ** 15n) });
  }
  const currencies = [
    testCurrency(1000, null, 18),
    // An operator may write a contract's address in mixed case.
    testCurrency(1001, evmAddressScheme.display(token)),
    testCurrency(1003, feeToken),
    testCurrency(1004, falseToken),
    testCurrency(1005, puppet),
  ];
  const definition = testDefinition({ traceMethod, currencies });
  const port = createEvmChain({ definition, rpcUrls: [payer.chain.rpcUrl], world: realWorld, fetch });
  let addresses = 0x10000;
  const fresh = (): string => `0x${'b'.repeat(30)}${(++addresses).toString(16).padStart(10, '0')}`;
  return {
    port,
    currencies,
    wrongDecimals: testCurrency(1002, twin),
    scenarios: evmScenarios({
      payer,
      fresh,
      token,
      twin,
      feeToken,
      falseToken,
      puppet,
      childOf: async ({ created }) => createdAddress(created, '0x1'),
    }),
    mine: (count) => payer.chain.mine(count),
    movePayment: async () => {
      const recipient = fresh();
      const snapshot = await payer.chain.snapshot();
      const payment = { to: token, data: tokenCall(transferSelector, recipient, 5n), gas: 100_000 };
      const { block, id } = await payer.sendAndMine(payment);
      const readBefore = await identities(port, block, currencies, [recipient]);
      const raw = await payer.chain.rpc('eth_getRawTransactionByHash', [id]);
      await payer.chain.revert(snapshot);
      // Another block of the same height, and then the same bytes again behind another transfer.
      await payer.chain.mine();
      await payer.sendRawBehind(String(raw), token, tokenCall(mintSelector, fresh(), 1n));
      const staged = { block, recipients: [recipient], expected: [] };
      return { before: staged, readBefore, after: { ...staged, block: block + 1 } };
    },
    stop: () => payer.chain.stop(),
  };
}
