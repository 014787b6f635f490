// What a transfer would cost on Tron now: the sender's own stake is used first, and the rest is burnt.
import { isNativeCurrency } from '@ducat/core/chain/currency';
import type { StakeOffer } from '@ducat/core/collection/stake-offer';
import { amountOf, type CurrencyId, unitsOf } from '@ducat/core/money/amount';
import type { PlannedTransfer, Shortage, TransferEstimate, Unaided } from '../../port/writer.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { mostTrc20Energy, usualTrc20Energy } from '../../rpc/limits.ts';
import { callBalance, callConstant, integerFrom } from '../balances/constant-call.ts';
import { canonicalContract } from '../block/query.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { offerOfStake, readStake } from './stake.ts';
import { type Prices, readKind, readPrices, readResources, type Resources } from './resources.ts';

/** Bytes of bandwidth with one signature. TRX_BYTES is without the amount, which takes one byte for each seven bits. */
const TRX_BYTES = 264n;
const TRC20_BYTES = 345n;

/** As a percentage: the energy factor of a busy contract may rise by a fifth every six hours. */
const ENERGY_MARGIN = 130n;

/** What the chain charges for a transfer, in sun. */
interface Cost {
  readonly expected: bigint;
  readonly most: bigint;
  readonly feeLimit: bigint;
}

/** Throws Outage where the node cannot answer. Needs the view of the head, which alone shows resources. */
export async function estimateTransfer(
  api: HttpApi,
  transfer: PlannedTransfer,
  nativeId: CurrencyId,
): Promise<TransferEstimate> {
  const { from, to, currency, amount } = transfer;
  const resources = await readResources(api, from);
  const prices = await readPrices(api);
  const units = unitsOf(amount);
  const isNative = isNativeCurrency(currency);
  const kind = isNative ? await readKind(api, to) : 'plain';
  if (kind === 'contract')
    return { outcome: 'impossible', reason: 'reverts', text: 'TRX cannot be sent to a contract' };
  const held = isNative ? resources.balance : await readTokens(api, transfer);
  const energy = isNative ? 0n : held < units ? BigInt(usualTrc20Energy) : await readEnergy(api, transfer);
  if (typeof energy === 'string') return { outcome: 'impossible', reason: 'reverts', text: energy };
  if (energy > BigInt(mostTrc20Energy))
    return { outcome: 'impossible', reason: 'too-dear', text: `takes ${energy} energy` };
  const bytes = isNative ? trxBytes(resources.balance) : TRC20_BYTES;
  const carried =
    kind === 'missing' ? activationCost(resources, prices, bytes) : bandwidthCost(resources, prices, bytes);
  const cost = costOf({ energy, carried }, resources, prices);
  const shortOf: Shortage[] = [];
  const lacks = (currencyId: CurrencyId, needed: bigint, has: bigint): void => {
    if (has < needed) shortOf.push({ needed: amountOf(currencyId, needed), held: amountOf(currencyId, has) });
  };
  lacks(nativeId, isNative ? units + cost.most : cost.most, resources.balance);
  if (!isNative) lacks(currency.currencyId, units, held);
  return {
    outcome: 'possible',
    expected: amountOf(nativeId, cost.expected),
    most: amountOf(nativeId, cost.most),
    terms: { family: 'tron', feeLimit: cost.feeLimit },
    shortOf,
    energy,
    unaided: unaidedOf({ energy, bytes, resources, prices }, kind === 'missing', nativeId),
    ...(await offered(api, transfer, { energy, bytes, resources, prices }, nativeId)),
  };
}

/** Bytes of a transfer of all that the sender holds: an emptied sender sends everything but its fee. */
function trxBytes(balance: bigint): bigint {
  return TRX_BYTES + BigInt(Math.ceil(Math.max(1, balance.toString(2).length) / 7));
}

function unaidedOf(
  { energy, bytes, resources: { balance }, prices }: Needs,
  isActivating: boolean,
  nativeId: CurrencyId,
): Unaided {
  const none = { stakedBandwidth: 0n, freeBandwidth: 0n };
  const carried = isActivating ? activationCost(none, prices, bytes) : bandwidthCost(none, prices, bytes);
  const sun = (units: bigint) => amountOf(nativeId, units);
  return {
    expected: sun(energy * prices.energy + carried),
    most: sun(withMargin(energy) * prices.energy + carried),
    coin: sun(balance),
  };
}

interface Needs {
  readonly energy: bigint;
  readonly bytes: bigint;
  readonly resources: Resources;
  readonly prices: Prices;
}

/** What a stake could do for the transfer; nothing where no offer was asked for. */
async function offered(
  api: HttpApi,
  { offerOf = null }: PlannedTransfer,
  { energy, bytes, resources, prices }: Needs,
  nativeId: CurrencyId,
): Promise<{ readonly offer?: StakeOffer | null }> {
  if (offerOf === null) return {};
  const { energyBalance, isActive } = resources;
  const missing = withMargin(energy) - energyBalance;
  if (energy === 0n || missing <= 0n) return { offer: null };
  // An account that was just activated has all of its free bandwidth.
  const rest = isActive
    ? bandwidthCost(resources, prices, bytes)
    : bandwidthCost({ stakedBandwidth: 0n, freeBandwidth: prices.freeBandwidth }, prices, bytes);
  const stake = await readStake(api, offerOf);
  return { offer: offerOfStake(stake, { staker: offerOf.staker, energy: missing, rest, prices }, nativeId) };
}

function costOf(
  { energy, carried }: { readonly energy: bigint; readonly carried: bigint },
  resources: Resources,
  prices: Prices,
): Cost {
  const roomy = withMargin(energy);
  const burnt = (needed: bigint): bigint =>
    needed > resources.energy ? (needed - resources.energy) * prices.energy : 0n;
  // The limit caps staked energy too, so it is as high as if all were burnt.
  return { expected: burnt(energy) + carried, most: burnt(roomy) + carried, feeLimit: roomy * prices.energy };
}

function withMargin(energy: bigint): bigint {
  return (energy * ENERGY_MARGIN + 99n) / 100n;
}

/** Bandwidth is all staked, all free or all burnt, and never a mixture. */
function bandwidthCost(
  resources: Pick<Resources, 'stakedBandwidth' | 'freeBandwidth'>,
  { byte }: Prices,
  bytes: bigint,
): bigint {
  return resources.stakedBandwidth >= bytes || resources.freeBandwidth >= bytes ? 0n : bytes * byte;
}

/** Free bandwidth does not count for an activation. */
function activationCost(
  resources: Pick<Resources, 'stakedBandwidth'>,
  prices: Prices,
  bytes: bigint,
): bigint {
  return prices.activation + (resources.stakedBandwidth >= bytes ? 0n : prices.activationBandwidth);
}

/** The energy of the transfer, simulated without effect; a text where the contract would not execute it. */
async function readEnergy(
  api: HttpApi,
  { from, to, currency, amount }: PlannedTransfer,
): Promise<bigint | string> {
  const call = {
    owner_address: from,
    contract_address: canonicalContract(currency.contract ?? ''),
    function_selector: 'transfer(address,uint256)',
    parameter: padded(to.slice(2)) + padded(unitsOf(amount).toString(16)),
  };
  const { status, energy, isTooMuch } = await callConstant(api, call);
  if (status === 'returned') return energy;
  if (isTooMuch) return BigInt(mostTrc20Energy) + 1n;
  return `the token ${status === 'reverted' ? 'reverts' : 'fails'}`;
}

async function readTokens(api: HttpApi, { from, currency }: PlannedTransfer): Promise<bigint> {
  const units = integerFrom(await callBalance(api, canonicalContract(currency.contract ?? ''), from));
  if (units === null) throw invalidAnswer(`answered with something that is no balance of ${currency.symbol}`);
  return units;
}

function padded(hex: string): string {
  return hex.padStart(64, '0');
}
