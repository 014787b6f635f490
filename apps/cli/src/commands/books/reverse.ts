// ducat deposits reverse and reinstate: a receipt that a deep fork took away leaves the books, and comes back.
import { Command } from 'commander';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Posting } from '@ducat/core/ledger/entry';
import type { GoneProof } from '@ducat/core/ledger/reversal';
import { formatAmount } from '@ducat/core/money/decimal';
import type { Tx } from '@ducat/gateway/db/postgres/tx';
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { openChain } from '@ducat/gateway/compose/open-chain';
import type { TransferIdentity } from '@ducat/gateway/db/tables/transfers/receipts';
import {
  type ReinstatedReceipt,
  reinstateReceipt,
  type ReversedReceipt,
  reverseReceipt,
} from '@ducat/gateway/flows/reversals/reverse-receipt';
import { proveGone } from '@ducat/gateway/roles/watcher/fork/prove-gone';
import { readFinal } from '@ducat/gateway/roles/watcher/fork/read-final';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns } from '../../terminal.ts';
import { blockNumber } from '../block-number.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { findChain } from '../find-chain.ts';
import { receiptIdentity } from './receipt-identity.ts';

interface DecisionOptions extends ConfigOptions {
  readonly apply?: true;
  readonly by?: string;
  readonly why?: string;
}

interface ReinstateOptions extends DecisionOptions {
  readonly inBlock: number;
}

/** The most blocks that are searched for a transaction: each asks a quorum. */
const MOST_BLOCKS = 20_000;

/** The command, to be added to `deposits`. */
export function reverseCommand(): Command {
  return decided(new Command('reverse'))
    .description(
      'take a receipt out of the books that is not on the chain after a deep fork (docs/operate/halted-chain.md)',
    )
    .action(reverseIt);
}

/** The command, to be added to `deposits`. */
export function reinstateCommand(): Command {
  return decided(new Command('reinstate'))
    .description('put a reversed receipt back into the books, because a block holds it again')
    .requiredOption(
      '--in-block <block>',
      'the block that holds it, which chain rewind --past skipped',
      blockNumber,
    )
    .action(reinstateIt);
}

function decided(command: Command): Command {
  return withConfigOptions(command)
    .argument('<receipt>', 'the receipt: chain/transaction/position')
    .option('--apply', 'do it; without this only what would be booked is shown')
    .option('--by <who>', 'who decided it; kept in the audit log')
    .option('--why <text>', 'why, such as a ticket; kept in the audit log');
}

async function reverseIt(typed: string, options: DecisionOptions): Promise<void> {
  const receipt = receiptIdentity(typed);
  const lines = await onSetup(options, async (setup) => {
    const { definition } = findChain(setup.config, receipt.chain);
    const proof = await prove(setup, typed, receipt);
    const { at, from, to } = proof;
    const input = { chain: definition, receipt, proof, ...decisionOf(options), nowMs: setup.world.nowMs() };
    const reversed = await lookOrApply(setup.database, options, (tx) => reverseReceipt(tx, input));
    if (reversed.outcome !== 'reversed') throw new CommandError(reversalRefusals[reversed.outcome](typed));
    return [
      `Block ${at.number} is ${at.hash} now. No block from ${from} to ${to} holds ${receipt.txId} as succeeded.`,
      ...postingLines(reversed.postings, definition, options),
      lastLine(options, 'The status of its order stays: tell the merchant.'),
    ];
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Takes a while where the books skipped many blocks, because a quorum is asked for each. */
async function prove(
  { config, database, world }: Setup,
  typed: string,
  receipt: TransferIdentity,
): Promise<GoneProof> {
  const { definition, nodes } = findChain(config, receipt.chain);
  const chain = openChain({ definition, nodes }, { world });
  const proven = await proveGone(chain, database.reader, receipt, MOST_BLOCKS);
  switch (proven.outcome) {
    case 'gone':
      return proven.proof;
    case 'unknown-receipt':
      throw new CommandError(reversalRefusals['unknown-receipt'](typed));
    case 'on-chain':
      throw new CommandError(`a quorum has block ${proven.number} as the books do: ${typed} is on the chain`);
    case 'held':
      throw new CommandError(`block ${proven.number} holds ${receipt.txId}: it is on the chain`);
    case 'no-transaction':
      throw new CommandError(`${typed} was found by a balance alone: there is no transaction to search for`);
    case 'not-read':
      throw new CommandError(`currency ${proven.currencyId} is not configured; add it first`);
    case 'not-skipped':
      throw new CommandError(
        `the books did not skip block ${proven.number}; lead them past the fork first: ducat chain rewind ${receipt.chain}`,
      );
    case 'not-final':
      throw new CommandError(`no quorum calls a block ${proven.number} of ${receipt.chain} final`);
    case 'too-many':
      throw new CommandError(`${MOST_BLOCKS} blocks of ${receipt.chain} were not enough`);
  }
}

async function reinstateIt(typed: string, options: ReinstateOptions): Promise<void> {
  const receipt = receiptIdentity(typed);
  const { inBlock: number } = options;
  const lines = await onSetup(options, async ({ config, database, world }) => {
    const { definition, nodes } = findChain(config, receipt.chain);
    const chain = openChain({ definition, nodes }, { world });
    const block = await readFinal(chain, number, new Set([receipt.txId]));
    if (block === null) throw new CommandError(`no quorum calls a block ${number} of ${receipt.chain} final`);
    const shown = block.transfers.find(({ position }) => position === receipt.position);
    if (shown === undefined) throw new CommandError(`block ${number} does not hold ${typed}`);
    const writing = { ...createEventWriting(config, world), nowMs: world.nowMs() };
    const input = { receipt, shown, ...decisionOf(options), ...writing };
    const reinstated = await lookOrApply(database, options, (tx) => reinstateReceipt(tx, input));
    if (reinstated.outcome !== 'reinstated')
      throw new CommandError(reinstatementRefusals[reinstated.outcome](typed, number));
    const { postings, isPaidNow } = reinstated;
    const ofOrder = isPaidNow
      ? 'Its order is PAID now, and the merchant gets the event.'
      : 'The status of its order stays: tell the merchant.';
    return [...postingLines(postings, definition, options), lastLine(options, ofOrder)];
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Ends a transaction without writing. */
class RolledBack extends Error {}

/** Without --apply the flow runs too and is rolled back, so a look shows exactly what would be booked. */
async function lookOrApply<T>(
  { transact }: Setup['database'],
  { apply }: DecisionOptions,
  flow: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (apply === true) return transact(flow);
  const results: T[] = [];
  try {
    await transact(async (tx) => {
      results.push(await flow(tx));
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  // The last one: a transaction that meets a deadlock runs again.
  const result = results.at(-1);
  if (result === undefined) throw new Error('a flow that ended has a result');
  return result;
}

function decisionOf({ apply, by = '', why = '' }: DecisionOptions) {
  if (apply === true && (by.trim() === '' || why.trim() === ''))
    throw new CommandError('give --by and --why');
  return { by, reason: why };
}

function postingLines(
  postings: readonly Posting[],
  { currencies }: ChainDefinition,
  { apply }: DecisionOptions,
): readonly string[] {
  const rows = postings.map(({ account: { kind, owner }, amount }) => {
    const currency = currencies.find(({ currencyId }) => currencyId === amount.currencyId);
    if (currency === undefined) throw new CommandError(`${amount.currencyId} is not configured`);
    return [kind, owner, `${formatAmount(amount, currency)} ${currency.symbol}`];
  });
  return [
    apply === true ? 'Booked:' : 'Would be booked:',
    ...columns(rows.length === 0 ? [['nothing', 'both addresses are in one account']] : rows, '  '),
  ];
}

function lastLine({ apply }: DecisionOptions, ofOrder: string): string {
  return apply === true ? ofOrder : 'Nothing was changed. --apply does it.';
}

const reversalRefusals: Readonly<
  Record<Exclude<ReversedReceipt['outcome'], 'reversed'>, (receipt: string) => string>
> = {
  'unknown-receipt': (receipt) =>
    `the books hold no final transfer ${receipt} to an address of the gateway; a payout that is gone is sent again`,
  'reversed-before': (receipt) => `${receipt} was reversed before`,
  'from-cold-storage': (receipt) => `${receipt} came back from cold storage; such a transfer is not reversed`,
  'sent-back': (receipt) =>
    `${receipt} or its order was refunded, and less is left than would be taken back; settle with the merchant outside Ducat`,
  'not-proven': (receipt) =>
    `the chain moved while it was looked at; look at ${receipt} again, or pause the chain first: ducat chain pause`,
};

const reinstatementRefusals: Readonly<
  Record<Exclude<ReinstatedReceipt['outcome'], 'reinstated'>, (receipt: string, number: number) => string>
> = {
  'unknown-receipt': (receipt) => `the books hold no final transfer ${receipt} to an address of the gateway`,
  'not-reversed': (receipt) => `${receipt} counts: it was not reversed, or was reinstated`,
  differs: (receipt, number) => `block ${number} holds another transfer at the place of ${receipt}`,
  'not-skipped': (_, number) =>
    `the books did not skip block ${number}: ducat chain rewind --past ${number} comes first`,
  'found-by-balance': (receipt) =>
    `the money of ${receipt} was found by a balance and booked as an unassigned receipt; assign that one: ducat deposits unassigned`,
};
