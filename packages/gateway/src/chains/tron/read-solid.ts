// What a block holds once it cannot change any more: what two endpoints tell alike where two are configured.
import { unitsOf } from '@ducat/core/money/amount';
import type { ChainBlock } from '../port.ts';
import { Outage } from '../../outage.ts';
import type { EndpointAnswer, EndpointPool } from '../endpoint/endpoint-pool.ts';
import type { TronEndpoint } from './endpoint.ts';
import { readBlock } from './read-block.ts';
import type { Watched } from './watched.ts';

type Opinion = EndpointAnswer<TronEndpoint, ChainBlock>;

/** Logs and inner transfers are in no root, so two have to tell the same. Throws Outage that names the sides. */
export async function readSolid(
  endpoints: EndpointPool<TronEndpoint>,
  chain: string,
  number: number,
  watched: Watched,
): Promise<ChainBlock> {
  const needed = Math.min(2, endpoints.count);
  const { answers, failures } = await endpoints.collect(
    (endpoint) => readBlock(endpoint, 'solid', chain, number, watched),
    (opinions) => agreed(opinions, needed) !== null,
  );
  const block = agreed(answers, needed);
  if (block !== null) return block;
  if (answers.length < needed) throw endpoints.outage(failures);
  const names = answers.map(({ endpoint }) => endpoint.name).join(' and ');
  throw new Outage(`${chain}: the endpoints disagree on what moved in block ${number}: ${names}`, {
    retryable: true,
  });
}

function agreed(opinions: readonly Opinion[], needed: number): ChainBlock | null {
  const votes = new Map<string, number>();
  for (const { value } of opinions) {
    const text = textOf(value);
    const count = (votes.get(text) ?? 0) + 1;
    if (count >= needed) return value;
    votes.set(text, count);
  }
  return null;
}

function textOf({ header, transfers, untraced }: ChainBlock): string {
  const moved = transfers.map(
    ({ txId, position, from, to, amount }) =>
      `${txId} ${position} ${from} ${to} ${amount.currencyId} ${unitsOf(amount)}`,
  );
  return [header.hash, ...moved, ...untraced].join('\n');
}
