// ducat payouts show: the whole story of one payout, in the order in which it happened.
import { Command } from 'commander';
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { formatAmount, formatDecimal } from '@ducat/core/money/decimal';
import { listEvents } from '@ducat/gateway/db/tables/deliveries/event-lists';
import {
  type OutgoingStory,
  readOutgoingOf,
  type VariantStory,
} from '@ducat/gateway/db/reports/dashboard/money/outgoing-story';
import { readApprovals } from '@ducat/gateway/db/tables/payouts/payout-approvals';
import { readPayout } from '@ducat/gateway/db/tables/payouts/payouts';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { payoutJson, placeOf, timeText } from './payout-text.ts';

interface ShowOptions extends ConfigOptions {
  readonly json?: true;
}

/** More events than a payout has: it has one. */
const MOST_EVENTS = 10;

/** The command, to be added to `ducat payouts`. */
export function showCommand(): Command {
  return withConfigOptions(new Command('show'))
    .description('show one payout: its terms, who approved or cancelled it, how it ended, its webhooks')
    .argument('<trade_no>', 'the payout')
    .option('--json', 'the result as JSON')
    .action(showIt);
}

async function showIt(tradeNo: string, { json, ...where }: ShowOptions): Promise<void> {
  const story = await onSetup(where, (setup) => readStory(setup, tradeNo));
  process.stdout.write(`${json === true ? JSON.stringify(story, null, 2) : asText(story)}\n`);
}

async function readStory({ config, database: { reader } }: Setup, tradeNo: string) {
  const payout = await readPayout(reader, tradeNo);
  if (payout === null) throw new CommandError(`there is no payout ${tradeNo}`);
  const place = placeOf(config, payout);
  const native = nativeCurrency(place.chain);
  const approvals = await readApprovals(reader, tradeNo);
  const events = await listEvents(reader, { tradeNo, limit: MOST_EVENTS });
  const { end } = payout;
  const [sending] = await readOutgoingOf(reader, ['payout'], [tradeNo]);
  return {
    ...payoutJson(payout, place),
    quoted_network_fee: `${formatAmount(payout.networkFee, native)} ${native.symbol}`,
    approvals: approvals.map(({ approver, feeCap, expiry, approvedAtMs }) => ({
      approver,
      max_network_fee: `${formatDecimal(feeCap, native.decimals)} ${native.symbol}`,
      expiry,
      approved_time: Math.floor(approvedAtMs / 1000),
    })),
    transaction: sending === undefined ? null : transactionJson(sending, native),
    end: end && { time: end.time, txid: end.txId, by: end.by, why: end.reason },
    webhooks: events.map(({ eventId, status, state, attempts }) => ({
      event_id: eventId,
      status,
      state,
      attempts,
    })),
  };
}

function asText(story: Awaited<ReturnType<typeof readStory>>): string {
  const { end } = story;
  const terms = columns([
    ['Payout', story.trade_no],
    ['App', story.app_id],
    ['Status', story.waits_for === null ? story.status : `${story.status}, waits for ${story.waits_for}`],
    ['Amount', `${story.amount} ${story.currency}`],
    ['Recipient gets', story.actual_receipt],
    ['To', story.to_address],
    ['Costs', `${story.service_charge} service charge, ${story.gas} gas (${story.quoted_network_fee})`],
    ['Bound', story.reserved],
    ['Worth', story.value_usd === null ? '(unknown)' : `${story.value_usd} USD`],
  ]);
  const happened = [
    [timeText(story.created_time), 'created'],
    ...story.approvals.map(({ approver, approved_time, expiry, max_network_fee }) => [
      timeText(approved_time),
      `approved by ${approver} until ${timeText(expiry)}, for a network fee of at most ${max_network_fee}`,
    ]),
    ...sendingRows(story.transaction),
    ...(end === null ? [] : [[timeText(end.time), endText(story.status, end)]]),
    ...story.webhooks.map(({ event_id, status, state, attempts }) => [
      '',
      `webhook ${status}: ${state} after ${attempts} attempts (${event_id})`,
    ]),
  ];
  return [...terms, '', ...columns(happened)].join('\n');
}

function transactionJson({ state, trouble, createdAtMs, variants }: OutgoingStory, native: Currency) {
  return {
    state,
    trouble,
    asked_time: seconds(createdAtMs),
    variants: variants.map(
      ({ intent, preparedAtMs, txId, signedAtMs, logSequence, sends, lastAnswer, block }) => ({
        intent,
        prepared_time: seconds(preparedAtMs),
        txid: txId,
        signed_time: signedAtMs === null ? null : seconds(signedAtMs),
        signer_log_entry: logSequence,
        sends,
        last_answer: lastAnswer,
        block: blockJson(block, native),
      }),
    ),
  };
}

function blockJson(block: VariantStory['block'], native: Currency) {
  if (block === null) return null;
  const { number, time, status, isFinal, fee } = block;
  return { number, time, status, final: isFinal, fee: `${formatAmount(fee, native)} ${native.symbol}` };
}

/** The steps of the transaction (asked for, signed, sent, included), each with its time. */
function sendingRows(transaction: ReturnType<typeof transactionJson> | null): readonly (readonly string[])[] {
  if (transaction === null) return [];
  const { asked_time, state, trouble, variants } = transaction;
  const stuck = trouble === null ? '' : `: ${harmless(trouble)}`;
  return [
    [timeText(asked_time), `its transfer was asked for; now ${state}${stuck}`],
    ...variants.flatMap(variantRows),
  ];
}

function variantRows(
  one: ReturnType<typeof transactionJson>['variants'][number],
): readonly (readonly string[])[] {
  const { txid, signed_time, block } = one;
  const rows = [[timeText(one.prepared_time), `intent: ${one.intent}`]];
  if (txid !== null && signed_time !== null) {
    const answer = one.last_answer ? `, last answer: ${harmless(one.last_answer)}` : '';
    const log = `entry ${one.signer_log_entry ?? '?'} of the signer's log`;
    rows.push([timeText(signed_time), `signed as ${txid}, ${log}; sent ${one.sends} times${answer}`]);
  }
  if (block !== null) {
    const final = block.final ? ', final' : '';
    rows.push([timeText(block.time), `in block ${block.number}: ${block.status}${final}, fee ${block.fee}`]);
  }
  return rows;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

interface End {
  readonly txid: string | null;
  readonly by: string | null;
  readonly why: string | null;
}

function endText(status: string, { txid, by, why }: End): string {
  return status === 'CANCEL'
    ? `cancelled by ${harmless(by ?? '')}: ${harmless(why ?? '')}`
    : `${status} by ${txid ?? ''}`;
}
