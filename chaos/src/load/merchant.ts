// A merchant's shop under load: opens orders, and asks again under the same number until it knows the answer.
import {
  ConnectionError,
  CurrencyNotSupportedError,
  Ducat,
  DucatError,
  OperationFailedError,
  ResponseVerificationError,
  TooFrequentError,
} from '@ducat/sdk';
import type { Chain, Coin } from '../chains/chain.ts';
import type { Chance } from '../chance.ts';
import { checkAnswer, unitsOf } from '../reader/checks/check-answer.ts';
import type { Asked } from '../reader/checks/check-promises.ts';

/** An order whose creation was answered with success. */
export interface Acknowledged {
  readonly appId: string;
  readonly outTradeNo: string;
  readonly tradeNo: string;
  readonly address: string;
  readonly chain: Chain;
  readonly coin: Coin;
  /** The amount in the answer, not the one that was asked for. */
  readonly units: bigint;
  readonly timeExpire: number;
  /** When the request that was answered was sent, by the run's clock. */
  readonly askedMs: number;
}

export interface MerchantOptions {
  readonly app: { readonly appId: string; readonly appKey: string };
  /** The prefix of the shop's order numbers. */
  readonly numbers: string;
  /** Addresses of the apis, as a load balancer would have them. */
  readonly apis: readonly string[];
  readonly chains: readonly Chain[];
  readonly chance: Chance;
  readonly pauseMs: number;
  /** True once the run is over, so that answers are no longer waited for. */
  readonly isOver: () => boolean;
  /** Called before a request is sent for the first time. */
  readonly onAsk: (question: Asked) => void;
  readonly onOrder: (order: Acknowledged) => void;
  /** Called for an answer that must not be: another one than before, or a refusal of a right request. */
  readonly onWrong: (what: string) => void;
}

/** Counts of a shop. */
export interface MerchantCounts {
  /** Requests whose answer never came; each is sent again. */
  unknown: number;
  /** Answers without a signature, as while the database is away. They prove nothing, so the request is sent again. */
  unsigned: number;
  /** Orders asked for once more although the answer was known. */
  repeated: number;
}

const MAX_TRIES = 600;
const PAUSE_AFTER_TROUBLE_MS = 150;
/** The shortest life of an order, and how much longer it may be, in seconds: short enough to expire within the run. */
const SHORTEST_LIFE_S = 65;
const LIFE_SPREAD_S = 60;

/** Runs until the signal. A request that is under way then is still repeated until its answer is known. */
export async function runMerchant(
  options: MerchantOptions,
  counts: MerchantCounts,
  signal: AbortSignal,
): Promise<void> {
  const { chance, onAsk, onOrder, onWrong, app } = options;
  const clients = options.apis.map(
    (baseUrl) => new Ducat({ baseUrl, ...app, timeoutMs: 4_000, maxRetries: 0 }),
  );
  for (let number = 1; !signal.aborted; number += 1) {
    const asked = request(options, `${options.numbers}-${number}`);
    onAsk(questionOf(app.appId, asked));
    const order = await insist(clients, asked, options, counts);
    if (order === null) continue;
    onOrder(order);
    if (chance.happens(0.1)) {
      counts.repeated += 1;
      const again = await insist(clients, asked, options, counts);
      if (
        again !== null &&
        (again.tradeNo !== order.tradeNo || again.address !== order.address || again.units !== order.units)
      )
        onWrong(`${order.outTradeNo} is ${order.tradeNo} and, asked again, ${again.tradeNo}`);
    }
    await pause(options.pauseMs, signal);
  }
}

type CreatedOrder = Awaited<ReturnType<Ducat['orders']['create']>>;

interface Request {
  readonly chain: Chain;
  readonly coin: Coin;
  readonly units: bigint;
  readonly body: Parameters<Ducat['orders']['create']>[0];
}

/** The request as the reader compares it with the books. */
function questionOf(appId: string, { chain, coin, units, body }: Request): Asked {
  return {
    appId,
    outTradeNo: body.out_trade_no,
    chain: chain.name,
    currencyId: coin.currencyId,
    units,
    timeOut: body.time_out ?? 0,
  };
}

function request({ chains, chance }: MerchantOptions, outTradeNo: string): Request {
  const chain = chance.pick(chains);
  const coin = chance.pick(chain.coins);
  const hundredths = 1 + chance.int(500);
  const amount = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
  const life = SHORTEST_LIFE_S + chance.int(LIFE_SPREAD_S);
  const body = {
    out_trade_no: outTradeNo,
    currency_id: coin.currencyId,
    token_amount: amount,
    time_out: Math.floor(Date.now() / 1000) + life,
  };
  return { chain, coin, units: BigInt(hundredths) * 10n ** BigInt(coin.decimals - 2), body };
}

/**
 * Asks until there is an answer. Null where the order is refused for good, which is reported. Null without a report where
 * its expiry has come too near, or the run is over.
 */
async function insist(
  clients: readonly Ducat[],
  asked: Request,
  { app, chance, onWrong, isOver }: MerchantOptions,
  counts: MerchantCounts,
): Promise<Acknowledged | null> {
  const { body } = asked;
  for (let tries = 1; tries <= MAX_TRIES && !isOver(); tries += 1) {
    const askedMs = performance.now();
    try {
      const answer = await chance.pick(clients).orders.create(body);
      return promiseOf(app.appId, asked, { answer, askedMs }, onWrong);
    } catch (error) {
      if (error instanceof ConnectionError) counts.unknown += 1;
      else if (error instanceof ResponseVerificationError) counts.unsigned += 1;
      else if (isExpiredQuestion(error, body.time_out)) return null;
      else if (!isForNow(error)) {
        onWrong(`${body.out_trade_no}: ${error instanceof DucatError ? error.message : String(error)}`);
        return null;
      }
      await pause(PAUSE_AFTER_TROUBLE_MS);
    }
  }
  if (!isOver()) onWrong(`${body.out_trade_no} was never answered`);
  return null;
}

interface Answered {
  readonly answer: CreatedOrder;
  readonly askedMs: number;
}

/** What the answer promises; each difference from the request is reported. */
function promiseOf(
  appId: string,
  { chain, coin, units, body }: Request,
  { answer, askedMs }: Answered,
  onWrong: MerchantOptions['onWrong'],
): Acknowledged {
  const wanted = { ...coin, chain: chain.name, chainId: chain.wireChainId, units };
  for (const what of checkAnswer(wanted, answer)) onWrong(`the answer to ${body.out_trade_no}: ${what}`);
  return {
    appId,
    outTradeNo: body.out_trade_no,
    tradeNo: answer.trade_no,
    address: answer.pay_address,
    units: unitsOf(answer.amount, coin.decimals) ?? 0n,
    timeExpire: answer.time_expire,
    chain,
    coin,
    askedMs,
  };
}

/** Whether a later try may succeed: too much at once, or a chain that the api could not ask about its tokens yet. */
function isForNow(error: unknown): boolean {
  return [OperationFailedError, TooFrequentError, CurrencyNotSupportedError].some(
    (kind) => error instanceof kind,
  );
}

/** Whether a request was repeated until its expiry came too near. The refusal is right: no order was acknowledged. */
function isExpiredQuestion(error: unknown, timeOut: number | undefined): boolean {
  const isRefused = error instanceof DucatError && 'code' in error && error.code === 10_003;
  return isRefused && timeOut !== undefined && timeOut - Date.now() / 1000 < 61;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}
