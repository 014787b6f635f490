// Gathers the evidence for the naive model: canonical blocks, requests and answers of merchants, and owners of addresses.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { dustOf } from '@ducat/core/chain/surplus';
import { unitsOf } from '@ducat/core/money/amount';
import {
  type BalanceReceipt,
  dueOf,
  type Evidence,
  type KnownOrder,
  referenceOf,
  type SeenTransfer,
} from '../auditor.ts';
import type { AddressRow, PostingRow, TransferRow } from './books.ts';
import { GATEWAY_ACCOUNT } from '@ducat/core/signing/key-path';
import { accountKeyOf } from '../outgoing/chain/sent-bytes.ts';
import { simAddress } from '../actors/setup.ts';
import type { Market } from '../actors/market.ts';
import type { AnsweredOrder } from '../actors/shoppers.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Simulation } from '../simulation.ts';

export function gatherEvidence(
  sim: Simulation,
  addresses: readonly AddressRow[],
  rows: readonly TransferRow[],
  postings: readonly PostingRow[],
): Evidence {
  const keys = new Map(sim.setup.apps.map(({ appId, accountPublicKey }) => [appId, accountPublicKey]));
  for (const { address, family, app_id: appId, derivation_index: index, purpose } of addresses) {
    const branch = purpose === 'wallet' ? 'wallet' : 'deposit';
    const key = appId === null ? accountKeyOf(GATEWAY_ACCOUNT) : (keys.get(appId) ?? '');
    const derived = simAddress(family, key, index, branch);
    const message = `${address} is not at ${index} below the key of ${appId}`;
    sim.findings.expect(address === derived, '24 addresses come from keys', message);
  }
  const ours = new Set(addresses.map(({ address }) => address));
  const counted = rows.filter(({ disposition }) => disposition !== null && disposition !== 'unassigned');
  return {
    wallets: new Set(addresses.filter(({ purpose }) => purpose === 'wallet').map(({ address }) => address)),
    // A transfer from one address of ours to another is no receipt.
    transfers: sim.chains.flatMap((chain) => transfersOf(chain).filter(({ from }) => !ours.has(from))),
    orders: sim.answered.map((order) => knownOrder(order, sim.market)),
    owners: ownersOf(addresses, sim.answered),
    feesPpm: new Map(sim.setup.apps.map(({ appId, feePpm }) => [appId, BigInt(feePpm)])),
    finalTimes: new Map(sim.chains.map((chain) => [chain.definition.name, chain.time])),
    countedEarly: new Set(
      counted.map(({ chain, tx_id: txId, position }) => referenceOf({ chain, txId, position })),
    ),
    creditedAt: new Map(
      [...new Set(postings.map(({ reference }) => reference))].map((one, place) => [one, place]),
    ),
    balanceReceipts: balanceReceiptsIn(postings),
    dust: new Map(
      sim.chains.map(({ definition }) => [definition.name, unitsOf(dustOf(nativeCurrency(definition)))]),
    ),
  };
}

/** Receipts without a known transaction: the books name the block and the address instead. */
function balanceReceiptsIn(postings: readonly PostingRow[]): readonly BalanceReceipt[] {
  return postings.flatMap(({ reference, kind, currency_id: currencyId, units }) => {
    const [chain = '', txId = '', to = ''] = reference.split('/');
    if (kind !== 'unassigned' || !txId.startsWith('balance:')) return [];
    return [{ reference, chain, to, currencyId, units: BigInt(units) }];
  });
}

/** The owners by the books. For an address that a merchant was answered, the answer decides, whatever the books say. */
function ownersOf(
  addresses: readonly AddressRow[],
  answered: readonly AnsweredOrder[],
): ReadonlyMap<string, string> {
  return new Map([
    ...addresses.map(
      ({ address, family, app_id: appId }) => [`${family} ${address}`, appId ?? 'gateway'] as const,
    ),
    ...answered.map(
      ({ address, chain, plan }) => [`${chain.definition.family} ${address}`, plan.app.appId] as const,
    ),
  ]);
}

/** Every transfer of a watched currency in the canonical blocks, up to a height where one is given. */
export function transfersOf(
  chain: SimChain,
  upTo = Number.MAX_SAFE_INTEGER,
): readonly (SeenTransfer & { readonly from: string })[] {
  const { name, family, currencies } = chain.definition;
  const watched = new Set(currencies.map(({ currencyId }) => currencyId));
  const blocks = chain.blocks().filter(({ header }) => header.number <= upTo);
  return blocks.flatMap(({ header, transfers, step }) =>
    transfers
      .filter(({ currencyId }) => watched.has(currencyId))
      .map(({ txId, position, from, to, currencyId, units }) => ({
        chain: name,
        family,
        txId,
        position,
        from,
        to,
        currencyId,
        units,
        blockTime: header.time,
        minedAtStep: step,
      })),
  );
}

function knownOrder(order: AnsweredOrder, market: Market): KnownOrder {
  const { plan, tradeNo, address, chain, currencyId, createTime, timeExpire, answeredAtStep, units } = order;
  const { app, currency, outTradeNo, tokenAmount, fiatName, fiatAmount, redirectUrl } = plan;
  const { name, series, chainId } = chain.definition;
  return {
    tradeNo,
    address,
    createTime,
    timeExpire,
    answeredAtStep,
    outTradeNo,
    appId: app.appId,
    chain: name,
    chainId: series === 'ETH' ? chainId : 0,
    currencyId,
    decimals: currency.decimals,
    due: dueOf({
      tokenAmount,
      fiatAmount,
      // The price of the moment at which the order was made.
      priceUnits: market.priceUnits(currency.symbol, fiatName ?? 'USD', createTime),
      ...currency,
    }),
    answeredDue: units,
    fiatName: fiatName ?? '',
    fiatAmount: fiatAmount ?? '',
    redirectUrl: redirectUrl ?? '',
    tolerancePpm: BigInt(app.tolerancePpm),
  };
}
