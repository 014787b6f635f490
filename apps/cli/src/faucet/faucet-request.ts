// Reads and checks requests to the faucet.
import { parseDecimal } from '@ducat/core/money/decimal';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import type { AppKind } from '@ducat/gateway/db/tables/apps';
import { CommandError } from '../command-error.ts';
import type { DemoChain, DemoCurrency } from '../state/demo-record.ts';

/** How the coins are sent. Integrators have to be ready for the last three ways. */
const ways = ['plain', 'contract', 'other-token', 'reorg'] as const;
export type Way = (typeof ways)[number];

export interface FaucetRequest {
  readonly chain: DemoChain;
  readonly currency: DemoCurrency;
  readonly to: string;
  readonly units: bigint;
  readonly way: Way;
  /** Unix seconds before which nothing is sent; 0 for now. */
  readonly notBefore: number;
}

export interface OrderRequest {
  readonly seconds: number;
  /** Null for a hosted order, whose payer chooses the currency. */
  readonly currencyId: number | null;
}

export const USAGE =
  'POST {"currency_id":1001,"to":"0x…","amount":"12.5"} with content-type: application/json. ' +
  'These coins live on this machine alone and are worth nothing.';

export function readFaucetRequest(value: unknown, chains: readonly DemoChain[]): FaucetRequest {
  const fields = fieldsOf(value);
  const [id, to, amount] = [fields.get('currency_id'), fields.get('to'), fields.get('amount')];
  const chain = chains.find(({ currencies }) => currencies.some(({ currency_id }) => currency_id === id));
  const currency = chain?.currencies.find(({ currency_id }) => currency_id === id);
  if (chain === undefined || currency === undefined)
    throw new CommandError(`currency_id is none of the demo's. ${USAGE}`);
  if (typeof to !== 'string' || addressSchemes[chain.family].canonical(to) === null)
    throw new CommandError(`to is no address of ${chain.chain}`);
  const units = typeof amount === 'string' ? parseDecimal(amount, currency.decimals) : null;
  if (units === null || units === 0n)
    throw new CommandError('amount is no decimal string above zero that fits');
  const way = ways.find((one) => one === (fields.get('way') ?? 'plain'));
  if (way === undefined) throw new CommandError(`way is none of ${ways.join(', ')}`);
  const notBefore = fields.get('not_before') ?? 0;
  if (typeof notBefore !== 'number' || !Number.isSafeInteger(notBefore))
    throw new CommandError('not_before is no Unix time in seconds');
  return { chain, currency, to, units, way, notBefore };
}

/** The shortest and the longest time that orders may be open, as in order/create. */
const [SHORTEST_S, LONGEST_S] = [61, 7 * 24 * 60 * 60];

export function readOrderRequest(value: unknown): OrderRequest {
  const fields = fieldsOf(value);
  const [seconds, currencyId] = [fields.get('seconds') ?? LONGEST_S, fields.get('currency_id') ?? null];
  if (
    typeof seconds !== 'number' ||
    !Number.isSafeInteger(seconds) ||
    seconds < SHORTEST_S ||
    seconds > LONGEST_S
  )
    throw new CommandError(`seconds is no whole number from ${SHORTEST_S} to ${LONGEST_S}`);
  if (currencyId !== null && typeof currencyId !== 'number')
    throw new CommandError('currency_id is no number');
  return { seconds, currencyId };
}

/** The app of the demo, of two, that the request asks for. */
export function readAppKind(value: unknown): AppKind {
  return fieldsOf(value).get('kind') === 'QR_CODE' ? 'QR_CODE' : 'PAYMENT';
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
