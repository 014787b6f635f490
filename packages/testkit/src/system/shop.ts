// A merchant's server in a system test: signs requests, verifies answers and webhooks, and trusts nothing else.
import { createHmac } from 'node:crypto';
import {
  type DataOf,
  type EndpointName,
  endpoints,
  type RequestOf,
} from '@ducat/contract/endpoints/registry';
import { type EventBodyOf, events, type EventType } from '@ducat/contract/events/registry';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { Value } from 'typebox/value';
import type { ReceivedWebhook, WebhookReceiver } from './webhook-receiver.ts';

export interface ShopAccess {
  readonly appId: string;
  readonly appKey: string;
  /** Where the API listens now: another port after each start. */
  readonly apiUrl: () => string;
  readonly receiver: WebhookReceiver;
}

/** The answer of order/create, with an address that tests can pay to. */
export type ShopOrder = DataOf<'create-order'> & { readonly pay_address: `0x${string}` };

/** A webhook whose signature and headers were verified, with its body read. */
export interface ShopWebhook<Type extends EventType = 'PAYMENT'> {
  readonly eventId: string;
  readonly raw: string;
  readonly answered: number;
  readonly body: EventBodyOf<Type>;
}

let orders = 0;

/** One app of a merchant, with an endpoint for webhooks at `/<appId>`. */
export class Shop {
  readonly appId: string;
  readonly appKey: string;
  readonly #access: ShopAccess;

  constructor(access: ShopAccess) {
    this.appId = access.appId;
    this.appKey = access.appKey;
    this.#access = access;
  }

  /** Calls an operation that has to succeed; the answer's signature and shape are checked. */
  async call<Name extends EndpointName>(name: Name, body: RequestOf<Name>): Promise<DataOf<Name>> {
    const { code, msg, data } = await this.#post(name, body);
    if (code !== 0) throw new Error(`${name} answered ${code}: ${msg}`);
    const schema = endpoints[name].data;
    if (!Value.Check(schema, data))
      throw new Error(`${name} answered another shape: ${JSON.stringify(data)}`);
    // The schema was checked one line above.
    return data as DataOf<Name>;
  }

  /** Calls an operation that has to be refused, and gives its code and message. */
  async refusalOf<Name extends EndpointName>(
    name: Name,
    body: RequestOf<Name>,
  ): Promise<{ readonly code: number; readonly msg: string }> {
    const { code, msg } = await this.#post(name, body);
    if (code === 0) throw new Error(`${name} was not refused`);
    return { code, msg };
  }

  /** Creates a new order. Without an amount in tokens, `more` has to price it in fiat. */
  async order(
    currencyId: number,
    tokenAmount: string | undefined,
    more: Partial<RequestOf<'create-order'>> = {},
  ): Promise<ShopOrder> {
    orders += 1;
    const amount = tokenAmount === undefined ? {} : { token_amount: tokenAmount };
    const request = { out_trade_no: `order-${orders}`, currency_id: currencyId, ...amount, ...more };
    const order = await this.call('create-order', request);
    // An address of an EVM chain, as the answer's own checksum form shows.
    return { ...order, pay_address: order.pay_address as `0x${string}` };
  }

  detail(tradeNo: string): Promise<DataOf<'order-detail'>> {
    return this.call('order-detail', { trade_no: tradeNo });
  }

  async balance(currencyId: number): Promise<{ readonly total: string; readonly operable: string }> {
    const { balance, operable_balance } = await this.call('account-balance', { currency_id: currencyId });
    return { total: balance, operable: operable_balance };
  }

  /** Every webhook of an order so far, refused attempts too, each of them verified. */
  webhooks(tradeNo: string): readonly ShopWebhook[] {
    return this.#received('PAYMENT').filter(({ body }) => body.trade_no === tradeNo);
  }

  /** Waits until so many webhooks of payments to an address were confirmed, and gives them in order. */
  qrPayments(address: string, count: number): Promise<readonly ShopWebhook<'QR_PAYMENT'>[]> {
    return waitUntil(
      `${count} confirmed webhooks of payments to ${address}`,
      () => {
        const confirmed = this.#received('QR_PAYMENT').filter(
          ({ answered, body }) => answered === 200 && body.to_address === address,
        );
        return confirmed.length >= count && confirmed;
      },
      { timeoutMs: 20_000 },
    );
  }

  /** Every webhook of a payout so far, refused attempts too, each of them verified. */
  transfers(tradeNo: string): readonly ShopWebhook<'TRANSFER'>[] {
    return this.#received('TRANSFER').filter(({ body }) => body.trade_no === tradeNo);
  }

  /** Waits until the order has so many webhooks that were confirmed, and gives them in order. */
  confirmed(tradeNo: string, count: number): Promise<readonly ShopWebhook[]> {
    return waitUntil(
      `${count} confirmed webhooks of ${tradeNo}`,
      () => {
        const confirmed = this.webhooks(tradeNo).filter(({ answered }) => answered === 200);
        return confirmed.length >= count && confirmed;
      },
      { timeoutMs: 20_000 },
    );
  }

  /** The next webhooks of this shop are refused with these statuses. */
  failNext(...statuses: readonly number[]): void {
    this.#access.receiver.failNext(`/${this.appId}`, ...statuses);
  }

  async #post(name: EndpointName, body: unknown): Promise<{ code: number; msg: string; data: unknown }> {
    const { appId, appKey, apiUrl } = this.#access;
    const text = JSON.stringify(body);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const response = await fetch(`${apiUrl()}${endpoints[name].path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-appid': appId,
        'x-timestamp': timestamp,
        'x-sign': signatureOf(text, timestamp, appKey),
      },
      body: text,
    });
    const raw = await response.text();
    const answeredAt = response.headers.get('x-timestamp') ?? '';
    const isSigned = response.headers.get('x-sign') === signatureOf(raw, answeredAt, appKey);
    if (response.status !== 200 || !isSigned) throw new Error(`${name}: ${response.status} ${raw}`);
    return JSON.parse(raw);
  }

  /** All webhooks of one type, refused attempts too, each of them verified. */
  #received<Type extends EventType>(type: Type): readonly ShopWebhook<Type>[] {
    const received = this.#access.receiver.received(`/${this.appId}`);
    return received
      .filter(({ body }) => JSON.parse(body).type === type)
      .map((webhook) => this.#verified(type, webhook));
  }

  #verified<Type extends EventType>(
    type: Type,
    { method, headers, body, answered }: ReceivedWebhook,
  ): ShopWebhook<Type> {
    const { appId, appKey } = this.#access;
    const timestamp = String(headers['x-timestamp']);
    const parsed: unknown = JSON.parse(body);
    if (!Value.Check(events[type].body, parsed)) throw new Error(`a webhook of another shape: ${body}`);
    const trouble = Object.entries({
      method: method === 'POST',
      'content-type': headers['content-type'] === 'application/json',
      'x-appid': headers['x-appid'] === appId && parsed.appid === appId,
      'x-timestamp': Math.abs(Number(timestamp) - Date.now() / 1000) <= 120,
      'x-sign': headers['x-sign'] === signatureOf(body, timestamp, appKey),
      'x-eventtype': headers['x-eventtype'] === parsed.status,
    }).flatMap(([what, isRight]) => (isRight ? [] : [what]));
    if (trouble.length > 0) throw new Error(`a webhook with a wrong ${trouble.join(', ')}: ${body}`);
    // The schema of this very type was checked above.
    const read = parsed as EventBodyOf<Type>;
    return { eventId: String(headers['x-event-id']), raw: body, answered, body: read };
  }
}

/** The signature formula of the contract, implemented once more for this shop. */
function signatureOf(body: string, timestamp: string, appKey: string): string {
  return createHmac('sha256', appKey).update(`${body}${timestamp}${appKey}`).digest('hex');
}
