// Checks that the books have the orders that were promised, and only orders that a merchant asked for.
import type { Books, OrderRow } from '../books.ts';
import type { Finding } from '../finding.ts';
import { groupBy } from '../group-by.ts';
import { plainAddress } from '../plain-address.ts';

/** An order that a merchant asked for, with or without an answer. */
export interface Asked {
  readonly appId: string;
  readonly outTradeNo: string;
  readonly chain: string;
  readonly currencyId: number;
  readonly units: bigint;
  /** The expiry that was asked for, in Unix seconds. */
  readonly timeOut: number;
}

/** An order that its merchant was promised. */
export interface Promised {
  readonly appId: string;
  readonly outTradeNo: string;
  readonly tradeNo: string;
  readonly address: string;
  readonly currencyId: number;
  readonly units: bigint;
  readonly timeExpire: number;
}

type Numbered = Pick<Promised, 'appId' | 'outTradeNo'>;

const numberOf = ({ appId, outTradeNo }: Numbered) => `${appId}/${outTradeNo}`;

export function checkPromises(
  books: Books,
  asked: readonly Asked[],
  promised: readonly Promised[],
): readonly Finding[] {
  const byNumber = groupBy(books.orders, ({ app_id, out_trade_no }) => `${app_id}/${out_trade_no}`);
  return [
    ...checkAsked(byNumber, asked),
    ...promised.flatMap((promise) => checkPromise(byNumber.get(numberOf(promise))?.[0], promise)),
    ...checkAddresses(books, promised),
  ];
}

/** Each order in the books was asked for, stands there once, and has the values that were asked for. */
function checkAsked(
  byNumber: ReadonlyMap<string, readonly OrderRow[]>,
  asked: readonly Asked[],
): readonly Finding[] {
  const questions = new Map(asked.map((question) => [numberOf(question), question]));
  return [...byNumber].flatMap(([number, [order, ...others]]): readonly Finding[] => {
    const findings: Finding[] = others.map(() => ({ fault: 'doubled', what: `the order ${number}` }));
    const question = questions.get(number);
    if (question === undefined)
      return [...findings, { fault: 'invented', what: `the order ${number}, which nobody asked for` }];
    const { chain, currencyId, units, timeOut } = question;
    const wanted = [chain, currencyId, units, timeOut].join();
    const kept = [order?.chain, order?.currency_id, order?.due, order?.time_expire].join();
    if (kept !== wanted)
      findings.push({ fault: 'wrong', what: `${number} was asked for as ${wanted} and is kept as ${kept}` });
    return findings;
  });
}

function checkPromise(order: OrderRow | undefined, promise: Promised): readonly Finding[] {
  const { tradeNo, outTradeNo, address, currencyId, units, timeExpire } = promise;
  if (order === undefined)
    return [{ fault: 'lost', what: `the acknowledged order ${tradeNo} (${outTradeNo})` }];
  const kept = [
    order.trade_no,
    order.address.toLowerCase(),
    order.currency_id,
    order.due,
    Number(order.time_expire),
  ].join();
  const answered = [tradeNo, plainAddress(address), currencyId, String(units), timeExpire].join();
  if (kept === answered) return [];
  return [{ fault: 'wrong', what: `an order was promised as ${answered} and is kept as ${kept}` }];
}

/** No address is shown to two customers, and each address that was shown is watched for its order. */
function checkAddresses({ addresses }: Books, promised: readonly Promised[]): readonly Finding[] {
  const findings: Finding[] = [];
  const watched = new Map(addresses.map((row) => [row.address.toLowerCase(), row]));
  for (const [address, [first, ...others]] of groupBy(promised, (one) => plainAddress(one.address))) {
    for (const { tradeNo } of others)
      findings.push({
        fault: 'doubled',
        what: `${address} was promised to ${first?.tradeNo} and ${tradeNo}`,
      });
    const row = watched.get(address);
    const kept = `${row?.app_id}/${row?.trade_no}`;
    if (row === undefined)
      findings.push({ fault: 'lost', what: `nobody watches ${address} of ${first?.tradeNo}` });
    else if (kept !== `${first?.appId}/${first?.tradeNo}`)
      findings.push({ fault: 'wrong', what: `${address} of ${first?.tradeNo} is kept for ${kept}` });
  }
  return findings;
}
