// The running local chains as entries of the demo record, with currency ids and confirmations.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { type Currency, rateAssetOf } from '@ducat/core/chain/currency';
import type { LocalChain } from '@ducat/devnet/local/local-chains';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { sourcesOf } from '@ducat/gateway/rates/assets';
import { localChainPlan, localTronPlan } from '@ducat/devnet/local/local-chain-plan';
import { CommandError } from '../command-error.ts';
import type { DemoChain, DemoCurrency } from '../state/demo-record.ts';

/** The first currency number of each chain that is the operator's own. */
const OWN_NUMBERS_FROM = 900;

/** The data of one local chain that the gateway and `ducat pay` need. */
export function demoChainOf(chain: LocalChain): DemoChain {
  const { name, chainId, rpcUrl, blockTimeMs, genesisHash, payer } = chain;
  return {
    chain: name,
    family: chain.family,
    chain_id: chainId,
    rpc_url: rpcUrl,
    genesis_hash: genesisHash,
    block_time_ms: blockTimeMs,
    need_confirms: confirmationsOf(name),
    currencies: currenciesOf(chain),
    payer: { address: payer.address, private_key: payer.privateKey },
  };
}

/** The confirmations at which the node's own finality is reached, two epochs behind the head, so that both agree. */
function confirmationsOf(name: LocalChain['name']): number {
  if (name === localTronPlan.name) return localTronPlan.confirmations;
  const plan = localChainPlan.find((planned) => planned.name === name);
  return 2 * (plan?.slotsInEpoch ?? 1) + 1;
}

/**
 * The currencies of a chain. A token whose symbol Ducat knows keeps its id. Other tokens get the number of their place
 * in the plan. New tokens are added at the end of the plan, so an id never changes its meaning.
 */
function currenciesOf(chain: LocalChain): readonly DemoCurrency[] {
  const known = chainDefinitions.find((definition) => definition.name === chain.name)?.currencies ?? [];
  const [main] = known;
  if (main === undefined)
    throw new CommandError(`Ducat knows no native currency of the local chain ${chain.name}`);
  const { currencyId, symbol: coinSymbol, decimals } = main;
  const coin = { currency_id: currencyId, symbol: coinSymbol, contract: '', decimals, ...offerOf(main) };
  const tokens = chain.tokens.map((token, place) => ({
    ...offerOf(known.find((each) => each.contract !== null && each.symbol === token.symbol) ?? token),
    currency_id:
      known.find(({ symbol, contract }) => contract !== null && symbol === token.symbol)?.currencyId ??
      main.currencyId + OWN_NUMBERS_FROM + 1 + place,
    symbol: token.symbol,
    // The display form, because the configuration accepts any form.
    contract: contractText(chain.family, token.contract),
    decimals: token.decimals,
  }));
  return [coin, ...tokens];
}

/**
 * Whether the demo offers a currency, and whether the currency has a fiat price. A token that only the demo has is
 * priced by its name.
 */
function offerOf(
  currency: Pick<Currency, 'symbol' | 'offReason' | 'rateAsset'>,
): Pick<DemoCurrency, 'off_reason' | 'fiat_price'> {
  const asset = rateAssetOf(currency);
  return {
    off_reason: currency.offReason ?? '',
    fiat_price: asset !== null && sourcesOf(asset) === 'several',
  };
}

function contractText(family: LocalChain['family'], contract: string): string {
  const scheme = addressSchemes[family];
  const text = scheme.canonical(contract);
  if (text === null) throw new CommandError(`${contract} is no contract of the ${family} family`);
  return family === 'evm' ? text : scheme.display(text);
}
