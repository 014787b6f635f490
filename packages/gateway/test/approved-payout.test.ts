// One person asks for a payout, another approves it in a browser, the signer signs it in its process, and a real chain pays it.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { OperationName, RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import type { MemberRole } from '@ducat/core/access/permissions';
import { freePort } from '@ducat/devnet/net/free-port';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { signIn } from '@ducat/testkit/api/test-dashboard';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { Visitor } from '@ducat/testkit/browser/visitor';
import { type DevChain, startDevChains } from '@ducat/testkit/system/dev-chains';
import { Shop } from '@ducat/testkit/system/shop';
import { startSystemOn, type SystemOn } from '@ducat/testkit/system/system';
import { startSystemSigner, type SystemSigner } from '@ducat/testkit/system/system-signer';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { addressSchemes } from '../src/chains/address-schemes.ts';
import { roleNames } from '../src/config/schema.ts';
import { insertMember } from '../src/db/tables/access/memberships.ts';
import { findAccountKey } from '../src/db/tables/collections/wallets.ts';
import { openWallet } from '../src/flows/collections/open-wallet.ts';
import { createMerchant } from '../src/flows/merchants/create-merchant.ts';
import { newMerchantId } from '../src/runtime/ids.ts';
import { realWorld } from '../src/runtime/world.ts';

const TO = `0x${'5e'.repeat(20)}` as const;
const bob = generateKeyPairSync('ed25519');
const mallory = generateKeyPairSync('ed25519');
const publicHalf = (key: KeyObject) =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const merchantId = newMerchantId(realWorld);

let signer: SystemSigner;
let system: SystemOn<DevChain>;
let eth: DevChain;
let colleague: Visitor;
let tokens: { readonly ada: string; readonly bob: string };

beforeAll(async () => {
  const [dashboardPort, chains] = await Promise.all([freePort(), startDevChains()]);
  eth = chains.eth;
  // The signer's file lists Bob alone. The gateway's file also lists Mallory.
  signer = await startSystemSigner([eth], { bob: publicHalf(bob.publicKey) });
  system = await startSystemOn(inject('postgresAdminUrl'), [eth, chains.bsc], {
    roles: roleNames,
    dashboardPort,
    signer: signer.config,
    approvers: new Map([
      ['bob', publicHalf(bob.publicKey)],
      ['mallory', publicHalf(mallory.publicKey)],
    ]),
  });
  const merchant = { merchantId, name: 'Northwind Tea', depositFeePpm: 0, createdAtMs: realWorld.nowMs() };
  await system.database.transact((tx) => createMerchant(tx, merchant));
  tokens = { ada: await member('ada', 'owner'), bob: await member('bob', 'finance') };
  colleague = await Visitor.open(await openBrowser(), system.dashboardUrl(), realWorld);
  await colleague.carry(tokens.bob);
});
afterAll(async () => {
  await colleague?.close();
  await system?.close();
  await signer?.stop();
});

async function member(name: string, role: MemberRole): Promise<string> {
  const who = { email: `${name}@example.test`, name, isOperator: false, passwordHash: 'none' };
  const { token } = await signIn(system.database.transact, realWorld, who, async (tx, personId) => {
    await insertMember(tx, { merchantId, personId, role, sinceMs: realWorld.nowMs() });
  });
  return token;
}

async function send<Name extends OperationName>(by: 'ada' | 'bob', name: Name, request: RequestOf<Name>) {
  const url = system.dashboardUrl();
  const response = await fetch(`${url}/api/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: url,
      cookie: `ducat-session=${tokens[by]}`,
    },
    body: JSON.stringify(request),
  });
  return { status: response.status, body: await response.json() };
}

async function ask<Name extends OperationName>(
  by: 'ada' | 'bob',
  name: Name,
  request: RequestOf<Name>,
): Promise<ResponseOf<Name>> {
  const { status, body } = await send(by, name, request);
  expect({ status, body }).toMatchObject({ status: 200 });
  // The schema of an answer is held in the tests of the role.
  return body as ResponseOf<Name>;
}

/** An app with an AppKey and 25 USDT that a customer paid. Its wallet has as much USDT, and coin for gas. */
async function openPaidShop(): Promise<Shop> {
  const click = { merchant_id: merchantId, request_id: 'request-of-an-app' };
  const named = { ...click, name: 'Web shop', kind: 'PAYMENT' } as const;
  const { app_id: appId, app_key: appKey } = await ask('ada', 'apps.create', named);
  const ofApp = { merchant_id: merchantId, app_id: appId };
  const { app } = await ask('ada', 'apps.read', ofApp);
  const callback = { version: app.version, callback_url: `${system.receiver.url}/${appId}` };
  await ask('ada', 'apps.change', { ...ofApp, ...callback });
  const shop = new Shop({ appId, appKey, apiUrl: () => system.apiUrl(), receiver: system.receiver });
  const order = await shop.order(eth.ids.usdt, '25');
  const wallet = await openWalletOf(appId);
  await eth.payer().sendToken(eth.usdt, order.pay_address, 25_000_000n);
  await eth.payer().sendToken(eth.usdt, wallet, 25_000_000n);
  await eth.payer().sendNative(wallet, 10n ** 18n);
  await system.mine(eth);
  await system.makeFinal(eth);
  await shop.confirmed(order.trade_no, 1);
  return shop;
}

/** Opens the app's wallet as the collector would, which does not run here. */
async function openWalletOf(appId: string): Promise<`0x${string}`> {
  const owner = { appId, family: 'evm' } as const;
  const { reader, transact } = system.database;
  const address = addressSchemes.evm.derive((await findAccountKey(reader, owner)) ?? '', 0, 'wallet');
  await transact((tx) => openWallet(tx, owner, address));
  return `0x${address.slice(2)}`;
}

async function asksForPayout(appId: string): Promise<string> {
  const { app } = await ask('ada', 'apps.read', { merchant_id: merchantId, app_id: appId });
  const ofApp = { merchant_id: merchantId, app_id: appId };
  const rules = { ...app.payout_rules, approval_above_usd: '1' };
  await ask('ada', 'apps.change-payout-rules', { ...ofApp, version: app.version, payout_rules: rules });
  const wanted = { ...ofApp, currency_id: eth.ids.usdt, amount: '5', to_address: TO };
  const quote = await ask('ada', 'payouts.quote', wanted);
  expect(quote).toMatchObject({ needs_approval: true, refusal: null });
  const agreed = { request_id: 'request-0123456789', most_cost: '1000', fee_mode: quote.fee_mode };
  const { payout } = await ask('ada', 'payouts.create', { ...wanted, ...agreed });
  return payout.trade_no;
}

/** Approves a payout over HTTP, in the name of an approver, with any key. */
async function approve(by: 'ada' | 'bob', tradeNo: string, approver: string, key: KeyObject) {
  const ofPayout = { merchant_id: merchantId, trade_no: tradeNo, approver };
  const shown = await ask('bob', 'payouts.approval', { ...ofPayout, hours: 1 });
  const { bytes, bytes_hash, until, signed } = shown;
  const signature = sign(null, Buffer.from(bytes, 'hex'), key).toString('hex');
  return send(by, 'payouts.approve', {
    ...ofPayout,
    until,
    fee_cap: signed.fee_cap,
    bytes_hash,
    signature,
  });
}

/** The recipient's balance in the newest block. */
async function held(): Promise<bigint> {
  const data = `0x70a08231${TO.slice(2).padStart(64, '0')}`;
  return BigInt(String(await eth.node.rpc('eth_call', [{ to: eth.usdt, data }, 'latest'])));
}
const signedLines = () => signer.log().filter((line) => line.includes('"signed"'));

it('is paid once the second person of the signer has approved it, and by nobody before', async () => {
  const shop = await openPaidShop();
  const tradeNo = await asksForPayout(shop.appId);
  const read = () => ask('ada', 'payouts.read', { merchant_id: merchantId, trade_no: tradeNo });
  await system.mine(eth, 2);
  expect(await read()).toMatchObject({ payout: { status: 'PROGRESS' }, waits_for: 'approval' });
  expect(signedLines()).toEqual([]);

  // The asker is refused even with the colleague's key. For an approver whom no file lists, the refusal says what to do.
  expect(await approve('ada', tradeNo, 'bob', bob.privateKey)).toMatchObject({ status: 403 });
  const unknown = await approve('bob', tradeNo, 'carol', bob.privateKey);
  expect(unknown).toMatchObject({ status: 400, body: { field: 'approver' } });
  expect(JSON.stringify(unknown.body)).toContain('[approvers] of ducat.toml');

  // A key that only the gateway's file lists: the gateway accepts it, and the signer refuses.
  expect(await approve('bob', tradeNo, 'mallory', mallory.privateKey)).toMatchObject({ status: 200 });
  await waitUntil('the signer to refuse', () =>
    signer.log().some((line) => line.includes('approval-unknown')),
  );
  await system.mine(eth, 2);
  expect([await held(), signedLines()]).toEqual([0n, []]);

  await colleague.go(`/m/${merchantId}/payouts/${tradeNo}`);
  await colleague.press('Approve');
  await colleague.type('Approver', 'bob');
  const shown = colleague.answer('payouts.approval');
  await colleague.press('My key is elsewhere');
  const bytes = Buffer.from((await shown).bytes, 'hex');
  const signature = sign(null, bytes, bob.privateKey).toString('hex');
  await colleague.type('Signature, 128 hexadecimal digits', signature);
  await colleague.pressMatching(/^Approve 5/);
  await colleague.waitFor('Approved by bob');
  await waitUntil(
    'the payout to be final',
    async () => {
      await system.mine(eth);
      return (await read()).payout.status === 'PAID';
    },
    { timeoutMs: 20_000, everyMs: 200 },
  );

  const paid = (await read()).payout;
  expect([await held(), signedLines().length]).toEqual([5_000_000n, 1]);
  expect(signedLines()[0]).toContain(paid.tx_id?.replace('0x', ''));
  await colleague.waitFor('Paid');
  const webhooks = await waitUntil('the webhook', () => {
    const arrived = shop.transfers(tradeNo).filter(({ answered }) => answered === 200);
    return arrived.length > 0 && arrived;
  });
  expect(webhooks.map(({ body }) => body)).toMatchObject([
    { type: 'TRANSFER', status: 'PAID', trade_no: tradeNo, token_amount: '5', txid: paid.tx_id },
  ]);
  expect(await system.books.troubles()).toEqual([]);
  expect(colleague.complaints).toEqual([]);
});
