// The meaning of currency numbers, for every page that shows an amount.
import Type from 'typebox';
import { strictObject } from '../fields/strict-object.ts';
import { dashboardFields as f } from './dashboard-fields.ts';
import { defineOperation } from './operation.ts';

/** One currency of the catalogue. */
export const dashboardCurrency = strictObject({
  currency_id: f.currencyId,
  symbol: Type.String(),
  chain: Type.String(),
  /** The family of the addresses that the currency is sent to. */
  family: Type.Enum(['evm', 'tron']),
  /** The configured chain id, which signatures for this chain name. */
  chain_id: Type.Integer(),
  /** The network as people know it, such as ERC20. */
  network: Type.String(),
  decimals: Type.Integer(),
  /** In display form; null for the coin of the chain. */
  contract: f.nullable(Type.String()),
  /** Address of its logo, an SVG image of the API's origin. */
  logo: Type.String(),
  /** Whether the currency takes orders now. */
  is_on: Type.Boolean(),
  /** Why the currency takes no orders until an operator resumes it; null where it is not suspended. */
  suspended: f.nullable(Type.String()),
  confirmations: Type.Integer(),
  /** URL templates, in which `{tx}` and `{address}` are replaced; null where the chain has no explorer. */
  explorer: f.nullable(strictObject({ tx: Type.String(), address: Type.String() })),
});

/** The operations of subject currencies. */
export const currencyOperations = [
  defineOperation({
    name: 'currencies.list',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: strictObject({}),
    response: strictObject({ currencies: Type.Array(dashboardCurrency) }),
  }),
] as const;
