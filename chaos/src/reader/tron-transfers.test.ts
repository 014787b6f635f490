// Shows what the reader takes for a payment on Tron, and what not, on a real dev chain.
import { createTronFaucet } from '@ducat/devnet/tron/tron-faucet';
import { startTronDev, type TronDev } from '@ducat/tron-dev/start-tron-dev';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainAddress } from './plain-address.ts';
import { readTronChain } from './tron-transfers.ts';

const SOLID_LAG = 18;
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const coins = [
  { currencyId: 3000, contract: null },
  { currencyId: 3001, contract: USDT },
];
let dev: TronDev;
let shop: string;
let stranger: string;

beforeEach(async () => {
  dev = await startTronDev({ mining: 'manual', accountCount: 4 });
  shop = dev.accounts[2]?.address ?? '';
  stranger = dev.accounts[3]?.address ?? '';
  const token = { name: 'Tether USD', symbol: 'USDT', decimals: 6, supply: 10n ** 12n } as const;
  await dev.mine();
  await dev.deployToken({ ...token, owner: accountAt(0).address, like: 'usdt', address: USDT });
});
afterEach(() => dev.stop());

function accountAt(place: number) {
  const account = dev.accounts[place];
  if (account === undefined) throw new Error(`there is no account ${place}`);
  return account;
}

const payerAt = (place: number) =>
  createTronFaucet({ rpcUrl: dev.fullUrl, privateKey: accountAt(place).privateKey });

async function read() {
  const { solidityUrl } = dev;
  return readTronChain({ name: 'Tron', solidityUrl, coins }, new Set([plainAddress(shop)]));
}

it('sees coins and tokens to our addresses once they are solid, with place and time of their block', async () => {
  const coin = await payerAt(0).sendTrx(shop, 5n);
  const token = await payerAt(0).sendToken(USDT, shop, 7n);
  await payerAt(0).sendTrx(stranger, 9n);
  const [block] = await dev.mine();
  await dev.mine(SOLID_LAG - 1);
  expect((await read()).transfers).toEqual([]);
  await dev.mine();
  const to = plainAddress(shop);
  const time = Math.floor((block?.timestamp ?? 0) / 1000);
  const inBlock = { chain: 'Tron', to, block: block?.number, time };
  expect(await read()).toEqual({
    name: 'Tron',
    finalBlock: block?.number,
    finalTime: time,
    transfers: [
      { ...inBlock, hash: coin, currencyId: 3000, units: 5n, place: 0 },
      { ...inBlock, hash: token, currencyId: 3001, units: 7n, place: 1 },
    ],
  });
});

it('does not see what failed', async () => {
  // This payer has none of the token, so the call is reverted. Its transaction is in the block all the same.
  const failed = await payerAt(1).sendToken(USDT, shop, 1n);
  const [block] = await dev.mine();
  expect(block?.transactions).toEqual([failed]);
  await dev.mine(SOLID_LAG);
  expect((await read()).transfers).toEqual([]);
});

it('sees once what a fork moved, and never what it dropped', async () => {
  const moved = await payerAt(0).sendTrx(shop, 5n);
  await dev.mine();
  await dev.reorg({ depth: 1, orphans: 'include' });
  await payerAt(0).sendTrx(shop, 6n);
  await dev.mine();
  await dev.reorg({ depth: 1, orphans: 'drop' });
  await dev.mine(SOLID_LAG + 1);
  expect((await read()).transfers.map(({ hash }) => hash)).toEqual([moved]);
});
