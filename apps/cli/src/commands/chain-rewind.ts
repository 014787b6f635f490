// ducat chain rewind: leads a halted chain past a fork below its final height, and shows first what it would do.
import { Command } from 'commander';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { transferReference } from '@ducat/core/ledger/recipes';
import { amountOf } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import { openChain } from '@ducat/gateway/compose/open-chain';
import type { BookedAbove } from '@ducat/gateway/db/tables/transfers/booked-above';
import { type RewoundChain, rewindChain } from '@ducat/gateway/flows/blocks/rewind-chain';
import {
  MOST_BOOKED,
  type PlannedRewind,
  planRewind,
  type RewindPlan,
} from '@ducat/gateway/roles/watcher/fork/plan-rewind';
import { CommandError } from '../command-error.ts';
import type { Setup } from '../setup.ts';
import { columns } from '../terminal.ts';
import { blockNumber } from './block-number.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';
import { findChain } from './find-chain.ts';

interface RewindOptions extends ConfigOptions {
  readonly past?: number;
  readonly apply?: true;
  readonly by?: string;
  readonly why?: string;
}

/** The command, to be added to `chain`. */
export function chainRewindCommand(): Command {
  return withConfigOptions(new Command('rewind'))
    .description('lead a halted chain past a fork below its final height (docs/operate/halted-chain.md)')
    .argument('<chain>', 'name of the chain, such as ETH')
    .option('--past <block>', 'go on behind this block, which repeats a booked payment', blockNumber)
    .option('--apply', 'do it; without this only what would be done is shown')
    .option('--by <who>', 'who decided it; kept in the audit log')
    .option('--why <text>', 'why, such as a ticket; kept in the audit log')
    .action(rewindIt);
}

async function rewindIt(typed: string, options: RewindOptions): Promise<void> {
  const { by = '', why = '', apply, past } = options;
  if (apply === true && (by.trim() === '' || why.trim() === ''))
    throw new CommandError('give --by and --why');
  const lines = await onSetup(options, async (setup) => {
    const { definition, nodes } = findChain(setup.config, typed);
    const chain = openChain({ definition, nodes }, { world: setup.world });
    const { reader } = setup.database;
    const plan = planOf(await planRewind({ chain, reader, chosen: past ?? null }), definition.name);
    if (apply !== true) return [...planText(plan, definition), 'Nothing was changed. --apply does it.'];
    return [...planText(plan, definition), await applyIt(setup, definition.name, plan, { by, why })];
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function applyIt(
  { database, world }: Setup,
  name: string,
  { head, target, ancestor }: RewindPlan,
  { by, why: reason }: { readonly by: string; readonly why: string },
): Promise<string> {
  const rewind = { chain: name, tipHash: head.hash, target, ancestor, by, reason, nowMs: world.nowMs() };
  const rewound = await database.transact((tx) => rewindChain(tx, rewind));
  if (rewound.outcome !== 'rewound') throw new CommandError(refusals[rewound.outcome](name));
  const { orphaned, unread } = rewound;
  const open = unread === 0 ? '' : ` ${unread} signed transactions may stand in blocks that are not read.`;
  return `Done; ${orphaned} transfers that were only seen are orphaned.${open} ${name} is still stopped: ducat chain resume ${name}`;
}

const refusals: Readonly<Record<Exclude<RewoundChain['outcome'], 'rewound'>, (name: string) => string>> = {
  runs: (name) => `${name} runs; stop it first: ducat chain pause ${name}`,
  changed: (name) => `${name} moved on since it was looked at; look again`,
  'booked-behind': () => 'something was booked behind that block since it was looked at; look again',
  unsettled: (name) =>
    `up to that block something was seen that is not final: let it become final first (ducat chain resume ${name}), or rewind without --past`,
};

function planOf(planned: PlannedRewind, name: string): RewindPlan {
  switch (planned.outcome) {
    case 'planned':
      return planned.plan;
    case 'nothing-final':
      throw new CommandError(`nothing of ${name} is final in the books yet`);
    case 'no-fork':
      throw new CommandError(
        `a quorum has our block at the final height ${planned.finalNumber}: there is no fork below it, resume is enough`,
      );
    case 'not-yet':
      throw new CommandError(
        `a quorum has to call block ${planned.needed} final first; the highest is ${planned.final ?? 'none'}`,
      );
  }
}

function planText(plan: RewindPlan, definition: ChainDefinition): readonly string[] {
  const { head, finalNumber, ancestor, booked, target, isSkipping } = plan;
  const rows = booked.map((one) => [
    one.block.toString(),
    one.disposition,
    amountText(one, definition),
    one.appId ?? '',
    one.tradeNo ?? '',
    one.position === null
      ? one.txId
      : transferReference({ chain: definition.name, ...one, position: one.position }),
  ]);
  return [
    ...columns([
      ['Newest block of the books', `${head.number} ${head.hash}`],
      ['Final up to', `${finalNumber}`],
      ['Last common block', ancestor === null ? 'none in the window' : `${ancestor.number} ${ancestor.hash}`],
      ['To go on from', `${target.number} ${target.hash}`],
    ]),
    ...(booked.length === 0
      ? ['Nothing was booked behind the last common block.']
      : [
          `Booked behind the last common block${booked.length === MOST_BOOKED ? `, the first ${MOST_BOOKED}` : ''}; it stays booked until ducat deposits reverse proves that it is gone:`,
          ...columns(rows, '  '),
          'A network-fee is a final transaction of ours: where it is gone, its payout has not happened.',
        ]),
    isSkipping
      ? 'What the new branch holds up to the block to go on from is not read. Signed transactions that are open may stand there, and are never built anew or failed.'
      : 'All behind the block to go on from is read again, and nothing is missed.',
  ];
}

function amountText({ currencyId, units }: BookedAbove, { currencies }: ChainDefinition): string {
  const currency = currencies.find((one) => one.currencyId === currencyId);
  if (currency === undefined) return `${units} of ${currencyId}`;
  return `${formatAmount(amountOf(currencyId, BigInt(units)), currency)} ${currency.symbol}`;
}
