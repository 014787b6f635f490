// ducat demo: how to reach the running demo, for people and for scripts.
import { Command } from 'commander';
import { type DemoAccess, readRunningDemo } from '../../state/demo-record.ts';
import { columns, paletteFor } from '../../terminal.ts';
import { pathsOf, type StateOptions, stateOption } from '../state-option.ts';

interface DemoOptions extends StateOptions {
  readonly json?: true;
  readonly env?: true;
}

/** The command, to be added to the program. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('show how to reach the running demo: addresses, AppId and AppKey, chains, tokens, payers')
    .addOption(stateOption())
    .option('--json', 'everything as one JSON object, for scripts')
    .option(
      '--env',
      'addresses, AppKeys, nodes and payers as shell variables: eval "$(npx ducat demo --env)"',
    )
    .action((options: DemoOptions) => {
      const demo = readRunningDemo(pathsOf(options));
      const text =
        options.json === true
          ? JSON.stringify(demo, null, 2)
          : options.env === true
            ? shell(demo)
            : demoText(demo);
      process.stdout.write(`${text}\n`);
    });
}

/** The values need no escaping inside quotes: they are addresses of ours, ids and base64url, without a quote. */
export function shell(demo: DemoAccess): string {
  const variables = {
    BASE_URL: demo.base_url,
    APP_ID: demo.app_id,
    APP_KEY: demo.app_key,
    QR_APP_ID: demo.qr_app_id,
    QR_APP_KEY: demo.qr_app_key,
    FAUCET_URL: demo.faucet_url,
    LISTENER_URL: demo.listener_url,
    CHECKOUT_URL: demo.checkout_url,
    ...Object.fromEntries(demo.chains.flatMap(chainVariables)),
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value}'`)
    .join('\n');
}

/** The node of a chain and a funded account there, such as ETH_RPC_URL and ETH_PAYER_KEY. */
function chainVariables({ chain, rpc_url, payer }: DemoAccess['chains'][number]): [string, string][] {
  const name = chain.toUpperCase();
  return [
    [`${name}_RPC_URL`, rpc_url],
    [`${name}_PAYER_KEY`, payer.private_key],
  ];
}

export function demoText(demo: DemoAccess): string {
  const { bold, dim } = paletteFor(process.stdout);
  const places = columns(
    [
      ['API', demo.base_url],
      ['Docs', demo.docs_url],
      ['A payment page', demo.checkout_url],
      ['Metrics', `${demo.operations_url}/metrics`],
      ['Webhooks go to', demo.listener_url],
      ['Faucet', demo.faucet_url],
      ['AppId', demo.app_id],
      ['AppKey', demo.app_key],
      ['AppId for QR codes', demo.qr_app_id],
      ['Its AppKey', demo.qr_app_key],
      ['MerchantId', demo.merchant_id],
      ['Configuration', demo.config_file],
    ],
    '  ',
  );
  const chains = demo.chains.flatMap((chain) => [
    '',
    `${bold(`${chain.chain} chain`)} ${dim(`id ${chain.chain_id}, a block every ${chain.block_time_ms / 1000} s, final after ${chain.need_confirms}`)}`,
    ...columns(
      [
        ['RPC', chain.rpc_url],
        ['Payer', chain.payer.address],
        ['Payer key', chain.payer.private_key],
        ['', 'a public test key, never use it elsewhere'],
      ],
      '  ',
    ),
    ...currenciesShown(chain),
  ]);
  return [bold('The running demo'), ...places, ...chains].join('\n');
}

/** The currencies that are on, then those that are off with the reason; at most 100 columns. */
function currenciesShown({ chain, currencies }: DemoAccess['chains'][number]): readonly string[] {
  const on = currencies.filter(({ off_reason }) => off_reason === '');
  const off = currencies.filter(({ off_reason }) => off_reason !== '');
  return [
    `  ${on.length} ${on.length === 1 ? 'currency' : 'currencies'}`,
    ...columns(
      on.map(({ symbol, currency_id, decimals, contract, fiat_price }) => [
        `${symbol}@${chain}`,
        `id ${currency_id}`,
        `${decimals} decimals`,
        contract,
        fiat_price ? '' : 'no fiat price',
      ]),
      '  ',
    ),
    ...off.flatMap(({ symbol, off_reason }) => wrapped(`${symbol}@${chain} is off: ${off_reason}`)),
  ];
}

const WIDTH = 100;

/** Wraps a text at whole words. Lines after the first are indented further. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${last === undefined ? '  ' : '    '}${word}`);
  }
  return lines;
}
