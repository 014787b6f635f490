// Keeps the chain in a file, one record per line. A line that a crash cut off is ignored when the file is read.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Chain, ChainState } from '../chain/chain.ts';
import type { ClockState } from '../chain/clock.ts';
import type { Block } from '../chain/ledger.ts';
import { blockRecord, type BlockRecord, chainStateOf, type StandRecord, standRecord } from './records.ts';
import { readRecord, writeRecord } from './record-text.ts';

export interface LoadedChain {
  readonly state: ChainState;
  readonly clock: ClockState;
}

/** The chain in the file, or null where there is none yet. Throws where the file holds something else. */
export function loadChain(path: string): LoadedChain | null {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  // The text after the last line end was being written when the process died.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  const blocks = new Map<string, BlockRecord>();
  let stand: StandRecord | null = null;
  for (const line of whole.split('\n')) {
    if (line === '') continue;
    // Only this module writes the file. A foreign file fails at the first missing field.
    const record = readRecord(line) as BlockRecord | StandRecord;
    if (record.kind === 'block') blocks.set(record.id, record);
    else if (record.kind === 'stand') stand = record;
    else throw new Error(`${path} is no state file of tron-dev`);
  }
  return stand === null ? null : { state: chainStateOf([...blocks.values()], stand), clock: stand.clock };
}

/**
 * Appends every change of the chain from now on. `isKnown` means that the file has the chain up to now. Returns the
 * function that closes the file.
 */
export function keepChain(path: string, chain: Chain, isKnown: boolean): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a');
  const written = new Map<string, Block>();
  const append = (blocks: readonly Block[]) => {
    const lines: string[] = [];
    for (const block of blocks) {
      if (written.get(block.id) === block) continue;
      written.set(block.id, block);
      lines.push(writeRecord(blockRecord(block)));
    }
    lines.push(writeRecord(standRecord(chain.state, chain.clock.state)));
    writeSync(file, `${lines.join('\n')}\n`);
  };
  if (isKnown) for (const block of chain.ledger.blocks.values()) written.set(block.id, block);
  append([...chain.ledger.blocks.values()]);
  chain.onChange(append);
  return () => closeSync(file);
}
