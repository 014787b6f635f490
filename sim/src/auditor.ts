// The naive model: what must have become of every payment, by the chains and the orders alone.
//
// The model imports nothing of the product. It reads the canonical blocks, the answers to merchants, and the owners
// of the addresses. It goes through the transfers once and gives the expected orders and credits.

/** A value transfer on a chain, as the blocks show it. */
export interface SeenTransfer {
  readonly chain: string;
  /** Chains of one family share their addresses. */
  readonly family: string;
  readonly txId: string;
  readonly position: string;
  readonly to: string;
  readonly currencyId: number;
  readonly units: bigint;
  readonly blockTime: number;
  /** The step of the run at which its block was mined. */
  readonly minedAtStep: number;
}

export interface KnownOrder {
  readonly tradeNo: string;
  readonly appId: string;
  readonly outTradeNo: string;
  readonly address: string;
  readonly chain: string;
  /** The chain id as merchants get it: only Ethereum and chains of its series have one, others have 0. */
  readonly chainId: number;
  readonly currencyId: number;
  readonly decimals: number;
  /** The price in base units. */
  readonly due: bigint;
  /** The base units that the answer to the merchant asks for. */
  readonly answeredDue: bigint;
  /** As the merchant wrote them, "" where the request had none. */
  readonly fiatName: string;
  readonly fiatAmount: string;
  readonly redirectUrl: string;
  readonly tolerancePpm: bigint;
  readonly createTime: number;
  readonly timeExpire: number;
  /** The step at which the merchant had the answer. From then on the order surely exists. */
  readonly answeredAtStep: number;
}

export interface Evidence {
  /** All transfers on all chains, in the order of each chain, and only in currencies that the gateway takes. */
  readonly transfers: readonly SeenTransfer[];
  readonly orders: readonly KnownOrder[];
  /** The app that owns an address, by family and address. */
  readonly owners: ReadonlyMap<string, string>;
  readonly feesPpm: ReadonlyMap<string, bigint>;
  /** Unix seconds up to which each chain is final. */
  readonly finalTimes: ReadonlyMap<string, number>;
  /**
   * The transfers that the books counted, as `referenceOf` says. A payment that was mined before its order existed
   * may count or not, depending on which of them the books took first. So the books decide.
   */
  readonly countedEarly: ReadonlySet<string>;
  /**
   * The order in which the books took credits, by reference. Internal transactions are found later than the other
   * transfers of their block, so here too the books decide.
   */
  readonly creditedAt: ReadonlyMap<string, number>;
  /** Receipts that only balances explain, because no provider could show their transactions. */
  readonly balanceReceipts: readonly BalanceReceipt[];
  /** By chain, how little is not searched for, in base units of the native currency. */
  readonly dust: ReadonlyMap<string, bigint>;
  /** Wallets of ours, which no payer is shown; none where nothing is paid out. */
  readonly wallets?: ReadonlySet<string>;
}

export interface BalanceReceipt {
  readonly reference: string;
  readonly chain: string;
  readonly to: string;
  readonly currencyId: number;
  readonly units: bigint;
}

export interface ExpectedOrder {
  readonly due: bigint;
  readonly answeredDue: bigint;
  readonly status: string;
  readonly collected: bigint;
  /** The webhooks that the merchant must get, in order. */
  readonly bodies: readonly Readonly<Record<string, string | number>>[];
}

export interface ExpectedCredit {
  readonly fact: string;
  /** The owner of the custody account: the chain, or the chain and the wallet. */
  readonly custody: string;
  readonly appId: string;
  readonly chain: string;
  readonly currencyId: number;
  readonly net: bigint;
  readonly fee: bigint;
}

export interface Verdict {
  readonly orders: ReadonlyMap<string, ExpectedOrder>;
  readonly credits: ReadonlyMap<string, ExpectedCredit>;
}

/** How far the time of a block may be behind the creation of an order. */
const CLOCK_SLACK_S = 600;

interface Running {
  readonly order: KnownOrder;
  status: string;
  collected: bigint;
  /** The newest transfer that counted. */
  lastTxId: string;
  readonly bodies: Record<string, string | number>[];
}

export function referenceOf({
  chain,
  txId,
  position,
}: Pick<SeenTransfer, 'chain' | 'txId' | 'position'>): string {
  return `${chain}/${txId}/${position}`;
}

/** The expected orders and credits, once everything on the chains is final. */
export function verdictOf(evidence: Evidence): Verdict {
  const running = new Map<string, Running>();
  for (const order of evidence.orders) {
    running.set(order.address, { order, status: 'TO-BE-PAID', collected: 0n, lastTxId: '', bodies: [] });
  }
  const { shown, receipts } = asShown(evidence);
  const credits = new Map<string, ExpectedCredit>(receipts);
  for (const group of inGroups(shown, running, evidence)) {
    const [first] = group;
    const owner = first === undefined ? undefined : evidence.owners.get(`${first.family} ${first.to}`);
    if (first === undefined || owner === undefined) continue;
    const candidate = running.get(first.to);
    const counts = candidate !== undefined && countsFor(candidate.order, first, evidence);
    if (counts) receive(candidate, group);
    for (const transfer of group) {
      const ppm = counts ? (evidence.feesPpm.get(owner) ?? 0n) : 0n;
      const fee = (transfer.units * ppm) / 1_000_000n;
      credits.set(referenceOf(transfer), {
        fact: counts ? 'deposit' : 'unassigned-receipt',
        custody: custodyOf(evidence, transfer),
        appId: owner,
        chain: transfer.chain,
        currencyId: transfer.currencyId,
        net: transfer.units - fee,
        fee,
      });
    }
  }
  const orders = new Map<string, ExpectedOrder>();
  for (const one of running.values()) {
    const finalTime = evidence.finalTimes.get(one.order.chain) ?? 0;
    if (one.status === 'TO-BE-PAID' && finalTime > one.order.timeExpire) timeOut(one);
    const { due, answeredDue, tradeNo } = one.order;
    orders.set(tradeNo, {
      due,
      answeredDue,
      status: one.status,
      collected: one.collected,
      bodies: one.bodies,
    });
  }
  return { orders, credits };
}

/** Whether neither a log nor the value of the transaction shows the transfer. Then a balance has to show it. */
export function isInternal({ position }: Pick<SeenTransfer, 'position'>): boolean {
  return position.startsWith('internal:');
}

/**
 * `shown` must be credited by their transactions; `receipts` stand for internal transactions that only balances
 * explain. Receipts are right where they add up to the internal transactions of their address that have no credit, up
 * to dust. Otherwise no internal transaction is forgiven, so the missing credit is found.
 */
function asShown(evidence: Evidence): {
  readonly shown: readonly SeenTransfer[];
  readonly receipts: readonly (readonly [string, ExpectedCredit])[];
} {
  const hidden = new Map<string, SeenTransfer[]>();
  for (const transfer of evidence.transfers) {
    if (!isInternal(transfer) || evidence.creditedAt.has(referenceOf(transfer))) continue;
    const key = `${transfer.chain} ${transfer.to}`;
    hidden.set(key, [...(hidden.get(key) ?? []), transfer]);
  }
  const forgiven = new Set<SeenTransfer>();
  const receipts: (readonly [string, ExpectedCredit])[] = [];
  for (const [key, transfers] of hidden) {
    const [first] = transfers;
    const owner = first === undefined ? undefined : evidence.owners.get(`${first.family} ${first.to}`);
    if (first === undefined || owner === undefined) continue;
    const own = evidence.balanceReceipts.filter((one) => `${one.chain} ${one.to}` === key);
    const missing = sumOf(transfers) - sumOf(own);
    if (missing < 0n || missing > (evidence.dust.get(first.chain) ?? 0n)) continue;
    for (const transfer of transfers) forgiven.add(transfer);
    for (const { reference, chain, currencyId, units } of own) {
      const custody = custodyOf(evidence, { chain, to: first?.to ?? '' });
      const credit = {
        fact: 'unassigned-receipt',
        custody,
        appId: owner,
        chain,
        currencyId,
        net: units,
        fee: 0n,
      };
      receipts.push([reference, credit]);
    }
  }
  return { shown: evidence.transfers.filter((one) => !forgiven.has(one)), receipts };
}

function custodyOf(
  { wallets }: Evidence,
  { chain, to }: { readonly chain: string; readonly to: string },
): string {
  return wallets?.has(to) === true ? `${chain}/${to}` : chain;
}

function sumOf(parts: readonly { readonly units: bigint }[]): bigint {
  return parts.reduce((sum, { units }) => sum + units, 0n);
}

/**
 * Parts that one transaction pays to one order count together. The groups come in the order in which the books took
 * them.
 */
function inGroups(
  shown: readonly SeenTransfer[],
  running: ReadonlyMap<string, Running>,
  evidence: Evidence,
): readonly (readonly SeenTransfer[])[] {
  const placeOf = (transfer: SeenTransfer): number =>
    evidence.creditedAt.get(referenceOf(transfer)) ?? Number.MAX_SAFE_INTEGER;
  const groups = new Map<string, SeenTransfer[]>();
  for (const transfer of shown.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    if (transfer.units === 0n) continue;
    const order = running.get(transfer.to)?.order;
    const isPart = order !== undefined && countsFor(order, transfer, evidence);
    const key = isPart ? `${transfer.chain} ${transfer.txId} ${transfer.to}` : referenceOf(transfer);
    groups.set(key, [...(groups.get(key) ?? []), transfer]);
  }
  return [...groups.values()];
}

/** Whether a transfer to the order's address counts for it. Other chains, other currencies and earlier payments do not. */
export function countsFor(
  order: KnownOrder,
  transfer: SeenTransfer,
  evidence: Pick<Evidence, 'countedEarly'>,
): boolean {
  if (transfer.chain !== order.chain || transfer.currencyId !== order.currencyId) return false;
  if (transfer.blockTime < order.createTime - CLOCK_SLACK_S) return false;
  return transfer.minedAtStep > order.answeredAtStep || evidence.countedEarly.has(referenceOf(transfer));
}

function receive(one: Running, parts: readonly SeenTransfer[]): void {
  const [first] = parts;
  if (first === undefined) return;
  if (one.status === 'TO-BE-PAID' && first.blockTime > one.order.timeExpire) timeOut(one);
  one.collected += sumOf(parts);
  one.lastTxId = first.txId;
  if (one.status !== 'TO-BE-PAID') return;
  const { due, tolerancePpm } = one.order;
  const forgiven = (due * tolerancePpm) / 1_000_000n;
  if (one.collected + forgiven >= due) one.status = 'PAID';
  report(one, first.txId, first.blockTime);
}

function timeOut(one: Running): void {
  one.status = 'TIME-OUT';
  report(one, one.lastTxId, one.order.timeExpire);
}

function report(one: Running, txid: string, time: number): void {
  const { order } = one;
  one.bodies.push({
    appid: order.appId,
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    amount_collected: decimalText(one.collected, order.decimals),
    amount: order.fiatAmount,
    token_amount: decimalText(order.due, order.decimals),
    chain: order.chain,
    chain_id: order.chainId,
    type: 'PAYMENT',
    currency_id: order.currencyId,
    txid,
    status: one.status,
    time,
    redirect_url: order.redirectUrl,
  });
}

export interface Price {
  readonly tokenAmount: string | null;
  readonly fiatAmount: string | null;
  /** 10^-18 of the fiat for one whole token. */
  readonly priceUnits: bigint;
  readonly decimals: number;
  readonly displayDecimals: number;
}

/** The price in base units. Fiat is divided by the price of a token and rounded up, so that no merchant gets less. */
export function dueOf({ tokenAmount, fiatAmount, priceUnits, decimals, displayDecimals }: Price): bigint {
  if (tokenAmount !== null) return unitsOfText(tokenAmount, decimals);
  const shown = BigInt(Math.min(decimals, displayDecimals));
  const dividend = unitsOfText(fiatAmount ?? '0', 18) * 10n ** shown;
  const display = (dividend + priceUnits - 1n) / priceUnits;
  return display * 10n ** (BigInt(decimals) - shown);
}

/** A plain decimal in base units. */
export function unitsOfText(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
}

/** Base units as people write them: no zeros at the end. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
