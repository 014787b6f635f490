// For operators: adding an EVM chain or a token, checked on the chain first. It counts from the next start of the gateway.
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
  /** What sources of rates call the coin; null where it has no price in fiat. */
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
  /** Why it cannot be added; null where it can. */
  trouble: f.nullable(Type.String()),
} as const;

/** The operations by which chains and tokens are added. */
export const additionOperations = [
  // Asks the nodes, and keeps nothing but an entry of the audit log.
  defineOperation({
    name: 'chains.check',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    /** A change is of what was added under this name. */
    request: strictObject({ ...wish, is_change: Type.Optional(Type.Boolean()) }),
    response: strictObject(checkedChain),
  }),
  // Asks the nodes once more. `genesis_hash` is what the check showed.
  defineOperation({
    name: 'chains.add',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject(confirmedWish),
    response: strictObject({ coin_currency_id: Type.Integer() }),
  }),
  // As long as nothing was ever taken on the chain. Asks the nodes once more.
  defineOperation({
    name: 'chains.change-added',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject(confirmedWish),
    response: strictObject({}),
  }),
  // A chain with the tokens that were added to it, or one token; as long as nothing was ever taken in it.
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
      /** What the contract says of itself; anybody may call a token so. */
      symbol: f.nullable(Type.String()),
      decimals: f.nullable(Type.Integer()),
      warnings: Type.Array(Type.String()),
      trouble: f.nullable(Type.String()),
    }),
  }),
  // `decimals` is what the check showed.
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
  // Names alone: another contract is another token. As long as nothing was ever taken in it.
  defineOperation({
    name: 'currencies.change-token',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ chain: f.chain, currency_id: f.currencyId, symbol, rate_asset: rateAsset }),
    response: strictObject({}),
  }),
  // What was added, the oldest first, and what sources of rates know.
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
          /** Of a token; null for a chain. */
          currency_id: f.nullable(Type.Integer()),
          /** For the configuration file, which wins over what was added here. */
          section: Type.String(),
          added_at: f.time,
          added_by: Type.String(),
          /** Whether the process that answers began with it. */
          is_in_force: Type.Boolean(),
          /** The next start takes it away. */
          is_removed: Type.Boolean(),
          /** Of a chain, as it was added, without its nodes. */
          chain_terms: f.nullable(strictObject(terms)),
          token_terms: f.nullable(
            strictObject({ symbol: Type.String(), rate_asset: f.nullable(Type.String()) }),
          ),
          /** Why the next start leaves it out; null where it does not, or where the file has it. */
          left_out: f.nullable(Type.String()),
        }),
      ),
      /** Chains that are known by these alone and that the file does not have on: the same form states the rest. */
      pinned: Type.Array(
        strictObject({
          chain: Type.String(),
          network: Type.String(),
          coin_symbol: Type.String(),
          first_currency_id: Type.Integer(),
          last_currency_id: Type.Integer(),
          /** The file has a section of it, which is off. */
          is_in_file: Type.Boolean(),
          /** By the form. */
          is_set_up: Type.Boolean(),
        }),
      ),
      rate_assets: Type.Array(Type.String()),
    }),
  }),
] as const;
