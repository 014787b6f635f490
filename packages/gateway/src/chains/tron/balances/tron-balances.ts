// Balances of many addresses at the solid head.
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf } from '@ducat/core/money/amount';
import { addressesPerCall } from '@ducat/core/reserves/plan';
import { Outage } from '../../../runtime/outage.ts';
import { type Balances, readBalances } from '../../balances/read-balances.ts';
import type { BalanceReport, BlockReference } from '../../port/reader.ts';
import { fewAtOnce } from '../../rpc/in-chunks.ts';
import { headOf } from '../block/header.ts';
import { canonicalContract } from '../block/query.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { callBalance, callConstant, integerFrom } from './constant-call.ts';

/** Any caller will do, because nothing is paid. */
const caller = `41${'0'.repeat(40)}`;

/**
 * Balances in the order of the addresses, by the solidified view. Throws Outage 'not-yet' where that view ends below `at`,
 * or moves on between two calls, and 'unsupported' where the token gives no balance.
 */
export async function readTronBalances(
  api: HttpApi,
  addresses: readonly string[],
  { currencyId, contract, symbol }: Currency,
  at: BlockReference,
): Promise<Pick<BalanceReport, 'at' | 'amounts'>> {
  if (addresses.length === 0) return { at: at.number, amounts: [] };
  const token = contract === null ? null : canonicalContract(contract);
  const source = {
    token,
    perCall: addressesPerCall.tron,
    block: null,
    run: async (code: string) => {
      const { status, data, isTooMuch } = await callConstant(api, { owner_address: caller, data: code });
      return { data: status === 'returned' ? data : null, isTooMuch };
    },
    readSingly: (holders: readonly string[]) =>
      readEach(api, holders, (holder) =>
        token === null ? readTrx(api, holder) : readTokens(api, token, symbol, holder),
      ),
  };
  const { at: height, units } = await readBalances(source, addresses);
  if (height < at.number)
    throw new Outage(`is at block ${height}, and not yet at ${at.number}`, { kind: 'not-yet' });
  return { at: height, amounts: units.map((one) => amountOf(currencyId, one)) };
}

async function readEach(
  api: HttpApi,
  holders: readonly string[],
  readOne: (holder: string) => Promise<bigint>,
): Promise<Balances> {
  const at = await headOf(api);
  const units = await fewAtOnce(holders, readOne);
  if ((await headOf(api)) === at) return { at, units };
  throw new Outage('made a block while balances were asked for one by one', { kind: 'not-yet' });
}

async function readTrx(api: HttpApi, address: string): Promise<bigint> {
  // For an account that was never activated the node answers with an empty object. Such an account holds nothing.
  const account = (await api('getaccount', { address })).asRecord('an account');
  return account.get('balance').asInteger('a balance');
}

async function readTokens(api: HttpApi, token: string, symbol: string, address: string): Promise<bigint> {
  const outcome = await callBalance(api, token, address);
  const units = integerFrom(outcome);
  if (units !== null) return units;
  const kind = outcome.isTooMuch ? 'unavailable' : 'unsupported';
  throw new Outage(`${token} does not say a balance of ${symbol}`, { kind });
}
