// ducat payouts create: asks for a payout, as the merchant's server would.
import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { type AppOptions, clientOf, openAccess, withAppOptions } from '../../app-access.ts';
import { findCurrency } from '../../orders/find-currency.ts';
import { columns } from '../../terminal.ts';

interface CreateOptions extends AppOptions {
  readonly currency: string;
  readonly amount: string;
  readonly to: string;
  readonly key?: string;
  readonly otp?: string;
  readonly callbackUrl?: string;
  readonly json?: true;
}

/** The command, to be added to the group. */
export function createCommand(): Command {
  return withAppOptions(new Command('create'))
    .description('ask for a payout, as the shop does')
    .requiredOption('--currency <currency>', 'what is sent: SYMBOL@CHAIN or a currency_id')
    .requiredOption('--amount <amount>', 'how much of it, such as 5')
    .requiredOption('--to <address>', 'who gets it')
    .option(
      '--key <name>',
      "the shop's own name of the payout: the same name pays once; made up unless given",
    )
    .option('--otp <code>', 'the one-time code, where the operator switched codes on')
    .option(
      '--callback-url <url>',
      'where the webhook of this payout goes; the address of the app unless given',
    )
    .option('--json', "the API's answer as JSON")
    .action(createPayout);
}

async function createPayout(options: CreateOptions): Promise<void> {
  const access = openAccess(options);
  const client = clientOf(access);
  const currency = findCurrency(await client.currencies.list(), options.currency);
  const created = await client.payouts.create(
    {
      currency_id: currency.currency_id,
      amount: options.amount,
      to_address: options.to,
      ...(options.otp === undefined ? {} : { otp_code: options.otp }),
      ...(options.callbackUrl === undefined ? {} : { callback_url: options.callbackUrl }),
    },
    { idempotencyKey: options.key ?? `demo-${randomBytes(6).toString('hex')}` },
  );
  if (options.json === true) return void process.stdout.write(`${JSON.stringify(created, null, 2)}\n`);
  const { trade_no, actual_receipt, cost, estimated_transfer } = created;
  const rows = columns(
    [
      ['trade_no', trade_no],
      ['to', options.to],
      ['receives', `${actual_receipt} ${currency.token}`],
      ['cost', `${cost} ${currency.token}`],
      ['leaves the balance', `${estimated_transfer} ${currency.token}`],
    ],
    '  ',
  );
  const next = `\n  Next: npx ducat listen --trade-no ${trade_no} --until PAID${access.flags}`;
  process.stdout.write(`${['Payout PROGRESS', ...rows, next].join('\n')}\n`);
}
