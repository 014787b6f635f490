// A block whose receipts are more than one answer may hold: read in parts, proven as a whole.
import { unitsOf } from '@ducat/core/money/amount';
import { expect, it } from 'vitest';
import { realWorld } from '../../runtime/world.ts';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { createEvmChain } from './evm-chain.ts';

const recipient = `0x${'b0'.repeat(20)}`;

it('reads a block with receipts of more than 16 MiB', async () => {
  const payer = await AnvilPayer.start();
  const down = [1, 0, 'MLOAD', 'SUB', 0, 'MSTORE', 0, 'MLOAD', '@top', 'JUMPI'];
  const flood = {
    data: `0x${assemble(16_000, 0, 'MSTORE', ':top', 0, 0, 'LOG0', ...down)}`,
    gas: 9_000_000,
  };
  const { block, id } = await payer.sendAndMine(
    { to: recipient, value: 7n, gas: 21_000 },
    flood,
    flood,
    flood,
  );
  expect(await payer.chain.rpc('eth_getTransactionReceipt', [id])).toMatchObject({ status: '0x1' });
  const receipts = await payer.chain.rpc('eth_getBlockReceipts', [`0x${block.toString(16)}`]);
  expect(JSON.stringify(receipts).length).toBeGreaterThan(16 * 1024 * 1024);
  const asked: string[] = [];
  const chain = createEvmChain({
    definition: testDefinition({ traceMethod: 'none' }),
    rpcUrls: [payer.chain.rpcUrl],
    world: realWorld,
    observer: { onRequest: ({ method, ok }) => void asked.push(`${method} ${ok}`) },
  });
  const read = await chain.readBlock(block, [testCurrency(1000, null, 18)]);
  expect(read?.transfers.map(({ to, amount }) => [to, unitsOf(amount)])).toEqual([[recipient, 7n]]);
  expect(asked).toContain('eth_getBlockReceipts false');
  expect(asked).toContain('eth_getTransactionReceipt true');
  await payer.chain.stop();
}, 60_000);
