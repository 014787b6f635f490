// ducat pay: pays as the customer's wallet would, from a funded account of the local chains.
import { setTimeout as delay } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { OrderDetailData } from '@ducat/sdk';
import { type AppAccess, type AppOptions, clientOf, openAccess, withAppOptions } from '../../app-access.ts';
import { CommandError } from '../../command-error.ts';
import { orderMeant } from '../../orders/last-order.ts';
import { planPayment } from '../../orders/plan-payment.ts';
import { payerOf } from '../../orders/send-coins.ts';
import { localTime } from '../../orders/show-order.ts';
import type { DemoAccess } from '../../state/demo-record.ts';
import { paletteFor } from '../../terminal.ts';

interface PayOptions extends AppOptions {
  readonly amount?: string;
  readonly late?: true;
  readonly wrongToken?: true;
  readonly wrongChain?: true;
  readonly times: number;
  readonly wait: boolean;
  readonly json?: true;
}

const MAX_TIMES = 100;

/** The command, to be added to the program. */
export function payCommand(): Command {
  return withAppOptions(new Command('pay'))
    .description('pay an order of the demo, as a customer would')
    .argument('<trade_no>', 'number of the order, or the word last')
    .option('--amount <amount>', 'how much each time; what is still open unless given')
    .option('--times <n>', 'so many transactions', times, 1)
    .option('--late', 'wait until the order has expired, then pay')
    .option('--wrong-token', 'pay another token of the same chain, by mistake')
    .option('--wrong-chain', 'pay on another chain, by mistake')
    .option('--no-wait', 'do not wait until the transactions are in a block')
    .option('--json', 'the transactions as JSON')
    .action(pay);
}

interface Sent {
  readonly txid: string;
  readonly block: number | null;
}

async function pay(typed: string, options: PayOptions): Promise<void> {
  const access = openAccess(options);
  const demo = localDemo(access);
  const order = await clientOf(access).orders.detail(orderMeant(access.paths, typed));
  const plan = planPayment(order, demo.chains, options);
  const { dim, green } = paletteFor(process.stdout);
  const say = (line: string) => void (options.json === true || process.stdout.write(`${line}\n`));
  if (options.late === true) await untilExpired(order, say);
  const { chain, currency, amount, units } = plan;
  const repeated = options.times > 1 ? `, ${options.times} times` : '';
  say(`Paying ${amount} ${currency.symbol} on ${chain.chain} to ${order.pay_address}${repeated}`);
  const payer = payerOf(chain);
  const txids: string[] = [];
  for (let count = 0; count < options.times; count += 1) {
    txids.push(await payer.send(currency, order.pay_address, units));
  }
  const sent: Sent[] = [];
  for (const txid of txids) {
    const block = options.wait ? await payer.minedIn(txid) : null;
    sent.push({ txid, block });
    say(`  ${green('✓')} ${txid} ${dim(block === null ? 'sent' : `in block ${block}`)}`);
  }
  if (options.json === true) {
    const { chain: name } = chain;
    const what = {
      trade_no: order.trade_no,
      chain: name,
      currency_id: currency.currency_id,
      amount,
      transactions: sent,
    };
    process.stdout.write(`${JSON.stringify(what, null, 2)}\n`);
    return;
  }
  const seconds = Math.ceil((chain.need_confirms * chain.block_time_ms) / 1000);
  say(dim(`  Final after ${chain.need_confirms} blocks, in about ${seconds} s.`));
  say(`\n  Next: npx ducat ${nextCommand(order, options)}${access.flags}`);
}

/** The command that shows the payment. Money that does not count for the order makes no webhook of its own. */
function nextCommand(order: OrderDetailData, { late, wrongToken, wrongChain, amount }: PayOptions): string {
  if (wrongToken === true || wrongChain === true || order.status === 'PAID')
    return `order show ${order.trade_no}`;
  const listen = `listen --trade-no ${order.trade_no}`;
  if (late === true || order.status === 'TIME-OUT') return `${listen} --until TIME-OUT`;
  return amount === undefined ? `${listen} --until PAID` : listen;
}

/** The local demo. Only the funded accounts of its chains can pay, because no other key is known here. */
function localDemo(access: AppAccess): DemoAccess {
  if (access.demo === undefined) {
    throw new CommandError(
      'ducat pay knows the keys of the local demo only; pay other gateways with a wallet',
    );
  }
  return access.demo;
}

/** A payment is late in a block whose time is after the expiry. The margin allows for the clock of the chain. */
const AFTER_EXPIRY_MS = 2_000;

async function untilExpired(order: OrderDetailData, say: (line: string) => void): Promise<void> {
  const waitMs = order.time_expire * 1000 + AFTER_EXPIRY_MS - Date.now();
  if (waitMs <= 0) return;
  say(`Waiting ${Math.ceil(waitMs / 1000)} s, until the order has expired (${localTime(order.time_expire)})`);
  await delay(waitMs);
}

function times(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_TIMES) {
    throw new InvalidArgumentError(`a number from 1 to ${MAX_TIMES}`);
  }
  return count;
}
