// Deposit addresses on a real Tron dev chain: an account that never was is activated and funded, and one unit stays.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintSelector, tokenCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { TronPayer, toTron } from '@ducat/testkit/chains/tron/tron-payer';
import { testCurrency, testTronDefinition } from '@ducat/testkit/chains/test-currencies';
import { CollectStage } from '@ducat/testkit/payer/collect-stage';
import { PayStage } from '@ducat/testkit/payer/pay-stage';

let node: TronPayer;
let stage: PayStage;
let collecting: CollectStage;
let contract: string;

const word = (value: string | bigint): string => value.toString(16).padStart(64, '0');
const trx = 1_000_000n;
const native = { ...testCurrency(1000, null), rateAsset: 'TRX' };

beforeAll(async () => {
  node = await TronPayer.start();
  contract = await node.deploy(tokenCode());
  const token = { ...testCurrency(1001, toTron(contract)), rateAsset: 'USDT' };
  stage = await PayStage.open({
    definition: await testTronDefinition(node.dev.fullUrl, {
      currencies: [native, token],
      blockTimeMs: 3_000,
    }),
    token,
    rpcUrls: [node.dev.fullUrl],
    solidityUrls: [node.dev.solidityUrl],
    // The clock of blocks goes with that of the test.
    mine: (count) => {
      const nowMs = stage === undefined ? 0 : stage.nowMs;
      node.dev.setNextBlockTimestamp(Math.max(node.dev.head().timestamp + 3_000, nowMs));
      return node.dev.mine(count);
    },
    fund: (wallet) => node.sendAndMine({ to: `0x${wallet.slice(2)}`, value: 10_000n * trx }),
  });
  collecting = await CollectStage.open(stage);
  await settle();
});
afterAll(async () => {
  await stage?.close();
  await node?.dev.stop();
});

const settle = () => stage.mine(8);

describe('collecting on Tron', () => {
  it('activates and funds, burns energy, leaves one unit, and moves TRX less its bandwidth', async () => {
    const [one, other] = [await collecting.deposit(), await collecting.deposit()];
    await node.sendAndMine({
      to: contract,
      data: `0x${mintSelector}${word(one.slice(2))}${word(50_000_000_000n)}`,
    });
    await node.sendAndMine({ to: `0x${other.slice(2)}`, value: 100n * trx });
    await settle();
    await collecting.collectAll(settle);
    expect(await collecting.collections(one)).toEqual([
      { method: 'funded', state: 'collected', units: '49999999999' },
    ]);
    expect(await stage.held(one)).toBe(1n);
    expect(await stage.held(collecting.wallet)).toBe(49_999_999_999n);
    expect(await collecting.holdings(one)).toEqual([]);
    expect(await collecting.collections(other)).toMatchObject([{ method: 'native', state: 'collected' }]);
    expect(await stage.held(collecting.wallet, native)).toBeGreaterThan(95n * trx);
    expect(await stage.held(other, native)).toBeLessThan(trx);
    expect(await stage.troubles()).toEqual([]);
  });
});
