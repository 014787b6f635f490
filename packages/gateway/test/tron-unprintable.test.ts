// A payment on Tron whose block no node can print, through the whole gateway: the chain moves on, and tokens count.
import { contractSchemas } from '@ducat/tron-dev/protocol/contracts';
import { make } from '@ducat/tron-dev/protocol/schema';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { toTron } from '@ducat/testkit/chains/tron/tron-payer';
import { readCursors } from '../src/db/tables/cursors.ts';
import { startSystemOn, type SystemOn } from '@ducat/testkit/system/system';
import { inCode, startTronDevChain, type TronDevChain, USDT } from '@ducat/testkit/system/tron-dev-chain';

let tron: TronDevChain;
let system: SystemOn<TronDevChain>;
beforeAll(async () => {
  tron = await startTronDevChain({ endpoints: 2 });
  system = await startSystemOn(inject('postgresAdminUrl'), [tron]);
});
afterAll(() => system?.close());

const unit = 1_000_000n;
/** Field 99, four bytes wide: 5. */
const fixed = '9d0605000000';

it('is passed at once; the token in it is credited, the coin is found by its balance', async () => {
  const shop = await system.newShop();
  const coin = await shop.order(tron.ids.coin, '10');
  const token = await shop.order(tron.ids.usdt, '10');
  const owner_address = toTron(tron.hand.address);
  const to_address = toTron(inCode(coin.pay_address));
  const value = make(contractSchemas.TransferContract, { owner_address, to_address, amount: 10n * unit });
  await tron.hand.send({ name: 'TransferContract', value }, '', fixed);
  const txid = await tron.payer.sendToken(USDT, token.pay_address, 10n * unit);
  const [mined] = await tron.dev.mine();
  expect(mined?.transactions).toHaveLength(2);
  // Makes the block final and leaves it far below the head.
  await tron.dev.mine(40);
  const isPast = async () =>
    ((await readCursors(system.database.reader)).get(tron.name)?.head?.number ?? 0) >= tron.dev.head().number;
  await expect.poll(isPast, { timeout: 60_000, interval: 100 }).toBe(true);
  // Blocks after it are read as usual.
  await system.mine(tron, 30);
  const webhooks = await shop.confirmed(token.trade_no, 1);
  expect(webhooks.map(({ body }) => [body.status, body.amount_collected, body.txid])).toEqual([
    ['PAID', '10', txid],
  ]);
  expect(await shop.detail(coin.trade_no)).toMatchObject({ status: 'TO-BE-PAID', amount_collected: '0' });
  expect(system.errors).toEqual([]);
  // The balance shows the payer's 10 TRX, although no transaction does.
  await expect
    .poll(() => system.books.transfers(shop.appId), { timeout: 30_000 })
    .toContainEqual(expect.objectContaining({ currencyId: tron.ids.coin, disposition: 'unassigned' }));
  expect(await system.books.troubles()).toEqual([]);
}, 120_000);
