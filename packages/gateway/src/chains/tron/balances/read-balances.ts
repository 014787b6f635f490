// Balances at the solid head, many in one call, and all of them after the same block.
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf } from '@ducat/core/money/amount';
import { Outage } from '../../../runtime/outage.ts';
import type { BalanceReport, BlockReference } from '../../port/reader.ts';
import {
  trc20BalancesPerCall,
  tronBalanceRounds,
  tronSinglesAtOnce,
  trxBalancesPerCall,
} from '../../rpc/limits.ts';
import { headOf } from '../block/header.ts';
import { canonicalContract } from '../block/query.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { integerOf, recordOf } from '../wire/json.ts';
import { callConstant, callFunction, integerFrom } from './constant-call.ts';
import { multicallData, readMulticall } from './multicall.ts';

/** Whose balances of what are asked; a token of null is TRX. */
interface Asked {
  readonly api: HttpApi;
  readonly token: string | null;
  readonly symbol: string;
}

interface Balance {
  /** Height of the block after which it is. */
  readonly at: number;
  readonly units: bigint;
}

type Balances = ReadonlyMap<string, Balance>;

/** Whose account is asked for does not matter, as nothing is paid. */
const caller = `41${'0'.repeat(40)}`;

/**
 * In the order of the addresses. Takes the solidified view. Throws Outage 'not-yet' where that ends below `at`, or moves
 * on while so many are asked, and 'unsupported' where the token says no balance.
 */
export async function readBalances(
  api: HttpApi,
  addresses: readonly string[],
  { currencyId, contract, symbol }: Currency,
  at: BlockReference,
): Promise<Pick<BalanceReport, 'at' | 'amounts'>> {
  const asked = { api, token: contract === null ? null : canonicalContract(contract), symbol };
  const known = new Map<string, Balance>();
  let newest = at.number;
  for (let round = 0; round < tronBalanceRounds; round++) {
    const pending = [...new Set(addresses)].filter((address) => known.get(address)?.at !== newest);
    if (pending.length === 0) break;
    for (const [address, balance] of await askAll(asked, pending)) {
      if (balance.at < at.number) throw notYet(`is at block ${balance.at}, and not yet at ${at.number}`);
      known.set(address, balance);
      newest = Math.max(newest, balance.at);
    }
  }
  const amounts = addresses.map((address) => {
    const balance = known.get(address);
    if (balance?.at !== newest)
      throw notYet('made blocks faster than it answered for balances: ask for fewer at once');
    return amountOf(currencyId, balance.units);
  });
  return { at: newest, amounts };
}

function notYet(message: string): Outage {
  return new Outage(message, { kind: 'not-yet' });
}

/** Of all of them, or of some where the chain moved on meanwhile. */
async function askAll(asked: Asked, addresses: readonly string[]): Promise<Balances> {
  const perCall = asked.token === null ? trxBalancesPerCall : trc20BalancesPerCall;
  const calls = await inParts(inChunks(addresses, perCall), (holders) => askTogether(asked, holders));
  return new Map(calls.flatMap((found) => [...found]));
}

async function askTogether(asked: Asked, holders: readonly string[]): Promise<Balances> {
  const data = multicallData(asked.token, holders);
  const outcome = await callConstant(asked.api, { owner_address: caller, data });
  const answer = outcome.status === 'reverted' ? readMulticall(outcome.data, holders.length) : null;
  if (answer === null && outcome.isTooMuch && holders.length > 1) {
    const half = Math.ceil(holders.length / 2);
    const first = await askTogether(asked, holders.slice(0, half));
    return new Map([...first, ...(await askTogether(asked, holders.slice(half)))]);
  }
  const found = new Map<string, Balance>();
  for (const [index, units] of answer?.units.entries() ?? []) {
    const holder = holders[index];
    if (units !== null && holder !== undefined) found.set(holder, { at: answer?.at ?? 0, units });
  }
  const rest = holders.filter((holder) => !found.has(holder));
  return rest.length === 0 ? found : new Map([...found, ...(await askOneByOne(asked, rest))]);
}

/** Where a node does not run code that comes with the call. None where the solid head moved on meanwhile. */
async function askOneByOne(asked: Asked, holders: readonly string[]): Promise<Balances> {
  const at = await headOf(asked.api);
  const all = await inParts(holders, async (holder) => [holder, await askOne(asked, holder)] as const);
  if ((await headOf(asked.api)) !== at) return new Map();
  return new Map(all.map(([holder, units]) => [holder, { at, units }]));
}

/** Base units. */
async function askOne({ api, token, symbol }: Asked, address: string): Promise<bigint> {
  if (token === null) {
    // An account that was never activated is answered with an empty object, and has nothing.
    return integerOf(recordOf(await api('getaccount', { address }), 'an account')['balance'], 'a balance');
  }
  const parameter = address.slice(2).padStart(64, '0');
  const outcome = await callFunction(api, token, 'balanceOf(address)', parameter);
  const units = integerFrom(outcome);
  if (units !== null) return units;
  const kind = outcome.isTooMuch ? 'unavailable' : 'unsupported';
  throw new Outage(`${token} does not say a balance of ${symbol}`, { kind });
}

/** So few at once that the reading of blocks does not wait behind them. */
async function inParts<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<readonly R[]> {
  const answers: R[] = [];
  for (const part of inChunks(items, tronSinglesAtOnce)) answers.push(...(await Promise.all(part.map(ask))));
  return answers;
}

function inChunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
