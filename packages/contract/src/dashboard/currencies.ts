// What the numbers of currencies mean, for every page that shows an amount.
import Type from 'typebox';
import { strictObject } from '../fields/strict-object.ts';
import { dashboardFields as f } from './dashboard-fields.ts';
import { defineOperation } from './operation.ts';

/** One currency of the catalogue. */
export const dashboardCurrency = strictObject({
  currency_id: f.currencyId,
  symbol: Type.String(),
  chain: Type.String(),
  /** Whose addresses it is sent to. */
  family: Type.Enum(['evm', 'tron']),
  /** As it is configured: what signatures for this chain name. */
  chain_id: Type.Integer(),
  /** As people know it, such as ERC20. */
  network: Type.String(),
  decimals: Type.Integer(),
  /** In display form; null for the coin of the chain. */
  contract: f.nullable(Type.String()),
  /** Address of its logo, an SVG image of the API's origin. */
  logo: Type.String(),
  /** Whether it takes orders now. */
  is_on: Type.Boolean(),
  /** Why it takes none until an operator resumes it; null where it is not suspended. */
  suspended: f.nullable(Type.String()),
  confirmations: Type.Integer(),
  /** `{tx}` and `{address}` stand for what is looked up; null where the chain has no explorer. */
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
