// For operators: changing and removing what was added, as long as nothing was ever taken in it.
import { readCurrencies } from '../../../db/tables/currencies.ts';
import { changeAddition } from '../../../flows/currencies/change-addition.ts';
import { removeAddition } from '../../../flows/currencies/remove-addition.ts';
import { type Answer, answer, type Handler, refusal, unknown } from '../call.ts';
import { detailOf, hostsOf, noteAsked } from './additions.ts';

const USED =
  'orders, money or QR codes stand in it: suspend its currencies for new orders, or write it into the file and change it there';

function answerOf(outcome: 'done' | 'unknown' | 'used'): Answer<Record<string, never>> {
  if (outcome === 'done') return answer({});
  return outcome === 'used' ? refusal('conflict', USED) : unknown('addition');
}

export const handleChainChange: Handler<'chains.change-added'> = async (call, request) => {
  const { genesis_hash: seen, ...wish } = request;
  const { deps } = call;
  await noteAsked(call, wish.name, hostsOf(wish));
  const checked = await deps.additions.checkChain(wish, true);
  const { trouble, sealed } = checked;
  if (trouble !== null || sealed === null)
    return refusal('conflict', trouble ?? 'the chain cannot be changed');
  if (checked.genesisHash !== seen) return refusal('changed', 'the nodes show another first block by now');
  const key = { chain: wish.name, currencyId: null };
  const outcome = await deps.transact(async (tx) => {
    const changed = await changeAddition(tx, { key, sealed, chainId: wish.chain_id });
    if (changed === 'changed') await call.record(tx, { subject: wish.name, detail: detailOf(wish, checked) });
    return changed;
  });
  if (outcome === 'other-chain')
    return refusal('conflict', 'another chain id is another chain: add it under a name of its own');
  return answerOf(outcome === 'changed' ? 'done' : outcome);
};

export const handleTokenChange: Handler<'currencies.change-token'> = async (call, request) => {
  const { chain, currency_id: currencyId, symbol, rate_asset: rateAsset } = request;
  const { deps } = call;
  const pinned = (await readCurrencies(deps.reader)).find((one) => one.currencyId === currencyId);
  if (pinned === undefined || pinned.chain !== chain) return unknown('addition');
  const { contract } = pinned;
  const checked = await deps.additions.checkToken({ chain, contract }, { symbol, rateAsset }, currencyId);
  const { trouble, sealed, decimals } = checked;
  if (trouble !== null || sealed === null || decimals === null)
    return refusal('conflict', trouble ?? 'the token cannot be changed');
  if (decimals !== pinned.decimals) return refusal('changed', 'the contract gives other decimals by now');
  const outcome = await deps.transact(async (tx) => {
    const changed = await changeAddition(tx, { key: { chain, currencyId }, sealed, chainId: null });
    const worth = rateAsset === null ? 'without a price' : `priced as ${rateAsset}`;
    if (changed === 'changed')
      await call.record(tx, { subject: `${chain} ${currencyId}`, detail: `${symbol}, ${worth}` });
    return changed;
  });
  return answerOf(outcome === 'changed' ? 'done' : outcome === 'used' ? 'used' : 'unknown');
};

export const handleAddedRemove: Handler<'chains.remove-added'> = async (call, request) => {
  const { chain, currency_id: currencyId } = request;
  const { deps, nowMs, session } = call;
  const subject = currencyId === null ? chain : `${chain} ${currencyId}`;
  const outcome = await deps.transact(async (tx) => {
    const reason = `removed by ${session.person.name}`;
    const removed = await removeAddition(tx, { key: { chain, currencyId }, reason, nowMs });
    if (removed === 'removed') await call.record(tx, { subject });
    return removed;
  });
  return answerOf(outcome === 'removed' ? 'done' : outcome);
};
