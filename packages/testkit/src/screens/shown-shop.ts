// A shop in which no screen of the dashboard is empty: people, orders, payouts, failed webhooks, an operator's troubles.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { PASSWORD_LINK_HOLDS_MS } from '@ducat/core/access/password-link';
import { SIGN_UP_HOLDS_MS } from '@ducat/core/access/sign-up';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { amountOf } from '@ducat/core/money/amount';
import { dayOf } from '@ducat/core/reserves/day';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { realWorld } from '@ducat/gateway/runtime/world';
import { insertMember } from '@ducat/gateway/db/tables/access/memberships';
import { insertBackupMark } from '@ducat/gateway/db/tables/operating/backup-marks';
import { upsertDifferences } from '@ducat/gateway/db/tables/books/balance-differences';
import { addComparison } from '@ducat/gateway/db/tables/books/reserve-days';
import type { SqlValue } from '@ducat/gateway/db/postgres/tx';
import { recordProviders } from '@ducat/gateway/flows/blocks/record-providers';
import { notePrices } from '@ducat/gateway/flows/currencies/note-prices';
import { putLink } from '@ducat/gateway/db/tables/access/mailed-links';
import { hashOfToken, newToken } from '@ducat/gateway/keys/tokens';
import { limitMerchant } from '@ducat/gateway/flows/merchants/limit-merchant';
import { changeRules } from '@ducat/gateway/flows/payouts/change-rules';
import { type DashboardShop, startDashboardShop } from '../api/dashboard-shop.ts';
import { callNamed } from '../api/paying-out.ts';
import { signIn } from '../api/test-dashboard.ts';
import { signedHeaders } from '../api/test-api.ts';
import { TEST_LEASE, transferTo } from '../fixtures.ts';
import { fillStory } from './shown-story.ts';
import { sendWebhooks } from './shown-webhooks.ts';

const HOUR_MS = 3_600_000;
export const PAYEE = '0x52908400098527886E0F7030069857D2E4169EE7';
const MERCHANT = { merchant_id: 'mer_1' };
const PAYER = '0x9c1f2b7d40e6a85531cc07f4be92d8a3601f7e54';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** Of each order: cents, milliseconds since the order before, and milliseconds until it was paid. */
const ORDERS = [
  [1_200, 80_742_000, 131_000],
  [4_890, 90_388_000, 64_000],
  [2_310, 74_521_000, 402_000],
  [7_450, 87_164_000, 95_000],
  [3_105, 85_013_000, 233_000],
  [2_550, 78_836_000, 148_000],
] as const;

/** The shop, and the ids of the rows that its screens show. */
export interface ShownShop {
  readonly shop: DashboardShop;
  /** Cookies of people who are signed in; the newcomer's merchant has nothing yet. */
  readonly tokens: { readonly merchant: string; readonly newcomer: string; readonly operator: string };
  readonly appId: string;
  readonly order: string;
  readonly payout: string;
  readonly payoutToApprove: string;
  readonly eventId: string;
  /** A call of the API whose signature did not fit. */
  readonly callId: string;
  readonly qrCodeId: number;
  /** The secret part of an invitation's address. */
  readonly invitation: string;
  /** The secret part of the address of a sign-up link. */
  readonly signUp: string;
  /** The secret part of the address of a link to a new password. */
  readonly passwordLink: string;
}

export async function startShownShop(adminUrl: string): Promise<ShownShop> {
  const { encode, encodeQrPayment } = createEventWriting(
    { chains: [], chainsOff: chainDefinitions },
    realWorld,
  );
  const shop = await startDashboardShop(adminUrl, {}, { writing: { encode, encodeQrPayment }, from: PAYER });
  const { appId } = shop.api.payment;
  const write = (sql: string, values: readonly SqlValue[] = []) =>
    shop.api.database.transact((tx) => tx.write(sql, [...values]));
  await nameEverybody(write);
  await dateEverything(shop, write);
  const qrCodeId = await placeQrCode(shop, write);
  const { order, paidAtMs } = await placeOrders(shop);
  const eventId = await sendWebhooks(shop, paidAtMs);
  // A week has passed and all sessions have ended, so they are renewed.
  await write('UPDATE dashboard_sessions SET seen_at_ms = $1, expires_at_ms = $2, step_up_until_ms = $2', [
    shop.api.world.nowMs(),
    shop.api.world.nowMs() + HOUR_MS,
  ]);
  const { payout, payoutToApprove } = await payOut(shop, write, order);
  await fillStory(shop.api.database, order, paidAtMs);
  await troubleOperator(shop, write);
  await noteBackups(shop);
  await leaveStuck(appId, write);
  await openTron(shop, write);
  // The people sign in at the end, so that their sessions are young.
  const callId = await callWrongly(shop, order);
  const tokens = {
    merchant: await token(shop, 'Ada Okafor', 'mer_1'),
    newcomer: await token(shop, 'Mina Park', 'mer_2'),
    operator: await token(shop, 'Olga Meyer', null),
  };
  const invited = { email: 'dana@example.test', role: 'developer' } as const;
  const { invitation_url: url } = await shop.ask('team.invite', { ...MERCHANT, ...invited });
  await shop.ask('people.invite', { email: 'omar@example.test' }, shop.operator);
  const invitation = url.slice(url.indexOf('#'));
  const signUp = await beginSignUp(shop);
  const passwordLink = await beginPasswordLink(shop);
  await write('UPDATE dashboard_sessions SET user_agent = $1', [BROWSER]);
  return {
    shop,
    tokens,
    appId,
    order,
    payout,
    payoutToApprove,
    eventId,
    callId,
    qrCodeId,
    invitation,
    signUp,
    passwordLink,
  };
}

type Write = (sql: string, values?: readonly SqlValue[]) => Promise<readonly unknown[]>;

async function nameEverybody(write: Write): Promise<void> {
  await write(
    `UPDATE merchants SET name = CASE merchant_id WHEN 'mer_1' THEN 'Northwind Tea' ELSE 'Southwind Coffee' END,
       from_sign_up = merchant_id = 'mer_2'`,
  );
  await write(`UPDATE apps SET name = 'Web shop'`);
  const names = ['Noor Haddad', 'Ben Lind', 'Carla Ruiz', 'Ivo Horak'];
  for (const [place, name] of names.entries())
    await write('UPDATE people SET name = $1 WHERE name = $2', [name, `Person ${place + 1}`]);
  await write(`UPDATE people SET email = 'noor@example.test' WHERE name = 'Noor Haddad'`);
  // Ben has a second factor.
  await write(`UPDATE credentials SET totp_secret = '\\x00'
    WHERE person_id = (SELECT person_id FROM people WHERE name = 'Ben Lind')`);
}

/** Tests date their rows to time 0; here merchants and apps are half a year old. */
async function dateEverything({ api: { world } }: DashboardShop, write: Write): Promise<void> {
  const atMs = world.nowMs() - 180 * 24 * HOUR_MS;
  await write('UPDATE merchants SET created_at_ms = $1', [atMs]);
  await write('UPDATE apps SET created_at_ms = $1', [atMs]);
  await write('UPDATE leases SET taken_at_ms = $1', [world.nowMs() - 3 * HOUR_MS]);
}

/** Signs in an owner of the merchant, or an operator where it is null. Gives the session's token. */
async function token(shop: DashboardShop, name: string, merchantId: string | null): Promise<string> {
  const { database, world } = shop.api;
  const email = `${name.split(' ')[0]?.toLowerCase()}@example.test`;
  const who = { email, name, isOperator: merchantId === null, passwordHash: '' };
  const signedIn = await signIn(database.transact, world, who, async (tx, personId) => {
    const member = { personId, role: 'owner', sinceMs: world.nowMs() } as const;
    if (merchantId !== null) await insertMember(tx, { ...member, merchantId });
  });
  return signedIn.token;
}

async function placeQrCode(shop: DashboardShop, write: Write): Promise<number> {
  const app = await shop.api.addApp('QR_CODE');
  await write(
    `UPDATE apps SET name = 'Counter', callback_url = 'https://shop.test/counter' WHERE app_id = $1`,
    [app.appId],
  );
  const code = { ...MERCHANT, app_id: app.appId, currency_id: 1001, amount: '0' };
  const { qr_code: made } = await shop.ask('qr-codes.create', {
    ...code,
    request_id: 'qr-code-number-one',
    name: 'Counter 1',
  });
  await shop.ask('qr-codes.create', {
    ...code,
    request_id: 'qr-code-number-two',
    name: 'Terrace',
    amount: '4.5',
  });
  const to = addressSchemes.evm.canonical(made.address) ?? '';
  await shop.bookFinal((block) => [
    transferTo(to, block, { units: 4_500_000n, txId: `0x${'5a'.repeat(32)}` }),
  ]);
  return made.qr_code_id;
}

/** Places a week of orders. Gives the order whose story is shown, and when it was paid. */
async function placeOrders(shop: DashboardShop) {
  const { api } = shop;
  let last = '';
  for (const [place, [cents, sinceMs, paidAfterMs]] of ORDERS.entries()) {
    api.world.advance(sinceMs);
    // The first order was booked before prices were kept.
    const at = Math.floor(api.world.nowMs() / 1_000);
    const priceUnits = 10n ** 18n - BigInt(place) * 10n ** 14n;
    if (place > 0)
      await api.database.transact((tx) => notePrices(tx, [{ currencyId: 1001, at, priceUnits }]));
    await shop.bookFinal(() => []);
    last = await shop.orderPaid(`${1_037 + place}`, `${cents / 100}`, BigInt(cents) * 10_000n, paidAfterMs);
  }
  const paidAtMs = api.world.nowMs();
  api.world.advance(21_000);
  const open = { out_trade_no: '1043', currency_id: 1000, fiat_name: 'USD', fiat_amount: '90' };
  await api.call('/api/order/create', open);
  api.world.advance(58_000);
  const { address } = await shop.orderPlaced('1044', 1001, '2');
  const ether = { amount: amountOf(1000, 10n ** 16n), txId: `0x${'7c'.repeat(32)}` };
  await shop.bookFinal((block) => [transferTo(address, block, ether)]);
  api.world.advance(17_000);
  return { order: last, paidAtMs };
}

/** Makes two payouts: one is on its way and refunds part of the order, one waits for a second person. */
async function payOut(shop: DashboardShop, write: Write, order: string) {
  const { api } = shop;
  const { appId } = api.payment;
  const wish: RequestOf<'payouts.quote'> = {
    ...MERCHANT,
    app_id: appId,
    currency_id: 1001,
    amount: '5',
    to_address: PAYEE,
  };
  await shop.ask('address-list.add', {
    ...MERCHANT,
    app_id: appId,
    family: 'evm',
    address: PAYEE,
    label: 'Tea supplier',
  });
  const { payout: made } = await shop.ask('payouts.create', {
    ...wish,
    refund: { trade_no: order, reason: 'two tins came back' },
    request_id: 'a-payout-on-its-way',
    most_cost: '100',
    fee_mode: 'on-top',
  });
  await write(
    `INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
     VALUES (NULL, 'evm', 0, '0x00000000000000000000000000000000000000a1', 'wallet'),
       ($1, 'evm', 0, '0x00000000000000000000000000000000000000a2', 'wallet')`,
    [appId],
  );
  await write('UPDATE payouts SET claimed = true WHERE trade_no = $1', [made.trade_no]);
  await write(
    `WITH s AS (INSERT INTO senders (chain, address_id)
        SELECT 'ETH', address_id FROM addresses WHERE app_id = $2 AND purpose = 'wallet' RETURNING sender_id, chain)
      INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
        to_address, units, fee_cap, state, next_at_ms, created_at_ms)
      SELECT 'out_1', s.sender_id, s.chain, 'payout', p.trade_no, '{}', p.currency_id, p.to_address, p.receipt, 1,
        'waiting', 0, $3::bigint FROM s, payouts p WHERE p.trade_no = $1`,
    [made.trade_no, appId, api.world.nowMs()],
  );
  await api.database.transact((tx) => changeRules(tx, appId, { approvalAbove: 1_000_000n }));
  const limits = { payoutMaxDayValue: 20_000_000_000n, maxOpenOrders: 500 };
  await api.database.transact((tx) => limitMerchant(tx, 'mer_1', limits));
  const asked = { currency_id: 1001, amount: '3', to_address: PAYEE };
  const { data } = await callNamed(api, 'for-approval', asked);
  return { payout: made.trade_no, payoutToApprove: String(data['trade_no']) };
}

/** A developer's first calls. Gives the id of the call that was signed with a line end too many. */
async function callWrongly({ api }: DashboardShop, order: string): Promise<string> {
  await api.call('/api/order/detail', { trade_no: order });
  await api.call('/api/order/create', { out_trade_no: '1045', currency_id: 1001, token_amount: '12,50' });
  const body = JSON.stringify({ out_trade_no: '1045', currency_id: 1001, token_amount: '12.50' });
  const at = Math.floor(api.world.nowMs() / 1_000);
  await api.send('/api/order/create', body, signedHeaders(`${body}\n`, api.payment, at));
  // The lines of calls are written a moment later.
  return waitUntil('the line of the call', async () => {
    const [line] = await api.database.reader.read<{ readonly id: string }>(
      'SELECT call_id AS id FROM api_calls WHERE code = 10008',
      [],
    );
    return line?.id;
  });
}

/** Two holdings that stay: one costs too much to collect, one is frozen by its token. */
async function leaveStuck(appId: string, write: Write): Promise<void> {
  const stuck = (place: number, state: string, reason: string) =>
    write(
      `UPDATE holdings SET state = $2, reason = $3, units = 1250000 * (1 + $1)
       WHERE address_id = (
         SELECT address_id FROM holdings WHERE app_id = $4 AND currency_id = 1001 ORDER BY address_id OFFSET $1 LIMIT 1)`,
      [place, state, reason, appId],
    );
  await stuck(0, 'small', 'moving it costs too much of what it is worth');
  await stuck(1, 'frozen', 'execution reverted: Blacklistable: account is blacklisted');
}

/** A currency is suspended, a node fails, and one address holds less than the books say. */
async function troubleOperator(shop: DashboardShop, write: Write): Promise<void> {
  const { database, world } = shop.api;
  const nowMs = world.nowMs();
  const node = { calls: 1_200, failures: 7, totalMs: 61_200, disagreements: 1, head: 1_000 };
  await write(
    `INSERT INTO currency_suspensions (currency_id, reason, since_ms) VALUES (2001, 'off its peg', $1)`,
    [nowMs],
  );
  await write(
    `INSERT INTO incidents (kind, subject, detail, first_at_ms, last_at_ms, is_open) VALUES
       ('sender-stopped', 'BSC 0x2f6a…90c1', 'nonce 41 was used by another', $1::bigint, $1::bigint + 1500000, false),
       ('chain-behind', 'BSC', '', $1::bigint + 3600000, $1::bigint + 3840000, false)`,
    [nowMs - 30 * 3_600_000],
  );
  await database.transact(async (tx) => {
    await recordProviders(tx, {
      chain: 'ETH',
      holder: TEST_LEASE.holder,
      nowMs,
      providers: [
        { ...node, provider: 'node.example', circuit: 'open', reason: 'the connection was refused' },
        {
          ...node,
          failures: 0,
          disagreements: 0,
          provider: 'archive.example',
          circuit: 'closed',
          reason: null,
        },
      ],
    });
    const [wallet] = await tx.read<{ readonly id: number }>(
      `SELECT address_id AS id FROM addresses WHERE purpose = 'wallet' AND app_id IS NOT NULL`,
      [],
    );
    const found = {
      addressId: wallet?.id ?? 0,
      expected: amountOf(1001, 40_000_000n),
      actual: amountOf(1001, 39_000_000n),
      atBlock: 1_004,
    };
    await upsertDifferences(tx, 'ETH', 1001, [found], nowMs);
    await tx.write('UPDATE balance_differences SET raised = true', []);
    await tx.write(`UPDATE audit_marks SET at_ms = $1 WHERE name = 'entries'`, [nowMs - 42_000]);
    await addComparison(
      tx,
      { day: dayOf(nowMs), chain: 'ETH', currencyId: 1001 },
      { addresses: 12, endedRound: true },
    );
  });
}

/** Last night's backup, the one before, and a restore that was tried too long ago. */
async function noteBackups({ api: { database, world } }: DashboardShop): Promise<void> {
  const base = { kind: 'base', bytes: 48_300_000_000, markedBy: 'postgres@db-1', note: '' } as const;
  const restore = {
    kind: 'restore',
    bytes: null,
    markedBy: 'olga@laptop',
    note: 'all orders there',
  } as const;
  const nowMs = world.nowMs();
  await database.transact(async (tx) => {
    await insertBackupMark(tx, { ...restore, atMs: nowMs - 100 * 24 * HOUR_MS });
    await insertBackupMark(tx, { ...base, atMs: nowMs - 31 * HOUR_MS });
    await insertBackupMark(tx, { ...base, atMs: nowMs - 7 * HOUR_MS, note: 'full, pgBackRest' });
  });
}

/** Tron is read too, and has a gas wallet. */
async function openTron({ api: { world } }: DashboardShop, write: Write): Promise<void> {
  const head = Math.floor(world.nowMs() / 1_000) - 3;
  const wallet = `41${'6a'.repeat(20)}`;
  await write(
    `INSERT INTO chain_cursors (chain, head_number, head_hash, head_time, final_number, final_time, updated_at_ms)
     VALUES ('Tron', 70000019, '0xhead', $1::bigint, 70000000, $1::bigint - 57, $1::bigint * 1000)`,
    [head],
  );
  await write(
    `INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ('tron', 0, $1, 'wallet')`,
    [wallet],
  );
  await write(
    `INSERT INTO accounts (kind, owner, currency_id, balance) VALUES ('custody', 'Tron/' || $1, 3000, -412600000)`,
    [wallet],
  );
}

/** Begins a sign-up whose link was mailed. Gives the secret part of the link's address. */
async function beginSignUp({ api: { database, world } }: DashboardShop): Promise<string> {
  const token = newToken(world);
  const expiresAtMs = world.nowMs() + SIGN_UP_HOLDS_MS;
  const signUp = { email: 'gwen@example.test', tokenHash: hashOfToken(token), expiresAtMs };
  await database.transact((tx) => putLink(tx, 'sign_ups', signUp));
  return `#${token}`;
}

/** The finance person of the shop forgot the password. Gives the secret part of the link's address. */
async function beginPasswordLink({ api: { database, world }, finance }: DashboardShop): Promise<string> {
  const token = newToken(world);
  const expiresAtMs = world.nowMs() + PASSWORD_LINK_HOLDS_MS;
  const link = { email: finance.email, tokenHash: hashOfToken(token), expiresAtMs };
  await database.transact((tx) => putLink(tx, 'password_links', link));
  return `#${token}`;
}
