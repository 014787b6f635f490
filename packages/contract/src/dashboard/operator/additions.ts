// For operators: adding an EVM chain or a token after checks on the chain. It takes effect at the next start of the gateway.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const MAX_NODES = 8;

const symbol = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: '^[!-~]+$',
  'x-expects': 'one to 32 letters, digits and signs',
});
const rateAsset = f.nullable(symbol);

const terms = {
  network: Type.String({
    pattern: '^[!-~]{1,32}$',
    'x-expects': 'one to 32 letters, digits and signs',
  }),
  chain_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, 'x-expects': 'a chain id' }),
  coin_symbol: symbol,
  /** The name of the coin at sources of rates; null where it has no price in fiat. */
  coin_rate_asset: rateAsset,
  confirmations: Type.Integer({ minimum: 1, maximum: 100_000, 'x-expects': 'a number from 1 to 100000' }),
  node_finality: Type.Enum(['finalized', 'none']),
  explorer_url: Type.Optional(fields.webAddress('A block explorer for payers.')),
} as const;

const wish = {
  name: Type.String({
    pattern: '^[A-Za-z0-9]{2,16}$',
    'x-expects': '2 to 16 letters and digits',
  }),
  ...terms,
  node_urls: Type.Array(fields.webhookAddress('A node.'), {
    minItems: 1,
    maxItems: MAX_NODES,
    'x-expects': `one to ${MAX_NODES} addresses`,
  }),
} as const;

const confirmedWish = { ...wish, genesis_hash: f.nullable(Type.String({ maxLength: 66 })) } as const;

const token = { chain: f.chain, contract: fields.address('The contract.') } as const;

const checkedChain = {
  coin_currency_id: Type.Integer(),
  block_ms: f.nullable(Type.Integer()),
  genesis_hash: f.nullable(Type.String()),
  providers: Type.Array(
    strictObject({
      host: Type.String(),
      trouble: f.nullable(Type.String()),
      head: f.nullable(Type.Integer()),
      final: f.nullable(Type.Integer()),
    }),
  ),
  warnings: Type.Array(Type.String()),
  /** Why the chain cannot be added; null where it can. */
  trouble: f.nullable(Type.String()),
} as const;

/** The operations by which chains and tokens are added. */
export const additionOperations = [
  // Asks the nodes. Only an entry of the audit log is kept.
  defineOperation({
    name: 'chains.check',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    /** True to check a change of the chain that was added under this name. */
    request: strictObject({ ...wish, is_change: Type.Optional(Type.Boolean()) }),
    response: strictObject(checkedChain),
  }),
  // Asks the nodes again. `genesis_hash` is the hash that the check showed.
  defineOperation({
    name: 'chains.add',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject(confirmedWish),
    response: strictObject({ coin_currency_id: Type.Integer() }),
  }),
  // Changes an added chain, as long as nothing was ever taken on it. Asks the nodes again.
  defineOperation({
    name: 'chains.change-added',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject(confirmedWish),
    response: strictObject({}),
  }),
  // Removes a chain with the tokens that were added to it, or one token, as long as nothing was ever taken in it.
  defineOperation({
    name: 'chains.remove-added',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ chain: f.chain, currency_id: f.nullable(f.currencyId) }),
    response: strictObject({}),
  }),
  defineOperation({
    name: 'currencies.check-token',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject(token),
    response: strictObject({
      currency_id: Type.Integer(),
      /** The contract's own symbol. Anybody can give a token this symbol. */
      symbol: f.nullable(Type.String()),
      decimals: f.nullable(Type.Integer()),
      warnings: Type.Array(Type.String()),
      trouble: f.nullable(Type.String()),
    }),
  }),
  // `decimals` is the number that the check showed.
  defineOperation({
    name: 'currencies.add-token',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({
      ...token,
      symbol,
      decimals: Type.Integer({ minimum: 0, maximum: 36 }),
      rate_asset: rateAsset,
    }),
    response: strictObject({ currency_id: Type.Integer() }),
  }),
  // Changes names only, because another contract is another token. Possible as long as nothing was ever taken in it.
  defineOperation({
    name: 'currencies.change-token',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ chain: f.chain, currency_id: f.currencyId, symbol, rate_asset: rateAsset }),
    response: strictObject({}),
  }),
  // Lists the additions, the oldest first, and the assets that sources of rates know.
  defineOperation({
    name: 'chains.list-added',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      added: Type.Array(
        strictObject({
          name: Type.String(),
          chain: Type.String(),
          /** The currency of a token; null for a chain. */
          currency_id: f.nullable(Type.Integer()),
          /** The section as the configuration file would have it. The file has precedence over additions. */
          section: Type.String(),
          added_at: f.time,
          added_by: Type.String(),
          /** Whether the process that answers started with this addition. */
          is_in_force: Type.Boolean(),
          /** True where the next start removes the addition. */
          is_removed: Type.Boolean(),
          /** The terms of a chain as they were added, without its nodes. */
          chain_terms: f.nullable(strictObject(terms)),
          token_terms: f.nullable(
            strictObject({ symbol: Type.String(), rate_asset: f.nullable(Type.String()) }),
          ),
          /** Why the next start ignores the addition; null where it does not, or where the file has the section. */
          left_out: f.nullable(Type.String()),
        }),
      ),
      /**
       * Chains of which only these facts are pinned and which the file does not have on. The same form states the rest.
       */
      pinned: Type.Array(
        strictObject({
          chain: Type.String(),
          network: Type.String(),
          coin_symbol: Type.String(),
          first_currency_id: Type.Integer(),
          last_currency_id: Type.Integer(),
          /** The file has a section of the chain, which is off. */
          is_in_file: Type.Boolean(),
          /** Whether the chain was set up by the form. */
          is_set_up: Type.Boolean(),
        }),
      ),
      rate_assets: Type.Array(Type.String()),
    }),
  }),
] as const;
