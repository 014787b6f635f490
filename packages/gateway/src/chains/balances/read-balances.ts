// Balances of many addresses, all after the same block, in as few calls as a provider lets us.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { Outage } from '../../runtime/outage.ts';
import { fewAtOnce, inChunks } from '../rpc/in-chunks.ts';
import { invalidAnswer } from '../rpc/invalid-answer.ts';
import { type MulticallAnswer, multicallData, readMulticall } from './multicall.ts';

export interface Balances {
  /** Height of the block whose state the balances are of. */
  readonly at: number;
  /** Base units, in the order of the holders. */
  readonly units: readonly bigint[];
}

export interface RunOutcome {
  /** What the code returned, as hex; null where it was not run. */
  readonly data: string | null;
  /** Whether a call for fewer holders may succeed. */
  readonly isTooMuch: boolean;
}

/** How the balances of one currency are asked of one provider. */
export interface BalanceSource {
  readonly token: string | null;
  /** Addresses in one call. */
  readonly perCall: number;
  /** The block whose state is read; null for that of the newest block. */
  readonly block: BlockHeader | null;
  /** Runs code that comes with a call. */
  run(code: string): Promise<RunOutcome>;
  /** Reads each holder's balance by itself. */
  readSingly(holders: readonly string[]): Promise<Balances>;
}

/**
 * Balances of at least one holder. Throws Outage 'not-yet' where the newest block changed between two calls, 'invalid' where
 * the answer is of another block than the named one.
 */
export async function readBalances(source: BalanceSource, holders: readonly string[]): Promise<Balances> {
  const parts = await fewAtOnce(inChunks(holders, source.perCall), (part) => readTogether(source, part));
  return joined(parts);
}

async function readTogether(source: BalanceSource, holders: readonly string[]): Promise<Balances> {
  const { data, isTooMuch } = await source.run(multicallData(source.token, holders));
  if (isTooMuch && holders.length > 1) {
    const halves = inChunks(holders, Math.ceil(holders.length / 2));
    return joined(await fewAtOnce(halves, (half) => readTogether(source, half)));
  }
  const answer = data === null ? null : readMulticall(data, holders.length);
  if (answer === null) return source.readSingly(holders);
  expectBlock(answer, source.block);
  // A holder whose balance the token did not give is asked for alone, so that the answer says why.
  const missing = holders.filter((_, index) => answer.units[index] === null);
  const alone = missing.length === 0 ? { at: answer.at, units: [] } : await source.readSingly(missing);
  if (alone.at !== answer.at) throw movedOn();
  const rest = alone.units.values();
  return { at: answer.at, units: answer.units.map((one) => one ?? rest.next().value ?? 0n) };
}

function expectBlock({ at, parentHash }: MulticallAnswer, block: BlockHeader | null): void {
  if (block !== null && (at !== block.number || `0x${parentHash}`.toLowerCase() !== block.parentHash))
    throw invalidAnswer(`answered with balances of another block than ${block.number}`);
}

function joined(parts: readonly Balances[]): Balances {
  const [first = { at: -1 }] = parts;
  if (parts.some(({ at }) => at !== first.at)) throw movedOn();
  return { at: first.at, units: parts.flatMap(({ units }) => units) };
}

function movedOn(): Outage {
  return new Outage('made a block between two calls for balances: ask for fewer at once', {
    kind: 'not-yet',
  });
}
