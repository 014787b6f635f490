// ducat webhooks: lists events with their delivery, and resends them.
import { Command, InvalidArgumentError, Option } from 'commander';
import { MAX_RESENT, resendEvents } from '@ducat/gateway/flows/deliveries/resend-events';
import { listApps } from '@ducat/gateway/db/tables/apps';
import {
  type AttemptRecord,
  type EventRecord,
  listAttempts,
  listEvents,
  MAX_LISTED,
} from '@ducat/gateway/db/tables/deliveries/event-lists';
import { type EventState, eventStates } from '@ducat/gateway/db/tables/deliveries/outbox';
import { CommandError } from '../../command-error.ts';
import { orderMeant } from '../../orders/last-order.ts';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { pathsOf } from '../state-option.ts';

interface ListOptions extends ConfigOptions {
  readonly json?: true;
  readonly only?: EventState;
  readonly tradeNo?: string;
  readonly app?: string;
  readonly limit: number;
}

interface ResendOptions extends ConfigOptions {
  readonly json?: true;
  readonly dead?: true;
  readonly app?: string;
}

const MAX_APPS = 10_000;

/** The commands, to be added to the program. */
export function webhooksCommand(): Command {
  const list = withConfigOptions(new Command('list'))
    .description('list events and what became of them, newest first')
    .addOption(new Option('--only <state>', 'only events in this state').choices(eventStates))
    .option(
      '--trade-no <trade_no>',
      'only events of this order, with every attempt; the word last means the newest',
    )
    .option('--app <app_id>', 'only events of this app')
    .option('--limit <n>', `at most so many, up to ${MAX_LISTED}`, limit, 50)
    .option('--json', 'the result as JSON')
    .action(listThem);
  const resend = withConfigOptions(new Command('resend'))
    .description('send events again, with all attempts before them')
    .argument('[event_id...]', 'the events')
    .option('--dead', `all dead events instead, up to ${MAX_RESENT} of each app at once`)
    .option('--app <app_id>', 'with --dead: only those of this app')
    .option('--json', 'the result as JSON')
    .action(resendThem);
  return new Command('webhooks')
    .description('list webhooks and send them again')
    .addCommand(list)
    .addCommand(resend);
}

interface Listed {
  readonly event: EventRecord;
  /** Filled where one order was asked for. */
  readonly attempts: readonly AttemptRecord[];
}

async function listThem(options: ListOptions): Promise<void> {
  // Older versions had `--state dead` for this, before there was `--only`.
  if (eventStates.some((state) => state === options.state)) {
    throw new CommandError(`for events of this state: --only ${options.state}`);
  }
  const tradeNo = options.tradeNo === undefined ? undefined : orderMeant(pathsOf(options), options.tradeNo);
  const listed = await onSetup(options, async ({ database: { reader } }): Promise<readonly Listed[]> => {
    const { only: state, app: appId, limit: most } = options;
    const events = await listEvents(reader, { state, appId, tradeNo, limit: most });
    const withAttempts = async (event: EventRecord) => ({
      event,
      attempts: tradeNo === undefined ? [] : await listAttempts(reader, event.eventId),
    });
    return Promise.all(events.map(withAttempts));
  });
  const text = options.json === true ? JSON.stringify(listed, null, 2) : listText(listed);
  process.stdout.write(`${text}\n`);
}

function listText(listed: readonly Listed[]): string {
  if (listed.length === 0) return 'No events of that kind.';
  const head = ['EVENT', 'ORDER', 'STATUS', 'STATE', 'TRIES', 'WRITTEN', 'TO'];
  const rows = listed.map(({ event }) => [
    event.eventId,
    event.tradeNo,
    event.status,
    event.underWay ? `${event.state}, under way` : event.state,
    String(event.attempts),
    timeOf(event.createdAtMs),
    harmless(event.url ?? '(nowhere)'),
  ]);
  const attempts = listed.flatMap(({ event, attempts: tries }) =>
    tries.map((attempt) => [
      event.eventId,
      `try ${attempt.attempt}`,
      timeOf(attempt.startedAtMs),
      attempt.outcome,
      attempt.httpStatus === null ? '' : `HTTP ${attempt.httpStatus}`,
      attempt.durationMs === null ? '' : `${attempt.durationMs} ms`,
    ]),
  );
  return [...columns([head, ...rows]), ...(attempts.length === 0 ? [] : ['', ...columns(attempts)])].join(
    '\n',
  );
}

async function resendThem(eventIds: readonly string[], options: ResendOptions): Promise<void> {
  if (eventIds.length > 0 === (options.dead === true)) {
    throw new CommandError('name the events, or give --dead for all dead ones');
  }
  if (options.app !== undefined && options.dead !== true) throw new CommandError('--app belongs to --dead');
  const resent = await onSetup(options, (setup) =>
    eventIds.length > 0 ? resendNamed(setup, eventIds) : resendDead(setup, options.app),
  );
  if (options.json === true) process.stdout.write(`${JSON.stringify({ resent })}\n`);
  else
    process.stdout.write(
      `${resent.length === 0 ? 'Nothing to send again.' : `Sent again: ${resent.join(', ')}`}\n`,
    );
  const left = eventIds.filter((id) => !resent.includes(id));
  if (left.length > 0) {
    throw new CommandError(`not sent again, because unknown or still on their way: ${left.join(', ')}`);
  }
}

function resendNamed({ database, world }: Setup, eventIds: readonly string[]): Promise<readonly string[]> {
  if (eventIds.length > MAX_RESENT) throw new CommandError(`at most ${MAX_RESENT} events at once`);
  return database.transact((tx) => resendEvents(tx, { eventIds }, world.nowMs()));
}

async function resendDead({ database, world }: Setup, only: string | undefined): Promise<readonly string[]> {
  const appIds =
    only === undefined ? (await listApps(database.reader, MAX_APPS)).map(({ appId }) => appId) : [only];
  const resent: string[] = [];
  for (const appId of appIds) {
    const choice = { appId, limit: MAX_RESENT };
    resent.push(...(await database.transact((tx) => resendEvents(tx, choice, world.nowMs()))));
  }
  return resent;
}

function timeOf(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

function limit(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_LISTED) {
    throw new InvalidArgumentError(`a number from 1 to ${MAX_LISTED}`);
  }
  return count;
}
