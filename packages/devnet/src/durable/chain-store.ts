// The files of a durable chain: its identity, and numbered segments of one checkpoint and the journal that follows it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalEntry } from './chain-journal.ts';
import { readJournal } from './chain-journal.ts';
import { syncFolder, writeFileDurably } from '../process/durable-file.ts';
import { asHex } from '../evm/json-rpc.ts';

/** The facts that identify this chain. Written once. */
export interface ChainIdentity {
  readonly chainId: number;
  /** Seconds; part of the genesis block and thus of its hash. */
  readonly genesisTimestamp: number;
  readonly slotsInEpoch: number;
}

/** The node's state after some block, with the transactions that waited in the pool, oldest first. */
export interface Checkpoint {
  readonly state: Uint8Array;
  readonly pending: readonly `0x${string}`[];
}

/** The number of blocks that the node executed itself, so that it can take them back. */
export interface OwnBlocks {
  /** Since the newest checkpoint. */
  readonly sinceCheckpoint: number;
  /** Before the newest checkpoint. */
  readonly before: number;
}

/** The point that a start continues from. An undefined checkpoint means from genesis. `segment` takes the new entries. */
export interface Resumption {
  readonly checkpoint: Checkpoint | undefined;
  readonly entries: readonly JournalEntry[];
  readonly segment: number;
  readonly blocks: OwnBlocks;
}

/** Reads the identity, or writes it when the folder is new. Throws when the folder holds another chain. */
export function openIdentity(folder: string, wanted: ChainIdentity): ChainIdentity {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'chain.json');
  if (!existsSync(path)) {
    writeFileDurably(path, `${JSON.stringify(wanted)}\n`);
    return wanted;
  }
  const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof found !== 'object' || found === null || !('chainId' in found && 'genesisTimestamp' in found)) {
    throw new Error(`${path} has an unknown shape`);
  }
  if (found.chainId !== wanted.chainId || typeof found.genesisTimestamp !== 'number') {
    throw new Error(`${folder} holds another chain than ${wanted.chainId}`);
  }
  // Finality may be configured differently at each start, because it changes no block.
  return { ...wanted, genesisTimestamp: found.genesisTimestamp };
}

export function journalPath(folder: string, segment: number): string {
  return join(folder, `segment-${segment}.journal`);
}

/**
 * Finds the point to continue from: the last checkpoint but one. The replay then also restores the states of the blocks
 * before the newest checkpoint, because a loaded node can trace, query and take back only the blocks that it has executed
 * itself.
 */
export function readResumption(folder: string): Resumption {
  const [newest = 0, before = 0] = checkpointsOf(folder);
  const segment = Math.max(newest, ...numbersOf(folder, 'journal'));
  const problems: string[] = [];
  for (const first of new Set([before, newest])) {
    try {
      const checkpoint = first === 0 ? undefined : readCheckpoint(folder, first);
      const older = readJournals(folder, first, newest, segment);
      const newer = readJournals(folder, newest, segment + 1, segment);
      const blocks = { sinceCheckpoint: netBlocks(newer), before: netBlocks(older) };
      return { checkpoint, entries: [...older, ...newer], segment, blocks };
    } catch (error) {
      problems.push(error instanceof Error ? error.message : 'unknown');
    }
  }
  throw new Error(
    `the chain in ${folder} cannot be read: ${problems.join('; ')}. Delete the folder to begin a new one`,
  );
}

/** The entries of the segments from `first` to before `end`. Only the last segment of all may have no journal yet. */
function readJournals(folder: string, first: number, end: number, last: number): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (let segment = first; segment < end; segment += 1) {
    const path = journalPath(folder, segment);
    if (segment < last && !existsSync(path)) throw new Error(`segment ${segment} is gone`);
    for (const entry of readJournal(path)) entries.push(entry);
  }
  return entries;
}

function netBlocks(entries: readonly JournalEntry[]): number {
  let blocks = 0;
  for (const entry of entries) {
    if (entry.kind === 'block') blocks += 1;
    if (entry.kind === 'rollback') blocks -= entry.depth;
  }
  return blocks;
}

/** Writes the checkpoint that opens a segment, and deletes files that no start will need again. */
export function writeCheckpoint(folder: string, segment: number, { state, pending }: Checkpoint): void {
  const digest = createHash('sha256').update(state).digest('hex');
  const header = Buffer.from(`${JSON.stringify({ pending, digest })}\n`);
  writeFileDurably(checkpointPath(folder, segment), Buffer.concat([header, state]));
  const [, before = 0] = checkpointsOf(folder);
  const isOld = (number: number) => number < before;
  for (const old of numbersOf(folder, 'checkpoint').filter(isOld)) rmSync(checkpointPath(folder, old));
  for (const old of numbersOf(folder, 'journal').filter(isOld)) rmSync(journalPath(folder, old));
}

/** Deletes the newest checkpoint. The journals around it remain, and a start replays them as one. */
export function dropCheckpoint(folder: string): void {
  const [newest = 0] = checkpointsOf(folder);
  rmSync(checkpointPath(folder, newest), { force: true });
  syncFolder(folder);
}

function readCheckpoint(folder: string, segment: number): Checkpoint {
  const path = checkpointPath(folder, segment);
  const bytes = readFileSync(path);
  const split = bytes.indexOf('\n');
  const header: unknown = JSON.parse(bytes.subarray(0, split).toString('utf8'));
  const state = bytes.subarray(split + 1);
  if (typeof header !== 'object' || header === null || !('pending' in header && 'digest' in header)) {
    throw new Error(`${path} has an unknown header`);
  }
  if (createHash('sha256').update(state).digest('hex') !== header.digest)
    throw new Error(`${path} is damaged`);
  if (!Array.isArray(header.pending)) throw new Error(`${path} has no list of pending transactions`);
  return { state, pending: header.pending.map((raw: unknown) => asHex(raw, path)) };
}

function checkpointPath(folder: string, segment: number): string {
  return join(folder, `segment-${segment}.checkpoint`);
}

/** The checkpoints, newest first. Genesis is number 0 and has no file. */
function checkpointsOf(folder: string): number[] {
  return [...numbersOf(folder, 'checkpoint'), 0].sort((left, right) => right - left);
}

function numbersOf(folder: string, kind: 'checkpoint' | 'journal'): number[] {
  const pattern = new RegExp(`^segment-(\\d+)\\.${kind}$`);
  const matches = readdirSync(folder).map((name) => pattern.exec(name));
  return matches.flatMap((match) => (match === null ? [] : [Number(match[1])]));
}
