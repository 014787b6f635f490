// Contract events, as TronGrid's v1 API answers them.
import type { Chain } from '../chain/chain.ts';
import { type Block, blockOf } from '../chain/ledger.ts';
import { parseAddress } from '../protocol/address.ts';
import { type EventDecoder, loadEventDecoder } from './event-decoder.ts';
import { type Params, readBool, readInteger, readText } from './read-request.ts';
import { HttpAnswer } from './errors.ts';

interface FoundEvent {
  readonly block: Block;
  readonly txIndex: number;
  readonly logIndex: number;
}

const defaultLimit = 20n;
const mostLimit = 200n;

/** Answers contracts/<address>/events, transactions/<id>/events and blocks/<number|latest>/events. */
export async function eventsFor(chain: Chain, path: readonly string[], params: Params): Promise<unknown> {
  const [room = '', name = '', what = '', ...rest] = path;
  if (what !== 'events' || rest.length > 0) throw new HttpAnswer(404, 'Not Found');
  const decoder = await loadEventDecoder(chain);
  const found = eventsIn(chain, room, name);
  const all = found.flatMap((event) => printEvent(chain, decoder, event, room, name));
  const kept = all.filter((event) => isAsked(event, params));
  const ordered = readText(params, 'order_by') === 'block_timestamp,asc' ? kept : kept.toReversed();
  return page(ordered, params);
}

type PrintedEvent = ReturnType<typeof printEvent>[number];

function eventsIn(chain: Chain, room: string, name: string): readonly FoundEvent[] {
  const { ledger } = chain;
  if (room === 'transactions') {
    const place = ledger.main.places.get(name);
    return place === undefined
      ? []
      : logsOf(blockOf(ledger, place.blockId)).filter(({ txIndex }) => txIndex === place.index);
  }
  if (room === 'blocks') {
    const number = name === 'latest' ? chain.head.number : Number(name);
    const id = ledger.main.byNumber.get(number);
    return id === undefined ? [] : logsOf(blockOf(ledger, id));
  }
  if (room !== 'contracts') throw new HttpAnswer(404, 'Not Found');
  const events: FoundEvent[] = [];
  for (let number = 0; number <= chain.head.number; number += 1) {
    events.push(...logsOf(blockOf(ledger, ledger.main.byNumber.get(number) ?? '')));
  }
  return events;
}

function logsOf(block: Block): readonly FoundEvent[] {
  return block.transactions.flatMap(({ info }, txIndex) =>
    info.log.map((_, logIndex) => ({ block, txIndex, logIndex })),
  );
}

function printEvent(chain: Chain, decoder: EventDecoder, event: FoundEvent, room: string, name: string) {
  const included = event.block.transactions[event.txIndex];
  const log = included?.info.log[event.logIndex];
  if (included === undefined || log === undefined) return [];
  const address = `41${log.address}`;
  if (room === 'contracts' && parseAddress(name) !== address) return [];
  const decoded = decoder(address, log);
  return [
    {
      block_number: event.block.number,
      block_timestamp: event.block.timestamp,
      caller_contract_address: decoded.base58(included.info.contract_address),
      contract_address: decoded.base58(address),
      event_index: event.logIndex,
      event_name: decoded.name,
      result: decoded.result,
      result_type: decoded.resultTypes,
      event: decoded.signature,
      transaction_id: included.tx.txId,
      ...(event.block.number > chain.ledger.solidNumber && { _unconfirmed: true }),
    },
  ];
}

function isAsked(event: PrintedEvent, params: Params): boolean {
  const wanted = readText(params, 'event_name');
  const from = readInteger(params, 'min_block_timestamp');
  const to = readInteger(params, 'max_block_timestamp');
  const isConfirmed = event._unconfirmed !== true;
  if (wanted !== '' && event.event_name !== wanted) return false;
  if (BigInt(event.block_timestamp) < from) return false;
  if (to > 0n && BigInt(event.block_timestamp) > to) return false;
  if (
    params['block_number'] !== undefined &&
    BigInt(event.block_number) !== readInteger(params, 'block_number')
  )
    return false;
  if (readBool(params, 'only_confirmed') && !isConfirmed) return false;
  return !(readBool(params, 'only_unconfirmed') && isConfirmed);
}

/** One page of events. Its fingerprint is the start of the next page. */
function page(events: readonly PrintedEvent[], params: Params): unknown {
  const asked = params['limit'] === undefined ? defaultLimit : readInteger(params, 'limit');
  const limit = Number(asked > mostLimit ? mostLimit : asked);
  const start = Number(readText(params, 'fingerprint') || 0);
  const data = events.slice(start, start + limit);
  const isMore = start + limit < events.length;
  const at = Date.now();
  return {
    data,
    success: true,
    meta: { at, page_size: data.length, ...(isMore && { fingerprint: String(start + limit) }) },
  };
}
