// ducat listen: the shop's side of webhooks, shown as they come in.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type AppOptions, openAccess, withAppOptions } from '../../app-access.ts';
import { CommandError } from '../../command-error.ts';
import { parseDuration } from '../../duration.ts';
import { orderMeant } from '../../orders/last-order.ts';
import { chainText, localTime } from '../../orders/show-order.ts';
import { columns, harmless, type Palette, paletteFor } from '../../terminal.ts';
import { listenForWebhooks, type ReceivedWebhook } from '../../webhooks/webhook-listener.ts';

interface ListenOptions extends AppOptions {
  readonly port?: number;
  readonly tradeNo?: string;
  readonly until?: string;
  readonly timeout?: number;
  readonly save?: string;
  readonly json?: true;
}

const DEFAULT_PATH = '/webhook';
/** How long the program waits at the end, so that the gateway gets the answer to the last webhook. */
const LAST_ANSWER_MS = 200;

/** The command, to be added to the program. */
export function listenCommand(): Command {
  const statuses = ['PAID', 'TO-BE-PAID', 'TIME-OUT', 'FAIL'];
  return withAppOptions(new Command('listen'))
    .description('receive webhooks as the demo shop, verify each and show it; Ctrl-C ends it')
    .option('--port <port>', 'another port than that of the demo app', portNumber)
    .option('--trade-no <trade_no>', 'show this order alone; the word last means the newest one')
    .addOption(new Option('--until <status>', 'end with exit code 0 once it was received').choices(statuses))
    .option(
      '--timeout <time>',
      'end after this time, such as 60s; with exit code 1 where --until was not met',
      parseDuration,
    )
    .option('--save <folder>', 'keep the newest shown webhook as it came, in the files headers and body')
    .option('--json', 'one JSON object per webhook')
    .action(listen);
}

async function listen(options: ListenOptions): Promise<void> {
  const access = openAccess(options);
  const tradeNo = options.tradeNo === undefined ? undefined : orderMeant(access.paths, options.tradeNo);
  const address = listenAt(options, access.demo?.listener_url);
  const palette = paletteFor(process.stdout);
  const say = (line: string) => void (options.json === true || process.stdout.write(`${line}\n`));
  const met = deferred();
  const server = await listenForWebhooks({
    ...address,
    appId: access.appId,
    appKey: access.appKey,
    onReceived: (received) => {
      // Events of other orders are accepted as well but not shown. Otherwise the gateway would resend them for a day.
      if (tradeNo !== undefined && received.event.body.trade_no !== tradeNo) return;
      if (options.save !== undefined) save(options.save, received);
      process.stdout.write(
        `${options.json === true ? JSON.stringify(plain(received)) : receivedText(received, palette)}\n`,
      );
      if (received.event.body.status === options.until) met.resolve();
    },
    onRefused: (reason) => say(`${palette.red('✗')} refused: ${harmless(reason)}`),
  });
  say(
    palette.dim(
      `Listening on http://127.0.0.1:${address.port}${address.path}${waitingFor(options, tradeNo)}`,
    ),
  );
  const end = await Promise.race([
    met.promise.then(() => 'met' as const),
    ctrlC(),
    timeLimit(options.timeout),
  ]);
  if (end === 'met') await delay(LAST_ANSWER_MS);
  server.close();
  server.closeAllConnections();
  // Without --until nothing can be missed: the time is simply over.
  if (end === 'late' && options.until !== undefined)
    throw new CommandError(`no ${options.until} was received in ${options.timeout ?? 0} s`);
  if (end === 'interrupted' && options.until !== undefined) process.exitCode = 130;
}

function save(folder: string, { headers, body }: ReceivedWebhook): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'headers'), headers);
  writeFileSync(join(folder, 'body'), body);
}

function listenAt(
  options: ListenOptions,
  demoUrl: string | undefined,
): { readonly port: number; readonly path: string } {
  const url = demoUrl === undefined ? undefined : new URL(demoUrl);
  const port = options.port ?? (url === undefined ? undefined : Number(url.port));
  if (port === undefined) throw new CommandError('say where to listen: --port <port> (the path is /webhook)');
  return { port, path: url?.pathname ?? DEFAULT_PATH };
}

function waitingFor({ until, timeout }: ListenOptions, tradeNo: string | undefined): string {
  const what = until === undefined ? '' : `, until ${until}${tradeNo === undefined ? '' : ` of ${tradeNo}`}`;
  return `${what}${timeout === undefined ? '' : `, at most ${timeout} s`}`;
}

function receivedText(
  { event, timestamp, repeated }: ReceivedWebhook,
  { bold, dim, green, red, yellow }: Palette,
): string {
  const { body } = event;
  const paint =
    body.status === 'PAID' ? green : body.status === 'TIME-OUT' || body.status === 'FAIL' ? red : yellow;
  const rows = columns(
    [
      ['trade_no', body.trade_no],
      ...aboutOf(body),
      ['currency', `${body.currency_id} on ${chainText(body)}`],
      ['txid', body.txid || '(none)'],
      ['time', localTime(body.time)],
      ['event', `${harmless(event.eventId ?? '(no id)')}, sent ${localTime(Number(timestamp))}`],
    ],
    '  ',
  );
  const again = repeated ? dim(' (received before)') : '';
  return [`${green('✓')} verified webhook ${bold(paint(body.status))}${again}`, ...rows].join('\n');
}

/** The fields that differ between orders, payouts and payments to a QR code. */
function aboutOf(body: ReceivedWebhook['event']['body']): readonly [string, string][] {
  if (body.type === 'TRANSFER') return [['paid out', body.token_amount]];
  if (body.type === 'QR_PAYMENT') {
    return [
      ['paid', body.token_amount],
      ['to', body.to_address],
      ['from', body.from_address],
    ];
  }
  return [
    ['out_trade_no', harmless(body.out_trade_no)],
    ['collected', `${body.amount_collected} of ${body.token_amount}`],
  ];
}

function plain({ event, timestamp, repeated }: ReceivedWebhook): object {
  return { event_id: event.eventId, timestamp: Number(timestamp), repeated, body: event.body };
}

function ctrlC(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'));
  });
}

function timeLimit(seconds: number | undefined): Promise<'late'> {
  return new Promise((resolve) => {
    if (seconds !== undefined) setTimeout(() => resolve('late'), seconds * 1000).unref();
  });
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError('a port is 1 to 65535');
  return port;
}
