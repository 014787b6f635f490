// ducat payouts end: ends a payout that the gateway cannot end by itself, with a proof that is kept in the books.
import { sign } from 'node:crypto';
import { Command } from 'commander';
import { transferReference } from '@ducat/core/ledger/recipes';
import { endingBytes } from '@ducat/core/signing/approval-bytes';
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { readFittingOutflow } from '@ducat/gateway/db/tables/payouts/payout-endings';
import { endByHand } from '@ducat/gateway/flows/payouts/end-by-hand';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { blockNumber } from '../block-number.ts';
import { receiptIdentity } from '../books/receipt-identity.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { type EndedInBlock, endInBlock } from '../senders/end-in-block.ts';
import { endInNoBlock } from '../senders/end-in-no-block.ts';
import { readTransaction } from '../senders/read-transaction.ts';
import { checkSignature, readApproverKey } from './approver-key.ts';
import { refusedStep } from './refused-step.ts';

interface EndOptions extends ConfigOptions {
  readonly paidBy?: string;
  readonly paid?: true;
  readonly inBlock?: number;
  readonly inNoBlock?: true;
  readonly by: string;
  readonly why: string;
  readonly approver?: string;
  readonly key?: string;
  readonly passphraseFile?: string;
  readonly json?: true;
}

/** The command, to be added to `ducat payouts`. */
export function endCommand(): Command {
  return withConfigOptions(new Command('end'))
    .description(
      'end a payout with proof: FAIL where its transaction failed for good, PAID by a transfer that left; or by a word about a transaction that was not what was promised',
    )
    .argument('<trade_no>', 'the payout')
    .option('--paid-by <transfer>', 'the transfer that paid it: chain/transaction/position')
    .option('--paid', 'its own transaction paid it, though no block was read for its currency')
    .option(
      '--in-block <number>',
      'its transaction stands in this block, which chain rewind skipped',
      blockNumber,
    )
    .option('--in-no-block', 'no block holds its transactions, on Tron: all that were skipped are searched')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--approver <name>', 'the second person who agrees, where the payout needed one; with --key')
    .option('--key <file>', "the approver's private key, PEM (PKCS#8)")
    .option('--passphrase-file <file>', 'the passphrase of the key')
    .option('--json', 'the result as JSON')
    .action(endIt);
}

async function endIt(tradeNo: string, options: EndOptions): Promise<void> {
  const {
    paidBy,
    paid,
    inBlock,
    inNoBlock,
    by,
    why: reason,
    approver,
    key,
    passphraseFile,
    ...others
  } = options;
  const { json, ...where } = others;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  if ([paid, paidBy, inBlock, inNoBlock].filter((one) => one !== undefined).length > 1)
    throw new CommandError('give one of --paid-by, --paid, --in-block and --in-no-block');
  if ((approver === undefined) !== (key === undefined))
    throw new CommandError('give --approver and --key together');
  const privateKey = key === undefined ? null : readApproverKey(key, passphraseFile);
  const agree = (config: Setup['config'], status: 'PAID' | 'FAIL'): void => {
    if (approver === undefined || privateKey === null) return;
    const bytes = endingBytes({ payoutId: tradeNo, status, approver });
    checkSignature(config, approver, { bytes, signature: sign(null, bytes, privateKey).toString('hex') });
  };
  const approvedBy = approver ?? null;
  if (inNoBlock !== undefined) {
    await onSetup(where, (setup) => endInNoBlock(setup, { id: tradeNo, isPayout: true, by, reason }));
    return print(tradeNo, 'FAIL', json);
  }
  if (inBlock !== undefined) {
    const found = { id: tradeNo, number: inBlock, by, reason, approvedBy };
    const statusOf = ({ verdict }: EndedInBlock) => (verdict === 'succeeded' ? 'PAID' : 'FAIL');
    const ended = await onSetup(where, (setup) =>
      endInBlock(setup, found, (shown) => agree(setup.config, statusOf(shown))),
    );
    return print(tradeNo, statusOf(ended), json);
  }
  const status = paid === true || paidBy !== undefined ? 'PAID' : 'FAIL';
  const outcome = await onSetup(where, async (setup) => {
    const { config, database, world } = setup;
    const found = paidBy === undefined ? null : receiptIdentity(paidBy);
    const shown = found === null ? null : await readTransaction(setup, found);
    if (found !== null && shown === null) return 'no-such-outflow';
    const transfer = found === null || shown === null ? null : { ...found, ...shown };
    const writing = { ...createEventWriting(config, world), nowMs: world.nowMs() };
    const word = { tradeNo, status, paidBy: transfer, by, reason, approvedBy } as const;
    agree(config, status);
    const ended = await database.transact((tx) => endByHand(tx, { ...word, ...writing }));
    if (ended !== 'outflow-fits') return ended;
    const fitting = await readFittingOutflow(database.reader, tradeNo);
    throw new CommandError(
      `the recipient may have the money: ${fitting === null ? 'an outflow' : transferReference(fitting)} is exactly what ${tradeNo} promised, and paid no payout; where it paid this one, give it as --paid-by`,
    );
  });
  if (outcome !== 'moved') throw refusal(tradeNo, outcome, paidBy ?? '');
  print(tradeNo, status, json);
}

function print(tradeNo: string, status: 'PAID' | 'FAIL', json: true | undefined): void {
  const result = JSON.stringify({ trade_no: tradeNo, status });
  process.stdout.write(
    json === true ? `${result}\n` : `Payout ${tradeNo} is ${status}; its webhook is in the outbox.\n`,
  );
}

function refusal(
  tradeNo: string,
  outcome: Exclude<Awaited<ReturnType<typeof endByHand>>, 'moved' | 'outflow-fits'>,
  paidBy: string,
): CommandError {
  if (outcome === 'no-such-outflow')
    return new CommandError(
      `${paidBy} is no final transfer out of its app's wallet, or it paid another payout`,
    );
  if (outcome === 'not-failed')
    return new CommandError(
      `the transaction of ${tradeNo} has not failed for good; see docs/operate/outgoing.md`,
    );
  if (outcome === 'not-mismatched')
    return new CommandError(
      `the books can decide about the transaction of ${tradeNo}: no word is taken about it`,
    );
  return refusedStep(tradeNo, outcome);
}
