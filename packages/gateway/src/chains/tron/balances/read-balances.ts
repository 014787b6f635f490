// Balances at the solid head, many in one call, and all of them after the same block.
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf } from '@ducat/core/money/amount';
import { Outage } from '../../../runtime/outage.ts';
import type { BalanceReport, BlockReference } from '../../port/reader.ts';
import { trc20BalancesPerCall, trxBalancesPerCall } from '../../rpc/limits.ts';
import { headOf } from '../block/header.ts';
import { canonicalContract } from '../block/query.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { fewAtOnce, inChunks } from '../wire/in-chunks.ts';
import { callBalance, callConstant, integerFrom } from './constant-call.ts';
import { multicallData, readMulticall } from './multicall.ts';

/** Of what balances are asked; a token of null is TRX. */
interface Asked {
  readonly api: HttpApi;
  readonly token: string | null;
  readonly symbol: string;
}

interface Balances {
  /** Height of the block after which they are. */
  readonly at: number;
  /** Base units, in the order of the holders. */
  readonly units: readonly bigint[];
}

/** Who calls does not matter, as nothing is paid. */
const caller = `41${'0'.repeat(40)}`;

/**
 * In the order of the addresses. Takes the solidified view. Throws Outage 'not-yet' where that ends below `at`, or moves
 * on between two calls, and 'unsupported' where the token says no balance.
 */
export async function readBalances(
  api: HttpApi,
  addresses: readonly string[],
  { currencyId, contract, symbol }: Currency,
  at: BlockReference,
): Promise<Pick<BalanceReport, 'at' | 'amounts'>> {
  const asked = { api, token: contract === null ? null : canonicalContract(contract), symbol };
  const perCall = contract === null ? trxBalancesPerCall : trc20BalancesPerCall;
  const parts = await fewAtOnce(inChunks(addresses, perCall), (holders) => askTogether(asked, holders));
  const { at: height, units } = joined(parts, at.number);
  if (height < at.number)
    throw new Outage(`is at block ${height}, and not yet at ${at.number}`, { kind: 'not-yet' });
  return { at: height, amounts: units.map((one) => amountOf(currencyId, one)) };
}

async function askTogether(asked: Asked, holders: readonly string[]): Promise<Balances> {
  const data = multicallData(asked.token, holders);
  const outcome = await callConstant(asked.api, { owner_address: caller, data });
  const answer = outcome.status === 'reverted' ? readMulticall(outcome.data, holders.length) : null;
  if (answer === null && outcome.isTooMuch && holders.length > 1) {
    const halves = inChunks(holders, Math.ceil(holders.length / 2));
    return joined(await fewAtOnce(halves, (half) => askTogether(asked, half)));
  }
  // Where the node does not run code that comes with the call.
  if (answer === null) return askOneByOne(asked, holders);
  const unanswered = holders.filter((_, index) => answer.units[index] === null);
  if (unanswered.length === 0) return { at: answer.at, units: answer.units.map((one) => one ?? 0n) };
  const { at, units } = await askOneByOne(asked, unanswered);
  if (at !== answer.at) throw movedOn();
  const rest = units.values();
  return { at, units: answer.units.map((one) => one ?? rest.next().value ?? 0n) };
}

async function askOneByOne(asked: Asked, holders: readonly string[]): Promise<Balances> {
  const at = await headOf(asked.api);
  const units = await fewAtOnce(holders, (holder) => askOne(asked, holder));
  if ((await headOf(asked.api)) !== at) throw movedOn();
  return { at, units };
}

async function askOne({ api, token, symbol }: Asked, address: string): Promise<bigint> {
  if (token === null) {
    // An account that was never activated is answered with an empty object, and has nothing.
    const account = (await api('getaccount', { address })).asRecord('an account');
    return account.get('balance').asInteger('a balance');
  }
  const outcome = await callBalance(api, token, address);
  const units = integerFrom(outcome);
  if (units !== null) return units;
  const kind = outcome.isTooMuch ? 'unavailable' : 'unsupported';
  throw new Outage(`${token} does not say a balance of ${symbol}`, { kind });
}

/** All after the same block; `at` stands for none. */
function joined(parts: readonly Balances[], at = 0): Balances {
  const heights = new Set(parts.map((part) => part.at));
  if (heights.size > 1) throw movedOn();
  return { at: parts[0]?.at ?? at, units: parts.flatMap(({ units }) => units) };
}

function movedOn(): Outage {
  return new Outage('made a block between two calls for balances: ask for fewer at once', {
    kind: 'not-yet',
  });
}
