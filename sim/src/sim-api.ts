// The API as a merchant's server meets it: production's own handler, with the checks of a signed request before it.
import { createHash } from 'node:crypto';
import { accept } from '@ducat/core/result';
import { ID_RANDOM_BYTES } from '@ducat/gateway/ids';
import { Outage } from '@ducat/gateway/outage';
import type { RateSource } from '@ducat/gateway/rates/port';
import type { ApiDeps } from '@ducat/gateway/roles/api/api-deps';
import { defaultApiLimits } from '@ducat/gateway/roles/api/api-deps';
import { createCatalogue } from '@ducat/gateway/roles/api/catalogue';
import { createOrder } from '@ducat/gateway/roles/api/endpoints/create-order';
import { createPoolFiller } from '@ducat/gateway/roles/api/pool-filler';
import { keyThatSigned, sign } from '@ducat/gateway/roles/api/sign';
import type { Reader, Transact } from '@ducat/gateway/store/tx';
import { unixTime, type World } from '@ducat/gateway/world';
import { priceUnitsOf } from './cast.ts';
import { addressSchemes } from './sim-schemes.ts';
import type { SimChain } from './sim-chain.ts';
import type { Wish } from './shoppers.ts';

export interface ApiParts {
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
}

/** What the merchant reads out of the answer. */
export interface AnsweredOrder {
  readonly tradeNo: string;
  readonly address: string;
  readonly amount: string;
  readonly createTime: number;
  readonly timeExpire: number;
}

/** A refusal that a merchant meets only when something is wrong with Ducat. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

/** Null where the merchant has to ask again: after an outage, or while the chain is not read yet. */
export async function askForOrder(
  parts: ApiParts,
  chains: readonly SimChain[],
  wish: Wish,
): Promise<AnsweredOrder | null> {
  const { world } = parts;
  const { app, outTradeNo, currency, tokenAmount, fiatAmount, lifeS, timeOuts } = wish;
  const timeOut = timeOuts.at(-1) ?? unixTime(world) + lifeS;
  if (timeOuts.length === 0) timeOuts.push(timeOut);
  const request = {
    out_trade_no: outTradeNo,
    currency_id: currency.currencyId,
    ...(tokenAmount === null ? {} : { token_amount: tokenAmount }),
    ...(fiatAmount === null ? {} : { fiat_name: 'USD' as const, fiat_amount: fiatAmount }),
    time_out: timeOut,
  };
  checkSignature(JSON.stringify(request), app.appKey, world);
  const deps = depsOf(parts, chains);
  const call = { app: appOf(wish), deps, fillPool: createPoolFiller(deps) };
  try {
    const answer = await createOrder(call, request);
    if (!answer.ok) return refused(answer.refusal, wish, unixTime(world));
    const { trade_no, pay_address, amount, create_time, time_expire } = answer.value;
    return {
      tradeNo: trade_no,
      address: pay_address,
      amount,
      createTime: create_time,
      timeExpire: time_expire,
    };
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

/** A merchant whose first expiry has passed asks for another, and keeps the order that stands with the first. */
function refused(
  refusal: { readonly code: string; readonly field?: string | undefined; readonly message: string },
  { timeOuts, lifeS, outTradeNo }: Wish,
  now: number,
): null {
  if (refusal.code === 'currency-off') return null;
  if (refusal.code === 'field-invalid' && refusal.field === 'time_out') {
    timeOuts.push(now + lifeS);
    return null;
  }
  if (refusal.code === 'order-conflict' && timeOuts.length > 1) {
    timeOuts.pop();
    return null;
  }
  throw new Unexpected(`${outTradeNo} was refused: ${refusal.code}, ${refusal.message}`);
}

function checkSignature(body: string, appKey: string, world: World): void {
  const bytes = Buffer.from(body);
  const timestamp = String(unixTime(world));
  const signature = sign(bytes, timestamp, appKey);
  const wrong = createHash('sha256').update(signature).digest('hex');
  if (keyThatSigned(bytes, timestamp, signature, ['another', appKey]) !== appKey)
    throw new Unexpected('a right signature was refused');
  if (keyThatSigned(bytes, timestamp, wrong, [appKey]) !== null)
    throw new Unexpected('a wrong signature was taken');
}

function appOf({ app }: Wish): Parameters<typeof createOrder>[0]['app'] {
  const { appId, callbackUrl, tolerancePpm } = app;
  const account = Number(appId.replace(/\D/g, ''));
  return {
    appId,
    merchantId: `mer_${account}`,
    name: 'Shop',
    kind: 'PAYMENT',
    enabled: true,
    account,
    callbackUrl,
    tolerancePpm,
  };
}

function ratesOf(world: World): RateSource {
  return {
    warning: null,
    quote: async ({ symbol }, fiat) => {
      const rate = { fiat, priceUnits: priceUnitsOf(symbol) };
      return accept({ rate, at: unixTime(world), source: 'simulated', evidence: [] });
    },
  };
}

function depsOf({ transact, reader, world }: ApiParts, chains: readonly SimChain[]): ApiDeps {
  const silent = (): void => undefined;
  return {
    transact,
    reader,
    answersCommits: () => true,
    world,
    catalogue: createCatalogue(
      chains.map(({ definition }) => ({ definition, on: true, isCurrencyOn: () => true })),
    ),
    rates: ratesOf(world),
    addressSchemes,
    appKeys: {
      keysFor: () => Promise.resolve(null),
      rememberedKeysFor: () => null,
      appKey: () => Promise.reject(new Unexpected('no key is asked for here')),
      create: () => ({ appKey: '', sealedKey: Buffer.from(world.random(ID_RANDOM_BYTES)) }),
      seal: () => Buffer.alloc(0),
    },
    limits: defaultApiLimits,
    logger: { info: silent, warn: silent, error: silent },
    observer: { answered: silent },
    publicUrl: 'http://gateway.test',
    checkoutUrl: '',
    isCallableAddress: () => true,
    onBug: silent,
  };
}
