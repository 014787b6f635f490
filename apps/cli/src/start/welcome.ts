// The text of `ducat start` once everything is ready.
import type { DemoRecord } from '../state/demo-record.ts';
import { columns, type Palette } from '../terminal.ts';

export interface Welcome {
  readonly demo: DemoRecord;
  readonly dashboardPassword: string;
  /** The link by which a person makes the first account; null where there are accounts. */
  readonly setupLink: string | null;
  /** The text before each command, such as "npx ducat". */
  readonly command: string;
  /** Options that the commands need to find this demo; "" with the usual folder. */
  readonly options: string;
  readonly palette: Palette;
}

/** The whole text, without a line break at the end. */
export function welcomeText(welcome: Welcome): string {
  const { demo, setupLink, command, options, palette } = welcome;
  const { bold, dim, green, cyan } = palette;
  const chains = demo.chains.map((chain): readonly [string, string] => [
    `${chain.chain} chain`,
    `${chain.rpc_url}  id ${chain.chain_id}, ${symbolsOf(chain)}`,
  ]);
  const places = columns(
    [
      ['API', demo.base_url],
      ['Docs', demo.docs_url],
      ['A payment page', demo.checkout_url],
      ['Dashboard', demo.dashboard_url],
      ['', signInText(welcome)],
      ...(demo.approver_email === '' ? [] : [['', approverText(demo)] as const]),
      ...(setupLink === null
        ? [['', `or sign up as somebody else: ${demo.dashboard_url}/sign-up`] as const]
        : []),
      ['Mails', `${demo.mails_url}  none is sent; also in ${demo.mail_folder}`],
      ['Metrics', `${demo.operations_url}/metrics`],
      ...chains,
      ['Faucet', demo.faucet_url],
      ['AppId', demo.app_id],
      ['AppKey', `in ${demo.app_key_file}`],
    ],
    '  ',
  );
  const run = (line: string) => `    ${cyan(`${command} ${line}${options}`)}`;
  return [
    '',
    `${green('●')} ${bold('Ducat is ready.')} ${dim('Local demo: made-up prices, coins without worth.')}`,
    '',
    ...places,
    '',
    `  ${bold('Now take a payment, and make one.')} In a second terminal:`,
    '',
    `  ${dim('1. your shop asks for 12.50 USDT')}`,
    run('order create --currency USDT@ETH --amount 12.5'),
    `  ${dim('2. the customer pays it on the chain')}`,
    run('pay last'),
    `  ${dim('3. your shop receives the webhook, verified and shown')}`,
    run('listen --trade-no last --until PAID'),
    `  ${dim('4. your shop pays 5 USDT out of what came in; show and listen take the number that is printed')}`,
    run(`payouts create --currency USDT@ETH --amount 5 --to ${payeeOf(demo)}`),
    '',
    `  ${dim('More:')} ${command} --help     ${dim('Everything for scripts:')} ${command} demo --json${options}`,
    `  ${dim('Ctrl-C stops everything. Orders, chains and database stay in')} ${demo.state_folder}`,
  ].join('\n');
}

function signInText({ demo, dashboardPassword, setupLink }: Welcome): string {
  if (setupLink !== null) return `set it up, once: ${setupLink}`;
  return demo.dashboard_email === ''
    ? 'sign in with the account that you made'
    : `sign in as ${demo.dashboard_email} with ${dashboardPassword}`;
}

function approverText({ approver_email, approver_key_file }: DemoRecord): string {
  return `approve payouts as ${approver_email}, same password, key in ${approver_key_file}`;
}

/** The address of the customer, who gets some of the money back. */
function payeeOf({ chains }: DemoRecord): string {
  return chains.find(({ chain }) => chain === 'ETH')?.payer.address ?? '<address>';
}

/** How many symbols fit on a line; `ducat demo` lists them all. */
const MOST_SYMBOLS = 4;

function symbolsOf(chain: DemoRecord['chains'][number]): string {
  const currencies = chain.currencies.filter(({ off_reason }) => off_reason === '');
  const first = currencies.slice(0, MOST_SYMBOLS).map(({ symbol }) => symbol);
  const more = currencies.length - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
