// An operator adds a fifth EVM chain and a token by form, and WKC by the same form. After a restart all take payments.
import type { OperationName, RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { createFaucet } from '@ducat/devnet/evm/faucet';
import { type EvmChain, startEvmChain } from '@ducat/devnet/evm/evm-chain';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { freePort } from '@ducat/devnet/net/free-port';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { signIn } from '@ducat/testkit/api/test-dashboard';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { Visitor } from '@ducat/testkit/browser/visitor';
import type { Shop } from '@ducat/testkit/system/shop';
import { startSystemOn, type SystemOn } from '@ducat/testkit/system/system';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readCursors } from '../src/db/tables/cursors.ts';
import { roleNames } from '../src/config/schema.ts';
import { realWorld } from '../src/runtime/world.ts';

const CHAIN_ID = 31_339;
const WKC_ID = 31_340;
let system: SystemOn<never>;
let node: EvmChain;
let wkc: EvmChain;
let token: string;
let operator: Visitor;
beforeAll(async () => {
  const dashboardPort = await freePort();
  [node, wkc, system] = await Promise.all([
    startEvmChain({ chainId: CHAIN_ID }),
    startEvmChain({ chainId: WKC_ID }),
    startSystemOn<never>(inject('postgresAdminUrl'), [], { roles: roleNames, dashboardPort }),
  ]);
  const who = { email: 'op@example.test', name: 'Olga', isOperator: true, passwordHash: 'none' };
  ({ token } = await signIn(system.database.transact, realWorld, who));
  operator = await Visitor.open(await openBrowser(), system.dashboardUrl(), realWorld);
  await operator.carry(token);
});
afterAll(async () => {
  await operator?.close();
  await system?.close();
  await node?.stop();
  await wkc?.stop();
});

async function send(name: OperationName, request: object) {
  const response = await fetch(`${system.dashboardUrl()}/api/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: system.dashboardUrl(),
      cookie: `ducat-session=${token}`,
    },
    body: JSON.stringify(request),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function ask<Name extends OperationName>(
  name: Name,
  request: RequestOf<Name>,
): Promise<ResponseOf<Name>> {
  const { status, body } = await send(name, request);
  expect({ status, body }).toMatchObject({ status: 200 });
  // The schema of an answer is held in the tests of the role.
  return body as ResponseOf<Name>;
}

const wish: RequestOf<'chains.check'> = {
  name: 'FIFTH',
  network: 'FRC20',
  chain_id: CHAIN_ID,
  coin_symbol: 'FIF',
  coin_rate_asset: null,
  node_urls: [],
  confirmations: 3,
  node_finality: 'finalized',
};

it('is asked first, and refused where a node, a name or a network is another one', async () => {
  const troubleWith = async (change: Partial<typeof wish>) =>
    (await ask('chains.check', { ...wish, node_urls: [node.rpcUrl], ...change })).trouble;
  expect(await troubleWith({ chain_id: 56 })).toContain('have the same chain_id');
  expect(await troubleWith({ chain_id: 4_242 })).toContain('its chain id is 31339, 4242 is wanted');
  expect(await troubleWith({ name: 'bsc' })).toContain('known already');
  // The file names the network of the test alone, and neither of these.
  for (const url of ['http://10.0.0.1:8545', 'http://metadata:8545'])
    expect(await troubleWith({ node_urls: [url] })).toMatch(/private network|cannot be reached/);
});

it('is pinned, offered after the next start, and paid in its token', async () => {
  const payer = payerOn(node, CHAIN_ID);
  const { address: contract } = await payer.deploy('testToken', ['Tether USD', 'USDT', 6]);
  await payer.mintToken(contract, payer.address, 10n ** 12n);
  await node.mine(8);
  const older = await system.newShop();
  await addChain();
  await addToken(contract, payer.address);
  const { added } = await ask('chains.list-added', {});
  expect(added.map(({ name, is_in_force: isInForce }) => [name, isInForce])).toEqual([
    ['FIFTH', false],
    ['FIFTH 5900', false],
  ]);
  const { entries } = await ask('audit-log.list-all', {});
  const operations = entries.map(({ operation }) => operation);
  expect(operations).toContain('currencies.add-token');
  // Four calls: three only asked the nodes, and the fourth added the chain.
  expect(operations.filter((operation) => operation === 'chains.add')).toHaveLength(4);
  await setUpWkc();
  const shop = await system.newShop();
  const body = { out_trade_no: 'early', currency_id: 5900, token_amount: '5' };
  expect((await shop.refusalOf('create-order', body)).code).toBe(10003);
  await damage('FIFTH', 5901);
  await system.stop();
  await system.start(3);
  await waitUntil('the chain to be read', async () => {
    const cursor = (await readCursors(system.database.reader)).get('FIFTH');
    return cursor !== undefined && cursor.head !== null;
  });
  // An app that existed before takes the new currency only once its merchant switches it on.
  expect((await older.refusalOf('create-order', body)).code).toBe(20003);
  const order = await shop.order(5900, '5');
  await payer.sendToken(contract, order.pay_address, 5_000_000n);
  await waitUntil('the payment to be final', async () => {
    await node.mine(1);
    return (await shop.detail(order.trade_no)).status === 'PAID';
  });
  await payInWkc(shop);
  const now = (await ask('chains.list-added', {})).added;
  expect(now.map(({ name, is_in_force: isIn, left_out: why }) => [name, isIn, why !== null])).toEqual([
    ['FIFTH', true, false],
    ['WKC', true, false],
    ['FIFTH 5900', true, false],
    ['FIFTH 5901', false, true],
  ]);
  const { incidents } = await ask('incidents.list', {});
  expect(incidents).toContainEqual(
    expect.objectContaining({ kind: 'addition-left-out', subject: 'FIFTH 5901' }),
  );
  for (const currencyId of [null, 5900])
    expect(await send('chains.remove-added', { chain: 'FIFTH', currency_id: currencyId })).toMatchObject({
      status: 409,
    });
  const rename = { chain: 'FIFTH', currency_id: 5900, symbol: 'USDT', rate_asset: 'USDT' };
  expect(await send('currencies.change-token', rename)).toMatchObject({ status: 409 });
  const [setUp, ...errors] = system.errors;
  // The log is at level error. Its first line is of the first start, when no account existed.
  expect(setUp).toContain('no account yet');
  expect(errors).toEqual([expect.stringContaining('cannot be used and is left out')]);
});

const payerOn = ({ rpcUrl }: EvmChain, chainId: number) =>
  createFaucet({ rpcUrl, chainId, privateKey: testAccount(0).privateKey });

/** Adds WKC. The form fills in name, network, coin and numbers; the rest is as for any chain. */
async function setUpWkc(): Promise<void> {
  const { address: contract } = await payerOn(wkc, WKC_ID).deploy('testToken', ['Tether USD', 'USDT', 6]);
  await wkc.mine(8);
  const { pinned } = await ask('chains.list-added', {});
  expect(pinned).toMatchObject([
    { chain: 'WKC', first_currency_id: 4000, last_currency_id: 4999, is_set_up: false },
  ]);
  const asked = { ...wish, name: 'WKC', network: 'WKC20', chain_id: WKC_ID, coin_symbol: 'WKC' };
  const troubleWith = async (change: Partial<typeof wish>) =>
    (await ask('chains.check', { ...asked, node_urls: [wkc.rpcUrl], ...change })).trouble;
  for (const other of [{ network: 'FRC20' }, { coin_symbol: 'FIF' }])
    expect(await troubleWith(other)).toContain('its network is WKC20 and its coin WKC');
  expect(await troubleWith({ chain_id: 4_242 })).toContain(`its chain id is ${WKC_ID}, 4242 is wanted`);
  await operator.go('/operator/chains');
  await operator.waitFor('WKC is not set up');
  await operator.go('/operator/chains/set-up/WKC');
  await operator.type('Chain id', String(WKC_ID));
  await operator.type('Nodes', wkc.rpcUrl);
  await operator.type('Confirmations', '3');
  await operator.press('Check');
  await operator.waitFor('Every node is of this chain.');
  await operator.press('Add WKC');
  await operator.waitFor('WKC is added.');
  const token = await ask('currencies.check-token', { chain: 'WKC', contract });
  expect(token).toMatchObject({ trouble: null, currency_id: 4900 });
}

async function payInWkc(shop: Shop): Promise<void> {
  const order = await shop.order(4000, '0.25');
  await payerOn(wkc, WKC_ID).sendNative(order.pay_address, 25n * 10n ** 16n);
  await waitUntil('the payment in the coin of WKC to be final', async () => {
    await wkc.mine(1);
    return (await shop.detail(order.trade_no)).status === 'PAID';
  });
  const { pinned } = await ask('chains.list-added', {});
  expect(pinned).toMatchObject([{ chain: 'WKC', is_set_up: true }]);
}

/** Writes a row that is incomplete, or that this gateway did not write. */
function damage(chain: string, currencyId: number) {
  return system.database.transact((tx) =>
    tx.write(
      `INSERT INTO added_tokens SELECT $1, $2, '\\x0102', added_by, added_at_ms + 1 FROM added_tokens LIMIT 1`,
      [currencyId, chain],
    ),
  );
}

async function addChain(): Promise<void> {
  const asked = { ...wish, node_urls: [node.rpcUrl] };
  const checked = await ask('chains.check', asked);
  expect(checked).toMatchObject({ trouble: null, coin_currency_id: 5000, providers: [{ trouble: null }] });
  const { genesis_hash } = checked;
  expect(await send('chains.add', { ...asked, genesis_hash: null })).toMatchObject({ status: 409 });
  await fillInChain();
  expect(await send('chains.add', { ...asked, genesis_hash })).toMatchObject({ status: 409 });
  const changed = { ...asked, confirmations: 2 };
  expect(await ask('chains.check', { ...changed, is_change: true })).toMatchObject({ trouble: null });
  await ask('chains.change-added', { ...changed, genesis_hash });
  const { added } = await ask('chains.list-added', {});
  expect(added).toMatchObject([{ chain_terms: { confirmations: 2, network: 'FRC20' } }]);
}

/** Fills in the form of the page with the values of `wish`. */
async function fillInChain(): Promise<void> {
  await operator.go('/operator/chains/add');
  await operator.type('Name', wish.name);
  await operator.type('Network', wish.network);
  await operator.type('Chain id', String(wish.chain_id));
  await operator.type('Symbol of the coin', wish.coin_symbol);
  await operator.type('Nodes', node.rpcUrl);
  await operator.type('Confirmations', String(wish.confirmations));
  await operator.press('Check');
  await operator.waitFor('Every node is of this chain.');
  await operator.press('Add FIFTH');
  await operator.waitFor('FIFTH is added.');
}

async function fillInToken(contract: string): Promise<void> {
  await operator.go('/operator/chains/add-token');
  await operator.choose('Chain', 'FIFTH');
  await operator.type('Contract', contract);
  await operator.press('Check');
  await operator.choose('Priced as', 'USDT');
  await operator.press('Add USDT');
  await operator.waitFor('USDT is added.');
  expect(operator.complaints).toEqual([]);
}

async function addToken(contract: string, noContract: string): Promise<void> {
  const nothing = await ask('currencies.check-token', { chain: 'FIFTH', contract: noContract });
  expect(nothing.trouble).toContain('there is no contract');
  const known = await ask('currencies.check-token', { chain: 'FIFTH', contract });
  expect(known).toMatchObject({ trouble: null, currency_id: 5900, symbol: 'USDT', decimals: 6 });
  const wanted = { chain: 'FIFTH', contract, symbol: 'USDT', rate_asset: 'USDT' };
  expect(await send('currencies.add-token', { ...wanted, decimals: 18 })).toMatchObject({ status: 409 });
  await ask('currencies.add-token', { ...wanted, decimals: 6 });
  const added = { chain: 'FIFTH', currency_id: 5900 };
  await ask('chains.remove-added', added);
  expect((await ask('chains.list-added', {})).added).toHaveLength(1);
  expect(await send('chains.remove-added', added)).toMatchObject({ status: 404 });
  // The token comes back under its old number, because a number is never reused.
  expect((await ask('currencies.check-token', { chain: 'FIFTH', contract })).currency_id).toBe(5900);
  await fillInToken(contract);
  await ask('currencies.change-token', { ...added, symbol: 'USDF', rate_asset: null });
}
