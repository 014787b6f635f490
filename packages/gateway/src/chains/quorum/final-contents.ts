// What a quorum reports of a final block that does not prove its contents itself.
import { unitsOf } from '@ducat/core/money/amount';
import { Outage } from '../../runtime/outage.ts';
import type { BlockQuery, ChainBlock, SelectOurs } from '../port/reader.ts';
import { ask } from './ask.ts';
import { limits } from './limits.ts';
import type { Answer, Outcome, Provider } from './provider.ts';
import { groups, inOrder, outageOf, type Quorum } from './providers.ts';

export interface ContentsRequest {
  readonly number: number;
  readonly query: BlockQuery;
  readonly selectOurs: SelectOurs;
}

/** See ChainReader.finalContents. */
export async function agreeOnContents(quorum: Quorum, request: ContentsRequest): Promise<ChainBlock> {
  const { needed, chain } = quorum;
  const { number } = request;
  const what = `the contents of final block ${number} need ${needed} providers`;
  const order = inOrder(quorum, number);
  if (order.length < needed) throw outageOf(quorum, what, []);
  const largest = (some: readonly Answer<ChainBlock>[]): readonly Answer<ChainBlock>[] =>
    groups(some, textOf)[0] ?? [];
  const { answers, failures } = await ask(quorum, {
    order,
    request: (provider) => readReport(provider, request),
    missing: (some) => needed - largest(some).length,
    hedgeMs: limits.readHedgeMs,
  });
  const agreed = largest(answers);
  const [first] = agreed;
  if (first !== undefined && agreed.length >= needed) {
    for (const answer of answers.filter((one) => !agreed.includes(one)))
      answer.provider.breaker.outvoted(` on final block ${number}: reports ${inWords(answer.value)}`);
    return first.value;
  }
  if (answers.length < needed) throw outageOf(quorum, what, failures);
  const reports = answers.map(({ provider, value }) => `${provider.name} reports ${inWords(value)}`);
  const message = `${chain}: providers disagree on the contents of final block ${number}: ${reports.join('; ')}`;
  throw new Outage(message, { kind: 'disagreement' });
}

async function readReport(
  provider: Provider,
  { number, query, selectOurs }: ContentsRequest,
): Promise<Outcome<ChainBlock>> {
  const outcome = await provider.call((reader) => reader.finalBlock(number, query));
  if ('outage' in outcome) return outcome;
  if (outcome.value !== null) return { provider, value: await selectOurs(outcome.value) };
  return { provider, outage: new Outage(`block ${number} is not final there yet`, { kind: 'not-yet' }) };
}

/** A text that is equal for equal reports. */
function textOf({ header, transfers, inclusions }: ChainBlock): string {
  const moved = transfers.map(({ txId, position, from, to, amount }) =>
    [txId, position, from, to, amount.currencyId, unitsOf(amount)].join(' '),
  );
  const included = inclusions.map(({ txId, status, payer, fee }) =>
    [txId, status, payer, fee.currencyId, unitsOf(fee)].join(' '),
  );
  // The hash of a proven header also fixes parent and time. Of any other header they are the provider's claim, so they are
  // compared.
  const { hash, parentHash, time } = header;
  return JSON.stringify([hash, parentHash, time, moved.sort(), included.sort()]);
}

/** A summary of bounded size, with enough transaction ids to look the block up. */
function inWords({ header, transfers, inclusions }: ChainBlock): string {
  const ids = new Set([...transfers, ...inclusions].map(({ txId }) => txId));
  const some = [...ids].slice(0, 5).join(', ') || 'none';
  return `${header.hash} with ${transfers.length} transfers of ours (transactions: ${some})`;
}
