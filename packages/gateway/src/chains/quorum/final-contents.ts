// What a quorum reports of a final block that does not prove its contents itself.
import { unitsOf } from '@ducat/core/money/amount';
import { Outage } from '../../runtime/outage.ts';
import type { BlockQuery, ChainBlock, SelectOurs } from '../port/reader.ts';
import { ask } from './ask.ts';
import { groups } from './groups.ts';
import { limits } from './limits.ts';
import type { Answer, Outcome, Provider } from './provider.ts';
import { inOrder, outageOf, type Quorum } from './providers.ts';
import type { ServedBlocks } from './served-blocks.ts';

export interface FinalContents {
  readonly quorum: Quorum;
  readonly served: ServedBlocks;
}

export interface ContentsRequest {
  readonly number: number;
  readonly query: BlockQuery;
  readonly selectOurs: SelectOurs;
}

/** A report, reduced to what concerns us, and the text by which it is compared. */
interface Report {
  readonly block: ChainBlock;
  readonly key: string;
}

/** See ChainReader.finalContents. A provider's report from when it served the block counts as its report. */
export async function agreeOnContents(
  { quorum, served }: FinalContents,
  request: ContentsRequest,
): Promise<ChainBlock> {
  const { number, query, selectOurs } = request;
  const { needed, chain } = quorum;
  const known = served.finalReport(number, query);
  const reused: readonly Answer<Report>[] =
    known === null ? [] : [{ provider: known.provider, value: await reportOf(known.block, selectOurs) }];
  const order = inOrder(quorum, number).filter((provider) => provider !== known?.provider);
  const what = `the contents of final block ${number} need ${needed} providers`;
  if (reused.length + order.length < needed) throw outageOf(quorum, what, []);
  const largest = (some: readonly Answer<Report>[]): readonly Answer<Report>[] =>
    groups([...reused, ...some], ({ value }) => value.key)[0] ?? [];
  const { answers, failures } = await ask(quorum, {
    order,
    run: (provider) => readReport(provider, request),
    missing: (round) => needed - largest(round.answers).length,
    hedgeMs: limits.readHedgeMs,
  });
  const agreed = largest(answers);
  const all = [...reused, ...answers];
  if (agreed.length >= needed) {
    for (const answer of all) {
      if (agreed.includes(answer)) answer.provider.agreed();
      else
        answer.provider.doubt(`outvoted on the contents of final block ${number}: ${inWords(answer.value)}`);
    }
    return chosen(agreed);
  }
  if (all.length < needed) throw outageOf(quorum, what, failures);
  const reports = all.map(({ provider, value }) => `${provider.name} reports ${inWords(value)}`);
  const message = `${chain}: providers disagree on the contents of final block ${number}: ${reports.join('; ')}`;
  throw new Outage(message, { kind: 'disagreement' });
}

async function readReport(
  provider: Provider,
  { number, query, selectOurs }: ContentsRequest,
): Promise<Outcome<Report>> {
  const outcome = await provider.call((reader) => reader.finalBlock(number, query));
  if ('outage' in outcome) return outcome;
  if (outcome.value !== null) return { provider, value: await reportOf(outcome.value, selectOurs) };
  return { provider, outage: new Outage(`block ${number} is not final there yet`, { kind: 'not-yet' }) };
}

/** Proposals are not compared: a node that stores no internal transactions reports none. */
async function reportOf(whole: ChainBlock, selectOurs: SelectOurs): Promise<Report> {
  const block = await selectOurs(whole);
  const transfers = block.transfers.map(({ txId, position, from, to, amount }) =>
    [txId, position, from, to, amount.currencyId, unitsOf(amount)].join(' '),
  );
  const inclusions = block.inclusions.map(({ txId, status, payer, fee }) =>
    [txId, status, payer, fee.currencyId, unitsOf(fee)].join(' '),
  );
  return { block, key: JSON.stringify([block.header.hash, transfers.sort(), inclusions.sort()]) };
}

/** Equal reports differ in proposals alone, and the more there are, the more a balance can confirm. */
function chosen(agreed: readonly Answer<Report>[]): ChainBlock {
  const blocks = agreed.map(({ value }) => value.block);
  const [first] = blocks.sort((one, other) => other.proposals.length - one.proposals.length);
  if (first === undefined) throw new Outage('no report was agreed on');
  return first;
}

/** Enough to look it up with, whatever a provider sent. */
function inWords({ block }: Report): string {
  const { header, transfers, inclusions } = block;
  const some = transfers
    .slice(0, 3)
    .map(({ txId, to, amount }) => `${txId} ${unitsOf(amount)} of ${amount.currencyId} to ${to}`);
  const fates = inclusions.slice(0, 3).map(({ txId, status }) => `${txId} ${status}`);
  return `${header.hash} with ${transfers.length} transfers of ours (${[...some, ...fates].join(', ') || 'none'})`;
}
