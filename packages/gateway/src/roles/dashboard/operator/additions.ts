// For operators: adding EVM chains and tokens. The nodes are asked before anything is kept, and again when it is.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { NUMBERS_PER_CHAIN } from '@ducat/core/chain/currency-numbers';
import { addChain } from '../../../flows/currencies/add-chain.ts';
import { addToken } from '../../../flows/currencies/add-token.ts';
import { answer, type Call, type Handler, refusal } from '../call.ts';
import { seconds } from '../texts.ts';
import type { CheckedChain, ChainWish, Listed } from './additions-port.ts';

type AddedRow = ResponseOf<'chains.list-added'>['added'][number];

/** Thrown in a transaction to roll back a flow that wrote in part; the handler refuses outside of it. */
class NotAdded extends Error {}

export const handleChainCheck: Handler<'chains.check'> = async (
  call,
  { is_change: isChange = false, ...wish },
) => {
  await noteAsked(call, wish.name, hostsOf(wish));
  const checked = await call.deps.additions.checkChain(wish, isChange);
  return answer({
    coin_currency_id: checked.coinId,
    block_ms: checked.blockMs,
    genesis_hash: checked.genesisHash,
    providers: [...checked.providers],
    warnings: [...checked.warnings],
    trouble: checked.trouble,
  });
};

/**
 * Recorded before the nodes are asked and whatever the outcome is, because the gateway calls addresses that a browser
 * names.
 */
export async function noteAsked(
  { deps, record }: Pick<Call<'chains.check'>, 'deps' | 'record'>,
  subject: string,
  detail: string,
) {
  await deps.transact((tx) => record(tx, { subject, detail }));
}

export function hostsOf({ node_urls: urls }: ChainWish): string {
  return urls.map((url) => new URL(url).host).join(', ');
}

export const handleChainAdd: Handler<'chains.add'> = async (call, { genesis_hash: seen, ...wish }) => {
  const { deps, nowMs, session } = call;
  await noteAsked(call, wish.name, hostsOf(wish));
  const checked = await deps.additions.checkChain(wish, false);
  const { trouble, sealed, coinId: currencyId } = checked;
  if (trouble !== null || sealed === null) return refusal('conflict', trouble ?? 'the chain cannot be added');
  if (checked.genesisHash !== seen) return refusal('changed', 'the nodes show another first block by now');
  const added = await unlessRefused(() =>
    deps.transact(async (tx) => {
      const isNew = await addChain(tx, {
        chain: wish.name,
        chainId: wish.chain_id,
        sealed,
        addedBy: session.person.personId,
        addedAtMs: nowMs,
        coin: { currencyId, symbol: checked.coinSymbol, decimals: checked.coinDecimals },
      });
      if (!isNew) throw new NotAdded();
      await call.record(tx, { subject: wish.name, detail: detailOf(wish, checked) });
    }),
  );
  if (!added) return refusal('conflict', 'a chain of this name, chain id or number was there before');
  return answer({ coin_currency_id: currencyId });
};

export function detailOf(wish: ChainWish, { genesisHash, coinId }: CheckedChain): string {
  const { chain_id: id, confirmations, node_finality: finality } = wish;
  return `chain id ${id}, first block ${genesisHash ?? 'unknown'}, coin ${coinId} ${wish.coin_symbol}, ${confirmations} confirmations, finality ${finality}, nodes ${hostsOf(wish)}`;
}

async function unlessRefused(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof NotAdded) return false;
    throw error;
  }
}

export const handleTokenCheck: Handler<'currencies.check-token'> = async (call, wish) => {
  const { currencyId, symbol, decimals, warnings, trouble } = await call.deps.additions.checkToken(
    wish,
    null,
    null,
  );
  return answer({ currency_id: currencyId, symbol, decimals, warnings: [...warnings], trouble });
};

export const handleTokenAdd: Handler<'currencies.add-token'> = async (call, request) => {
  const { deps, nowMs, session } = call;
  const { chain, contract: typed, symbol, decimals: seen, rate_asset: rateAsset } = request;
  const checked = await deps.additions.checkToken({ chain, contract: typed }, { symbol, rateAsset }, null);
  const { trouble, sealed, currencyId, contract, decimals } = checked;
  if (trouble !== null || sealed === null || contract === null || decimals === null)
    return refusal('conflict', trouble ?? 'the token cannot be added');
  if (decimals !== seen) return refusal('changed', 'the contract gives other decimals by now');
  const row = { currencyId, chain, sealed, addedBy: session.person.personId, addedAtMs: nowMs };
  const added = await unlessRefused(() =>
    deps.transact(async (tx) => {
      if (!(await addToken(tx, { ...row, symbol, contract, decimals }))) throw new NotAdded();
      const worth = rateAsset === null ? 'without a price' : `priced as ${rateAsset}`;
      const detail = `${symbol} ${typed}, ${decimals} decimals, ${worth}`;
      await call.record(tx, { subject: `${chain} ${currencyId}`, detail });
    }),
  );
  return added ? answer({ currency_id: currencyId }) : refusal('conflict', 'this contract was there before');
};

function presentAdded(row: Listed): AddedRow {
  const { leftOut, tokenTerms } = row;
  return {
    name: row.name,
    chain: row.chain,
    currency_id: row.currencyId,
    section: row.section,
    added_at: seconds(row.addedAtMs),
    added_by: row.addedBy,
    is_in_force: row.isInForce,
    is_removed: row.isRemoved,
    chain_terms: row.chainTerms,
    token_terms: tokenTerms === null ? null : { symbol: tokenTerms.symbol, rate_asset: tokenTerms.rateAsset },
    left_out: leftOut === null || leftOut.isInFile ? null : leftOut.reason,
  };
}

export const handleAddedList: Handler<'chains.list-added'> = async ({ deps }) => {
  const listed = await deps.additions.list();
  return answer({
    added: listed.map(presentAdded),
    pinned: deps.additions.pinned.map(({ name, network, coinSymbol, firstNumber, isInFile }) => ({
      chain: name,
      network,
      coin_symbol: coinSymbol,
      first_currency_id: firstNumber,
      last_currency_id: firstNumber + NUMBERS_PER_CHAIN - 1,
      is_in_file: isInFile,
      is_set_up: listed.some((row) => row.name === name && !row.isRemoved),
    })),
    rate_assets: [...deps.additions.rateAssets],
  });
};
