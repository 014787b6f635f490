// ducat payouts list: the newest payouts.
import { Command, InvalidArgumentError, Option } from 'commander';
import { type PayoutStatus, payoutStatuses } from '@ducat/core/payout/payout';
import { listPayouts } from '@ducat/gateway/db/tables/payouts/payouts';
import { readQuarantinedPayouts } from '@ducat/gateway/db/tables/outgoing/quarantines';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { payoutJson, placeOf, timeText } from './payout-text.ts';

interface ListOptions extends ConfigOptions {
  readonly app?: string;
  readonly status?: PayoutStatus;
  readonly limit: number;
  readonly json?: true;
}

const MAX_LISTED = 1_000;

/** The command, to be added to `ducat payouts`. */
export function listCommand(): Command {
  return withConfigOptions(new Command('list'))
    .description('list payouts, newest first')
    .option('--app <app_id>', 'only those of this app')
    .addOption(new Option('--status <status>', 'only those in this state').choices(payoutStatuses))
    .option('--limit <n>', `at most so many, up to ${MAX_LISTED}`, limit, 50)
    .option('--json', 'the result as JSON')
    .action(listThem);
}

async function listThem({ app: appId, status, limit: most, json, ...where }: ListOptions): Promise<void> {
  const rows = await onSetup(where, async ({ config, database, world }) => {
    const payouts = await listPayouts(database.reader, { appId, status, limit: most });
    const quarantined = await readQuarantinedPayouts(database.reader, world.nowMs());
    return payouts.map((payout) => {
      const broken = quarantined.get(payout.tradeNo);
      const shown = payoutJson(payout, placeOf(config, payout));
      return broken === undefined
        ? shown
        : { ...shown, waits_for: `an operator, it broke: ${harmless(broken)}` };
    });
  });
  process.stdout.write(`${json === true ? JSON.stringify(rows, null, 2) : asText(rows)}\n`);
}

function asText(rows: readonly ReturnType<typeof payoutJson>[]): string {
  if (rows.length === 0) return 'No payouts.';
  const head = ['PAYOUT', 'APP', 'STATUS', 'WAITS FOR', 'AMOUNT', 'CURRENCY', 'TO', 'CREATED'];
  const cells = rows.map((row) => [
    row.trade_no,
    row.app_id,
    row.status,
    row.waits_for ?? '',
    row.amount,
    row.currency,
    row.to_address,
    timeText(row.created_time),
  ]);
  return columns([head, ...cells]).join('\n');
}

function limit(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_LISTED) return count;
  throw new InvalidArgumentError(`a whole number from 1 to ${MAX_LISTED}`);
}
