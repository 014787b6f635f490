// ducat qr: lists static QR codes and their payments, and switches a code off and on.
import { Command, InvalidArgumentError } from 'commander';
import type { Currency } from '@ducat/core/chain/currency';
import { isZero } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { listQrCodes, type ListedQrCode } from '@ducat/gateway/db/tables/qr/qr-codes';
import { listQrTransfers, type ListedQrTransfer } from '@ducat/gateway/db/tables/qr/qr-payments';
import { switchQrCode } from '@ducat/gateway/flows/qr/switch-qr-code';
import { unixTime } from '@ducat/gateway/runtime/world';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface ListOptions extends ConfigOptions {
  readonly app?: string;
  readonly limit: number;
  readonly json?: true;
}

const MAX_LISTED = 1_000;

/** The commands, to be added to the program. */
export function qrCommand(): Command {
  const list = withConfigOptions(new Command('list'))
    .description('list QR codes with what came to them, newest first')
    .option('--app <app_id>', 'only those of this app')
    .option('--limit <n>', `at most so many, up to ${MAX_LISTED}`, limit, 50)
    .option('--json', 'the result as JSON')
    .action(listThem);
  const payments = withConfigOptions(new Command('payments'))
    .description('list what came to the address of a QR code, newest first, final or not yet')
    .argument('<id>', 'the code', codeId)
    .option('--limit <n>', `at most so many, up to ${MAX_LISTED}`, limit, 50)
    .option('--json', 'the result as JSON')
    .action(listPayments);
  return new Command('qr')
    .description('static QR codes of merchants')
    .addCommand(list)
    .addCommand(payments)
    .addCommand(
      switching('disable', 'tell merchants of no further payment to it; what still comes is credited'),
    )
    .addCommand(switching('enable', 'tell merchants of its payments again'));
}

function switching(name: 'disable' | 'enable', description: string): Command {
  return withConfigOptions(new Command(name))
    .description(description)
    .argument('<id>', 'the code', codeId)
    .option('--json', 'the result as JSON')
    .action(async (id: number, { json, ...where }: ConfigOptions & { readonly json?: true }) => {
      const isDisabled = name === 'disable';
      const isThere = await onSetup(where, ({ database, world }) =>
        database.transact((tx) => switchQrCode(tx, { qrCodeId: id, isDisabled, now: unixTime(world) })),
      );
      if (!isThere) throw unknownCode(id);
      const text = `QR code ${id} is ${name}d.`;
      process.stdout.write(`${json === true ? JSON.stringify({ id, enabled: !isDisabled }) : text}\n`);
    });
}

async function listThem({ app: appId, limit: most, json, ...where }: ListOptions): Promise<void> {
  const rows = await onSetup(where, async (setup) => {
    const codes = await listQrCodes(setup.database.reader, { appId, limit: most });
    return codes.map((code) => codeRow(code, shownAs(setup, code)));
  });
  process.stdout.write(`${json === true ? JSON.stringify(rows, null, 2) : codesText(rows)}\n`);
}

async function listPayments(
  id: number,
  { limit: most, json, ...where }: Omit<ListOptions, 'app'>,
): Promise<void> {
  const rows = await onSetup(where, async (setup) => {
    const { reader } = setup.database;
    const [code] = await listQrCodes(reader, { qrCodeId: id, limit: 1 });
    if (code === undefined) throw unknownCode(id);
    const came = await listQrTransfers(reader, id, most);
    return came.map((one) =>
      paymentRow(
        one,
        shownAs(setup, { chain: one.transfer.chain, currencyId: one.transfer.amount.currencyId }),
      ),
    );
  });
  process.stdout.write(`${json === true ? JSON.stringify(rows, null, 2) : paymentsText(rows)}\n`);
}

interface Shown {
  readonly name: string;
  /** Null where the configuration no longer knows the currency. */
  readonly currency: Currency | null;
  readonly display: (address: string) => string;
}

/** How a currency and the addresses of its chain are shown to people. */
function shownAs(
  { config }: Setup,
  { chain, currencyId }: { readonly chain: string; readonly currencyId: number },
): Shown {
  const definitions = [...config.chains.map(({ definition }) => definition), ...config.chainsOff];
  const definition = definitions.find(({ name }) => name === chain);
  const currency = definition?.currencies.find((one) => one.currencyId === currencyId) ?? null;
  return {
    name: `${currency?.symbol ?? currencyId}@${chain}`,
    currency,
    display: (address) =>
      definition === undefined || address === ''
        ? address
        : addressSchemes[definition.family].display(address),
  };
}

function codeRow(code: ListedQrCode, { name, currency, display }: Shown) {
  const { defaultAmount, collected } = code;
  return {
    id: code.qrCodeId,
    app_id: code.appId,
    name: code.name,
    currency_id: code.currencyId,
    currency: name,
    address: display(code.address),
    amount: currency === null ? null : formatAmount(defaultAmount, currency),
    payer_chooses: isZero(defaultAmount),
    enabled: code.disabledTime === null,
    disabled_time: code.disabledTime,
    create_time: code.createTime,
    payments: code.payments,
    collected: currency === null ? null : formatAmount(collected, currency),
  };
}

function codesText(rows: readonly ReturnType<typeof codeRow>[]): string {
  if (rows.length === 0) return 'No QR codes.';
  const head = ['ID', 'APP', 'NAME', 'CURRENCY', 'ADDRESS', 'AMOUNT', 'STATE', 'PAYMENTS', 'COLLECTED'];
  const cells = rows.map((row) => [
    String(row.id),
    row.app_id,
    harmless(row.name),
    row.currency,
    row.address,
    row.payer_chooses ? '(any)' : (row.amount ?? '(unknown)'),
    row.enabled ? 'enabled' : 'disabled',
    String(row.payments),
    row.collected ?? '(unknown)',
  ]);
  return columns([head, ...cells]).join('\n');
}

function paymentRow(
  { transfer, state, disposition, tradeNo }: ListedQrTransfer,
  { name, currency, display }: Shown,
) {
  return {
    trade_no: tradeNo,
    state,
    counts_as: disposition,
    amount: currency === null ? null : formatAmount(transfer.amount, currency),
    currency: name,
    txid: transfer.txId,
    from: display(transfer.from),
    block: transfer.block.number,
    time: transfer.block.time,
  };
}

function paymentsText(rows: readonly ReturnType<typeof paymentRow>[]): string {
  if (rows.length === 0) return 'Nothing came to this QR code yet.';
  const head = ['TRADE_NO', 'COUNTS AS', 'AMOUNT', 'CURRENCY', 'TIME', 'TXID'];
  const cells = rows.map((row) => [
    row.trade_no ?? '(none)',
    row.counts_as ?? 'not final yet',
    row.amount ?? '(unknown)',
    row.currency,
    new Date(row.time * 1000).toISOString().replace('.000', ''),
    harmless(row.txid),
  ]);
  return columns([head, ...cells]).join('\n');
}

function unknownCode(id: number): CommandError {
  return new CommandError(`there is no QR code ${id}; ducat qr list shows them`);
}

function codeId(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > 2_147_483_647)
    throw new InvalidArgumentError('a QR code is named by its number');
  return Number(text);
}

function limit(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_LISTED) {
    throw new InvalidArgumentError(`from 1 to ${MAX_LISTED}`);
  }
  return count;
}
