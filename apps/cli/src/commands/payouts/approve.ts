// ducat payouts approve: a second person's signature for one payout, to its address and in its amount.
import { sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { nativeCurrency } from '@ducat/core/chain/chain';
import { formatDecimal, parseDecimal } from '@ducat/core/money/decimal';
import { approvedPayout } from '@ducat/core/signing/approved-payout';
import { approvalBytes, type ApprovedPayout } from '@ducat/core/signing/approval-bytes';
import { APPROVER_NAME } from '@ducat/core/signing/subject-record';
import { type PayoutRecord, readPayout } from '@ducat/gateway/db/tables/payouts/payouts';
import { approvePayout } from '@ducat/gateway/flows/payouts/approve-payout';
import { CommandError } from '../../command-error.ts';
import { parseDuration } from '../../duration.ts';
import type { Setup } from '../../setup.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { checkSignature, readApproverKey } from './approver-key.ts';
import { payoutJson, type Place, placeOf, timeText } from './payout-text.ts';
import { refusedStep } from './refused-step.ts';

interface ApproveOptions extends ConfigOptions {
  readonly by: string;
  readonly key?: string;
  readonly passphraseFile?: string;
  readonly bytes?: string;
  readonly signature?: string;
  readonly valid: number;
  readonly until?: number;
  readonly maxFee?: string;
  readonly json?: true;
}

const DAY_S = 86_400;

/** The command, to be added to `ducat payouts`. */
export function approveCommand(): Command {
  return withConfigOptions(new Command('approve'))
    .description(
      'approve a payout as a second person, by an Ed25519 key that the signer knows: with --key here, or with --bytes and --signature on another machine',
    )
    .argument('<trade_no>', 'the payout')
    .requiredOption('--by <approver>', "the approver's name in the configuration of the signer", approver)
    .option('--key <file>', 'the private key, PEM (PKCS#8), best encrypted')
    .option('--passphrase-file <file>', 'the passphrase of the key')
    .option('--bytes <file>', 'only write what has to be signed to this file, and show what it says')
    .option(
      '--signature <hex>',
      'the signature made elsewhere; needs the --until and --max-fee that were shown',
      signature,
    )
    .option('--valid <time>', 'how long the approval holds', parseDuration, DAY_S)
    .option('--until <unix>', 'Unix time at which it ends, instead of --valid', unixTime)
    .option(
      '--max-fee <amount>',
      'the most that the network may take, in its coin; what the payout may cost unless given, and never more',
    )
    .option('--json', 'the result as JSON')
    .action(approveIt);
}

async function approveIt(tradeNo: string, options: ApproveOptions): Promise<void> {
  const { key, bytes, signature: made, until, maxFee } = options;
  if ([key, bytes, made].filter((one) => one !== undefined).length !== 1) {
    throw new CommandError('give one of --key, --bytes and --signature');
  }
  if (made !== undefined && (until === undefined || maxFee === undefined)) {
    throw new CommandError('--signature needs the --until and --max-fee that were signed');
  }
  const privateKey = key === undefined ? null : readApproverKey(key, options.passphraseFile);
  const shown = await onSetup(options, async (setup) => {
    const payout = await readPayout(setup.database.reader, tradeNo);
    if (payout === null) throw refusedStep(tradeNo, 'unknown');
    const place = placeOf(setup.config, payout);
    const approved = whatIsApproved(payout, place, options, setup.world.nowMs());
    const text = approvalBytes(approved);
    if (bytes !== undefined) writeFileSync(bytes, text);
    const hex = privateKey === null ? made : sign(null, text, privateKey).toString('hex');
    if (hex !== undefined) await record(setup, approved, hex);
    return approvalJson(payout, place, approved);
  });
  process.stdout.write(`${options.json === true ? JSON.stringify(shown) : asText(shown, options)}\n`);
}

function whatIsApproved(
  payout: PayoutRecord,
  place: Place,
  { by, valid, until, maxFee }: ApproveOptions,
  nowMs: number,
): ApprovedPayout {
  const native = nativeCurrency(place.chain);
  const feeCap = maxFee === undefined ? null : parseDecimal(maxFee, native.decimals);
  if (feeCap === 0n || (feeCap === null && maxFee !== undefined)) {
    throw new CommandError(`give --max-fee as an amount of ${native.symbol} above zero, such as 0.01`);
  }
  const expiry = until ?? Math.floor(nowMs / 1000) + valid;
  return approvedPayout(payout, place, { approver: by, expiry, feeCap });
}

async function record(
  { config, database, world }: Setup,
  approved: ApprovedPayout,
  hex: string,
): Promise<void> {
  const { payoutId, approver: by, feeCap, expiry } = approved;
  const nowMs = world.nowMs();
  checkSignature(config, by, { bytes: approvalBytes(approved), signature: hex });
  const approval = { approver: by, feeCap, expiry, signature: hex, approvedAtMs: nowMs };
  const outcome = await database.transact((tx) => approvePayout(tx, payoutId, approval));
  if (outcome !== 'moved') throw refusedStep(payoutId, outcome);
}

function approvalJson(payout: PayoutRecord, place: Place, { approver: by, feeCap, expiry }: ApprovedPayout) {
  const { trade_no, currency, actual_receipt, to_address } = payoutJson(payout, place);
  const native = nativeCurrency(place.chain);
  const maxFee = formatDecimal(feeCap, native.decimals);
  return { trade_no, currency, actual_receipt, to_address, max_fee: maxFee, until: expiry, approver: by };
}

function asText(shown: ReturnType<typeof approvalJson>, { bytes }: ApproveOptions): string {
  const rows = columns([
    ['Payout', shown.trade_no],
    ['Recipient gets', `${shown.actual_receipt} ${shown.currency}`],
    ['To', shown.to_address],
    ['Network fee', `at most ${shown.max_fee}`],
    ['Until', `${timeText(shown.until)} (${shown.until})`],
    ['Approver', shown.approver],
  ]);
  const done =
    bytes === undefined
      ? 'Approved. The signer checks it before it signs.'
      : `Sign ${bytes}, then give --signature with --until ${shown.until} --max-fee ${shown.max_fee}`;
  return [...rows, '', done].join('\n');
}

function approver(text: string): string {
  if (APPROVER_NAME.test(text)) return text;
  throw new InvalidArgumentError('a name of lower-case letters, digits and hyphens, at most 32');
}

function signature(text: string): string {
  const hex = text.toLowerCase();
  if (/^[0-9a-f]{128}$/.test(hex)) return hex;
  throw new InvalidArgumentError('128 hexadecimal digits');
}

function unixTime(text: string): number {
  if (/^\d{10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a Unix time in seconds, ten digits');
}
