// ducat wallets cold: sends money of a wallet to cold storage, to an address that configuration and signer both list.
import { sign } from 'node:crypto';
import { Command } from 'commander';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { type Amount, compare, isPositive, unitsOf, zero } from '@ducat/core/money/amount';
import { formatAmount, parseAmount } from '@ducat/core/money/decimal';
import { feeCapOf } from '@ducat/core/payout/open-payout';
import { approvalBytes } from '@ducat/core/signing/approval-bytes';
import { approvedPayout } from '@ducat/core/signing/approved-payout';
import type { PayoutApproval } from '@ducat/core/signing/transfer-intent';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { openChainWriter } from '@ducat/gateway/compose/open-chain';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';
import { readWalletsReport } from '@ducat/gateway/db/reports/wallets-report';
import { askColdTransfer } from '@ducat/gateway/flows/collections/ask-cold-transfer';
import { cancelOutgoing } from '@ducat/gateway/flows/outgoing/cancel-outgoing';
import { newColdTransferId, newOutgoingId } from '@ducat/gateway/runtime/ids';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { readApproverKey } from '../payouts/approver-key.ts';

interface ColdOptions extends ConfigOptions {
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly why: string;
  readonly approver?: string;
  readonly key?: string;
  readonly passphraseFile?: string;
}

/** The value of `--from` for the wallet of the gateway itself. */
const GAS = 'gas';

/** The approval is made together with the transfer, and holds for as long as the transfer may wait. */
const APPROVAL_S = 7 * 86_400;

/** The commands, to be added to `ducat wallets`. */
export function coldCommands(): readonly [send: Command, cancel: Command] {
  const send = withConfigOptions(new Command('cold'))
    .description('send money of a wallet to cold storage; it is owed to the same apps as before')
    .argument('<chain>', 'such as ETH')
    .argument('<currency-id>', 'such as 1001')
    .argument('<amount>', 'such as 2500')
    .requiredOption('--from <wallet>', `the app whose wallet it leaves, or "${GAS}" for the gas wallet`)
    .requiredOption('--to <address>', "an address of the chain's `cold` in the configuration")
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why; kept for ever')
    .option('--approver <name>', 'a second person, for amounts above `approvalAbove` of the signer')
    .option('--key <file>', "the approver's private key, PEM (PKCS#8), best encrypted")
    .option('--passphrase-file <file>', 'the passphrase of the key')
    .action(sendIt);
  const cancel = withConfigOptions(new Command('cancel-cold'))
    .description('take a transfer to cold storage back that was not prepared yet')
    .argument('<id>', 'the number that `ducat wallets cold` gave')
    .action(cancelIt);
  return [send, cancel];
}

async function sendIt(chain: string, currencyId: string, typed: string, options: ColdOptions): Promise<void> {
  const { by, why, approver, key } = options;
  if (by.trim() === '' || why.trim() === '') throw new CommandError('--by and --why must not be empty');
  if ((approver === undefined) !== (key === undefined))
    throw new CommandError('give --approver and --key together');
  const id = await onSetup(options, (setup) => askFor(setup, { chain, currencyId, typed, options }));
  process.stdout.write(`${id} is on its way to cold storage: ducat reconcile shows it.\n`);
}

interface Asked {
  readonly chain: string;
  readonly currencyId: string;
  readonly typed: string;
  readonly options: ColdOptions;
}

async function askFor(setup: Setup, { chain, currencyId, typed, options }: Asked): Promise<string> {
  const { config, database, world } = setup;
  const configured = config.chains.find(({ definition }) => definition.name === chain);
  if (configured === undefined) throw new CommandError(`the configuration has no chain ${chain} that is on`);
  const { definition } = configured;
  const currency = definition.currencies.find((one) => String(one.currencyId) === currencyId);
  if (currency === undefined) throw new CommandError(`${chain} has no currency ${currencyId}`);
  const amount = parseAmount(typed, currency);
  if (amount === null || !isPositive(amount))
    throw new CommandError(`${typed} is no amount of ${currency.symbol}`);
  const to = listedAddress(configured, options.to);
  const from = await walletWith(setup, definition, { owner: options.from, currency, amount });
  const estimate = await openChainWriter(configured, { world }).estimate({ from, to, currency, amount });
  if (estimate.outcome === 'impossible')
    throw new CommandError(`the chain would not do it: ${estimate.text}`);
  const coldTransferId = newColdTransferId(world);
  const feeCap = feeCapOf((estimate.unaided ?? estimate).most, definition.family);
  const transfer = { tradeNo: coldTransferId, toAddress: to, receipt: amount, feeCap };
  const approval = approvalOf(transfer, { chain: definition, currency }, options, world.nowMs());
  const input = {
    coldTransferId,
    outgoingId: newOutgoingId(world),
    chain: definition,
    from,
    to,
    amount,
    feeCap,
    approval,
    by: options.by,
    reason: options.why,
    nowMs: world.nowMs(),
  };
  const asked = await database.transact((tx) => askColdTransfer(tx, input));
  if (asked === 'ours')
    throw new CommandError(`${options.to} is an address of this gateway, so it is not cold`);
  if (asked === 'not-listed')
    throw new CommandError(`the gateway has not started with ${options.to} in its configuration: restart it`);
  if (asked === 'under-way')
    throw new CommandError(`another transfer to cold storage from ${from} is under way: wait for its end`);
  if (asked !== 'asked') throw new CommandError(`there is no wallet ${from}`);
  return coldTransferId;
}

function listedAddress({ definition, cold }: ConfiguredChain, text: string): string {
  const address = addressSchemes[definition.family].canonical(text);
  if (address !== null && cold.includes(address)) return address;
  throw new CommandError(`${text} is not in chains.${definition.name}.cold of the configuration`);
}

/** The wallet to send from. Throws a CommandError where its balance in the books is too low. */
async function walletWith(
  { database: { reader } }: Setup,
  { name: chain, family }: ChainDefinition,
  {
    owner,
    currency,
    amount,
  }: { readonly owner: string; readonly currency: Currency; readonly amount: Amount },
): Promise<string> {
  const { wallets } = await readWalletsReport(reader, { chain, family });
  const appId = owner === GAS ? null : owner;
  const [wallet] = wallets.filter((one) => one.appId === appId);
  if (wallet === undefined) throw new CommandError(`${owner} has no wallet on ${chain}`);
  const { currencyId } = currency;
  const held =
    wallets.find((one) => one.appId === appId && one.held?.currencyId === currencyId)?.held ??
    zero(currencyId);
  if (compare(held, amount) >= 0) return wallet.address;
  throw new CommandError(`the wallet of ${owner} has ${formatAmount(held, currency)} ${currency.symbol}`);
}

/**
 * The approval of the second person who was named. Null where none was named; the signer then decides whether one is
 * needed.
 */
function approvalOf(
  transfer: Parameters<typeof approvedPayout>[0],
  place: Parameters<typeof approvedPayout>[1],
  { approver, key, passphraseFile }: ColdOptions,
  nowMs: number,
): PayoutApproval | null {
  if (approver === undefined || key === undefined) return null;
  const expiry = Math.floor(nowMs / 1000) + APPROVAL_S;
  const terms = { approver, expiry, feeCap: unitsOf(transfer.feeCap) };
  const approved = { ...approvedPayout(transfer, place, terms), kind: 'cold' } as const;
  const signature = sign(null, approvalBytes(approved), readApproverKey(key, passphraseFile)).toString('hex');
  return { approver, feeCap: approved.feeCap, expiry, signature };
}

async function cancelIt(id: string, options: ConfigOptions): Promise<void> {
  const cancelled = await onSetup(options, ({ database, world }) =>
    database.transact((tx) => cancelOutgoing(tx, { kind: 'cold', id }, world.nowMs())),
  );
  if (!cancelled) throw new CommandError(`${id} is not there, or it is too late to take it back`);
  process.stdout.write(`${id} is taken back: nothing of it was signed.\n`);
}
