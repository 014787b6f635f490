// Every screen of the dashboard: its route, who opens it, and its path in the shop of the tests.
import type { Page } from 'playwright-core';
import { TEST_PASSWORD } from '../api/test-dashboard.ts';
import { PAYEE, type ShownShop } from './shown-shop.ts';

export type Visitor = 'merchant' | 'newcomer' | 'operator' | 'nobody';

export interface Screen {
  /** The name of its picture. */
  readonly name: string;
  readonly who: Visitor;
  /** The route as apps/dashboard/src/routes.tsx has it. Null for what is shown over a screen, or in place of all screens. */
  readonly route: string | null;
  /** Null where the screen before leads to this one. */
  readonly path: ((shown: ShownShop) => string) | null;
  /** The error status of an answer that belongs to the screen, because Chromium reports it as an error. */
  readonly refusal?: string;
  /** What a person does before the screen is checked. */
  readonly act?: (page: Page, shown: ShownShop) => Promise<void>;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

const M = 'm/:merchantId';
const ofMerchant = (name: string, route: string, rest: Screen['path'] = null): Screen => ({
  name,
  who: 'merchant',
  route: `${M}${route}`,
  path: (shown) => `/m/mer_1${rest === null ? route : rest(shown)}`,
});
const ofOperator = (name: string, route: string, rest = route): Screen => ({
  name,
  who: 'operator',
  route: `operator${route}`,
  path: () => `/operator${rest}`,
});

/** In the list, no section may follow another one, because the heading would stay the same. */
function sectionOfApp(tab: string): Screen {
  const app = ofMerchant(`app-${tab}`, '/apps/:appId', ({ appId }) => `/apps/${appId}?tab=${tab}`);
  return { ...app, route: null };
}

const merchantScreens: readonly Screen[] = [
  ofMerchant('home', ''),
  ofMerchant('orders', '/orders'),
  ofMerchant('order', '/orders/:tradeNo', ({ order }) => `/orders/${order}`),
  ofMerchant('payouts', '/payouts'),
  { ...ofMerchant('new-payout', '/payouts/new'), act: typePayout },
  { ...ofMerchant('payout-batch', '/payouts/batch'), act: readBatch },
  ofMerchant('payout', '/payouts/:tradeNo', ({ payout }) => `/payouts/${payout}`),
  ofMerchant('receipts', '/receipts'),
  ofMerchant('qr-codes', '/qr-codes'),
  ofMerchant('qr-code', '/qr-codes/:qrCodeId', ({ qrCodeId }) => `/qr-codes/${qrCodeId}`),
  ofMerchant('balances', '/balances'),
  ofMerchant('statement', '/balances/:appId/:currencyId', ({ appId }) => `/balances/${appId}/1001`),
  ofMerchant('apps', '/apps'),
  ofMerchant('app', '/apps/:appId', ({ appId }) => `/apps/${appId}`),
  ofMerchant('webhooks', '/webhooks'),
  sectionOfApp('checkout'),
  ofMerchant('webhook', '/webhooks/:eventId', ({ eventId }) => `/webhooks/${eventId}`),
  sectionOfApp('payouts'),
  ofMerchant('api-calls', '/api-calls'),
  ofMerchant('api-call', '/api-calls/:callId', ({ callId }) => `/api-calls/${callId}`),
  sectionOfApp('security'),
  ofMerchant('team', '/team'),
  ofMerchant('audit-log', '/audit-log'),
  { name: 'account', who: 'merchant', route: 'account', path: () => '/account' },
  { name: 'not-found', who: 'merchant', route: '*', path: () => '/m/mer_1/nowhere' },
];

const operatorScreens: readonly Screen[] = [
  ofOperator('operator', ''),
  ofOperator('set-up', '/set-up'),
  ofOperator('chains', '/chains'),
  ofOperator('add-chain', '/chains/add'),
  ofOperator('add-token', '/chains/add-token'),
  ofOperator('set-up-chain', '/chains/set-up/:chain', '/chains/set-up/WKC'),
  ofOperator('change-chain', '/chains/change/:chain', '/chains/change/BASE'),
  ofOperator('currencies', '/currencies'),
  ofOperator('merchants', '/merchants'),
  ofOperator('people', '/people'),
  ofOperator('all-payouts', '/payouts'),
  ofOperator('outgoing', '/outgoing'),
  ofOperator('all-receipts', '/receipts'),
  ofOperator('wallets', '/wallets'),
  ofOperator('reserves', '/reserves'),
  // Does not follow the wallets, because the heading would stay the same.
  { ...ofOperator('stake', '/wallets', '/wallets?chain=Tron'), route: null },
  ofOperator('jobs', '/jobs'),
  ofOperator('backups', '/backups'),
  ofOperator('configuration', '/configuration'),
  ofOperator('operator-log', '/audit-log'),
];

const screensBeforeSigningIn: readonly Screen[] = [
  { name: 'sign-in', who: 'nobody', route: null, path: () => '/' },
  {
    name: 'invitation',
    who: 'nobody',
    route: 'invitation',
    path: ({ invitation }) => `/invitation${invitation}`,
  },
  { name: 'sign-up', who: 'nobody', route: 'sign-up', path: () => '/sign-up' },
  {
    name: 'sign-up-sent',
    who: 'nobody',
    route: null,
    path: () => '/sign-up',
    act: async (page) => {
      await type(page, 'E-mail', 'gil@example.test');
      await button(page, 'Send the link').click();
      await page.getByRole('link', { name: 'Look at the caught mails' }).waitFor();
    },
  },
  {
    name: 'sign-up-link',
    who: 'nobody',
    route: null,
    path: ({ signUp }) => `/sign-up${signUp}`,
  },
  { name: 'new-password', who: 'nobody', route: 'new-password', path: () => '/new-password' },
  {
    name: 'new-password-sent',
    who: 'nobody',
    route: null,
    path: () => '/new-password',
    act: async (page) => {
      await type(page, 'E-mail', 'gil@example.test');
      await button(page, 'Send the link').click();
      await page.getByRole('link', { name: 'Look at the caught mails' }).waitFor();
    },
  },
  {
    name: 'new-password-link',
    who: 'nobody',
    route: null,
    path: ({ passwordLink }) => `/new-password${passwordLink}`,
  },
  { name: 'mails', who: 'nobody', route: 'mails', path: () => '/mails' },
  {
    name: 'set-up-link-over',
    who: 'nobody',
    route: 'set-up',
    path: () => `/set-up#${'o'.repeat(43)}`,
    refusal: '404',
  },
  {
    name: 'second-factor',
    who: 'nobody',
    route: null,
    path: () => '/',
    act: (page, { shop }) => enterPassword(page, shop.finance.email, 'Code of 6 digits'),
  },
  {
    name: 'second-factor-set-up',
    who: 'nobody',
    route: null,
    path: () => '/',
    act: (page, { shop }) => enterPassword(page, shop.stranger.email, 'The code that the app shows now'),
  },
];

/** Lists of a merchant that has nothing yet: each says what makes the first one. */
export const emptyScreens: readonly Screen[] = ['home', 'orders', 'payouts', 'apps', 'balances'].map(
  (name) => ({
    ...ofMerchant(`${name}-empty`, ''),
    who: 'newcomer',
    route: null,
    path: () => `/m/mer_2${name === 'home' ? '' : `/${name}`}`,
  }),
);

/** The screens that are checked in all forms. */
export const screens: readonly Screen[] = [...merchantScreens, ...operatorScreens, ...screensBeforeSigningIn];

const over = (name: string, screen: string, act: NonNullable<Screen['act']>): Screen => {
  const below = screens.find((each) => each.name === screen);
  if (below === undefined) throw new Error(`no screen is called ${screen}`);
  return { ...below, name, route: null, act };
};

/** Dialogs. Each is checked in one form, because the screen below it is checked in all. */
export const dialogs: readonly Screen[] = [
  over('search', 'home', async (page) => {
    await button(page, 'Search').click();
    await page.getByRole('combobox').fill('1042');
    await page.getByRole('option').first().waitFor();
  }),
  over('keys', 'orders', async (page) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  }),
  over('menu', 'home', async (page) => {
    await button(page, 'Open menu').click();
    await page.getByRole('dialog').waitFor();
  }),
  over('language', 'home', async (page) => {
    await button(page, 'Open menu').click();
    await button(page, 'Ada Okafor').click();
    await page.getByRole('menuitem', { name: 'Language' }).click();
    await page.getByRole('button', { name: 'Deutsch' }).waitFor();
  }),
  over('review-payout', 'new-payout', pricePayout),
  over('pick-address', 'new-payout', async (page, shown) => {
    await typePayout(page, shown);
    await openByButton('Pick from the address list')(page, shown);
  }),
  {
    ...over('decline', 'payout', async (page, shown) => {
      await openByButton('Approve')(page, shown);
      await button(page, 'Decline').click();
      await page.getByLabel('Why').waitFor();
    }),
    path: ({ payoutToApprove }) => `/m/mer_1/payouts/${payoutToApprove}`,
  },
  {
    ...over('approval', 'payout', openByButton('Approve')),
    path: ({ payoutToApprove }) => `/m/mer_1/payouts/${payoutToApprove}`,
  },
  { ...over('approve-payout', 'payout', approveByNewKey), path: null },
  over('send-back', 'receipts', async (page) => {
    await page.getByRole('row', { name: '0.01' }).click();
    await button(page, 'Send back').click();
    await type(page, 'To', PAYEE);
    await button(page, 'Review').click();
    await page.getByLabel('Kept of it').waitFor();
  }),
  over('assign', 'receipts', async (page) => {
    await page.getByRole('row', { name: '0.01' }).click();
    await page.getByLabel('Our number of the order').waitFor();
  }),
  over('resend', 'webhooks', openByButton('Send a time span again')),
  over('refund-order', 'order', openByButton('Refund')),
  over('new-qr-code', 'qr-codes', openByButton('New QR code')),
  over('new-app', 'apps', openByButton('Create app')),
  over('key-shown', 'apps', async (page) => {
    await button(page, 'Create app').click();
    await type(page, 'Name', 'Tea house');
    await button(page, 'Create and show key').click();
    await button(page, 'I have kept it').waitFor();
  }),
  over('signature', 'app', openByButton('Debug a signature')),
  over('signature-of-call', 'api-call', async (page) => {
    await button(page, 'Debug a signature').click();
    await button(page, 'Compare').click();
    await page.getByText('a line end after the body').waitFor();
  }),
  over('invite', 'team', openByButton('Invite')),
  over('change-role', 'team', async (page) => {
    await page.getByRole('button', { name: 'Change role: ' }).last().click();
    await page.getByRole('menuitem', { name: 'viewer' }).click();
    await page.getByRole('dialog').waitFor();
  }),
  {
    ...over('step-up', 'team', async (page, { shop }) => {
      // Ends the step-up that came with the sign-in.
      await shop.api.database.transact((tx) =>
        tx.write('UPDATE dashboard_sessions SET step_up_until_ms = 0', []),
      );
      await button(page, 'Withdraw').click();
      await page.getByRole('dialog').waitFor();
    }),
    refusal: '403',
  },
  over('new-merchant', 'merchants', openByButton('New merchant')),
  over('merchant-limits', 'merchants', async (page) => {
    await button(page, 'More about Northwind Tea').click();
    await page.getByRole('menuitem', { name: 'Change limits' }).click();
    await page.getByRole('dialog').waitFor();
  }),
  over('invite-operator', 'people', openByButton('Invite an operator')),
  over('suspension', 'currencies', async (page) => {
    await page.getByRole('button', { name: 'More about ' }).first().click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('dialog').waitFor();
  }),
  over('pause', 'chains', async (page) => {
    await page.getByRole('button', { name: 'More about ' }).first().click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('dialog').waitFor();
  }),
  over('take-factor-away', 'people', async (page) => {
    await button(page, 'More about Ben Lind').click();
    await page.getByRole('menuitem', { name: 'Take second factor away' }).click();
    await type(page, 'Why', 'his phone is lost, and he came by');
  }),
];

/** Screens that are checked from right to left too. */
export const arabic: readonly Screen[] = [
  'home',
  'orders',
  'order',
  'payouts',
  'new-payout',
  'statement',
  'app',
  'api-calls',
  'api-call',
  'sign-up-link',
  'mails',
].flatMap((name) => {
  const found = screens.find((screen) => screen.name === name);
  // The merchant's browser opens all of them, because the language is chosen there.
  return found === undefined ? [] : [{ ...found, who: 'merchant', name: `${name}-arabic` }];
});

function openByButton(name: string): NonNullable<Screen['act']> {
  return async (page) => {
    await button(page, name).click();
    await page.getByRole('dialog').waitFor();
  };
}

/** Shows the text to sign, with a key that this browser made. */
async function approveByNewKey(page: Page): Promise<void> {
  await button(page, 'Approve').click();
  await type(page, 'Approver', 'ada');
  await button(page, 'Make a key in this browser').click();
  await button(page, 'Go on').click();
  await page.getByText('Compare it with your own records').waitFor();
}

/** Finds the fields by their names, because the screen is filled in Arabic too. */
async function typePayout(page: Page, { appId }: ShownShop): Promise<void> {
  await page.locator('[name="source"]').selectOption(`${appId} 1001`);
  await page.locator('[name="to"]').fill(PAYEE);
  await page.locator('[name="amount"]').fill('5');
  await page.locator('main dl').waitFor();
}

async function pricePayout(page: Page, { appId }: ShownShop): Promise<void> {
  await page.getByLabel('From balance').selectOption(`${appId} 1001`);
  await type(page, 'To', PAYEE);
  await type(page, 'Amount', '5');
  await button(page, 'Review payout').click();
  await page.getByRole('button', { name: 'Pay out 5' }).waitFor();
}

async function readBatch(page: Page, { appId }: ShownShop): Promise<void> {
  await page.getByLabel('From balance').selectOption(`${appId} 1001`);
  const buffer = Buffer.from(['to_address,amount', `${PAYEE},1`, `${PAYEE},2`].join('\n'));
  await page.getByLabel('CSV file').setInputFiles({ name: 'payouts.csv', mimeType: 'text/csv', buffer });
  await button(page, 'Read and price').click();
  await page.getByRole('cell', { name: 'Ready' }).nth(1).waitFor();
}

async function enterPassword(page: Page, email: string, next: string): Promise<void> {
  await type(page, 'E-mail', email);
  await type(page, 'Password', TEST_PASSWORD);
  await button(page, 'Sign in').click();
  await page.getByLabel(next, { exact: true }).waitFor();
}
