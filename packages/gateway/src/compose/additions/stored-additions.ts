// Chains and tokens added on the dashboard: opened with the master secret, checked like the file, and joined to it.
import { ConfigError } from '../../config/config-error.ts';
import type { Config } from '../../config/load-config.ts';
import { readEntry, readSection } from '../../config/additions/read-section.ts';
import {
  type AddedChain,
  type AddedToken,
  type Additions,
  isInFile,
  type LeftOut,
  withAdditions,
} from '../../config/additions/with-additions.ts';
import { type Reader, openDatabase } from '../../db/postgres/tx.ts';
import {
  type AdditionKey,
  hasAddedChains,
  readAddedChains,
  readAddedTokens,
} from '../../db/tables/added-chains.ts';
import { readPinnedOf, readUsed } from '../../db/tables/currencies.ts';
import type { Unsettled } from '../../flows/currencies/restore-additions.ts';
import { openSealing, type Sealing } from '../../keys/sealing.ts';
import { realWorld } from '../../runtime/world.ts';

/** How long a removed row still counts at a start. An order is written well within this time of its request. */
const REMOVED_COUNTS_MS = 5 * 60_000;

const PURPOSE = 'ducat added-chain sealing v1';

export function additionSealing({ masterSecret }: Pick<Config, 'masterSecret'>): Sealing {
  return openSealing(masterSecret, PURPOSE);
}

/** The name that a row is sealed under. A row that was copied to another name does not open. */
export const sealedName = {
  chain: (chain: string) => `chain ${chain}`,
  token: (chain: string, currencyId: number) => `token ${chain} ${currencyId}`,
} as const;

export interface StoredAdditions extends Additions {
  /** Rows that cannot be opened or parsed. They are left out one by one, so that a damaged row does not end the start. */
  readonly damaged: readonly LeftOut[];
  /** Rows that were changed or removed since the last start. */
  readonly unsettled: readonly Unsettled[];
}

/** With `isStart`, also checks whether changed or removed currencies were used. That check reads whole tables. */
export async function readAdditions(
  config: Pick<Config, 'masterSecret'>,
  reader: Reader,
  isStart: boolean,
): Promise<StoredAdditions> {
  const sealing = additionSealing(config);
  const chains: AddedChain[] = [];
  const tokens: AddedToken[] = [];
  const damaged: LeftOut[] = [];
  const take = (what: Pick<LeftOut, 'name' | 'chain' | 'currencyId'>, read: () => void) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      damaged.push({ ...what, isInFile: false, reason: error.message });
    }
  };
  const rows = [
    ...(await readAddedChains(reader)).map((row) => ({ ...row, currencyId: null })),
    ...(await readAddedTokens(reader)),
  ];
  const unsettled = isStart ? await readUnsettled(reader, rows) : [];
  for (const row of rows) {
    const { chain, currencyId } = row;
    const isOvertaken = unsettled.some((one) => one.isOvertaken && one.sealed === row.sealed);
    const counts = row.removedAtMs === null || isOvertaken || (isStart && isFresh(row.removedAtMs));
    if (!counts) continue;
    const sealed = (isOvertaken ? row.sealedBefore : null) ?? row.sealed;
    if (currencyId === null)
      take({ name: chain, chain, currencyId: null }, () => {
        const section = readSection(chain, opened(sealing, sealedName.chain(chain), sealed));
        chains.push({ name: chain, section });
      });
    else
      take({ name: `${chain} ${currencyId}`, chain, currencyId }, () => {
        const entry = readEntry(chain, opened(sealing, sealedName.token(chain, currencyId), sealed));
        tokens.push({ chain, entry });
      });
  }
  return { chains, tokens, damaged, unsettled };
}

/** The currencies are suspended, but another process may still write an order that it began before the removal. */
function isFresh(removedAtMs: number): boolean {
  return realWorld.nowMs() - removedAtMs < REMOVED_COUNTS_MS;
}

type Row = Unchecked & { readonly removedAtMs: number | null; readonly sealedBefore: Buffer | null };
type Unchecked = Omit<Unsettled, 'isOvertaken'>;

/** A running process may have taken an order in a currency that it still had in force. */
async function readUnsettled(reader: Reader, rows: readonly Row[]): Promise<readonly Unsettled[]> {
  const unsettled: Unsettled[] = [];
  for (const row of rows)
    if (row.removedAtMs !== null || row.sealedBefore !== null) {
      const { chain, currencyId, sealed } = row;
      const isOvertaken = (await readUsed(reader, await readPinnedOf(reader, row))).size > 0;
      unsettled.push({ chain, currencyId, sealed, isOvertaken });
    }
  return unsettled;
}

function opened(sealing: Sealing, name: string, sealed: Buffer): string {
  try {
    return sealing.unseal(name, sealed);
  } catch {
    throw new ConfigError(
      `what was added as ${name} does not open: the master secret is another one, or the row was altered`,
    );
  }
}

interface Wanted {
  /** The row that is to be changed, which is left out. */
  readonly without?: AdditionKey | null;
  /** Whether to read as a start does: changed or removed rows whose currencies were used meanwhile still count. */
  readonly isStart?: boolean;
}

export interface Stored extends ReturnType<typeof withAdditions> {
  readonly unsettled: readonly Unsettled[];
}

/**
 * The configuration of the file joined with everything that was added, except `without`. On a database without the table
 * of additions, the configuration of the file.
 */
export async function withStored(
  config: Config,
  reader: Reader,
  { without = null, isStart = true }: Wanted = {},
): Promise<Stored> {
  if (!(await hasAddedChains(reader))) return { config, leftOut: [], unsettled: [] };
  const { damaged, unsettled, chains, tokens } = await readAdditions(config, reader, isStart);
  const { config: joined, leftOut } = withAdditions(config, {
    chains: chains.filter(({ name }) => without?.currencyId !== null || name !== without.chain),
    tokens: tokens.filter(({ entry }) => entry.currency_id !== without?.currencyId),
  });
  return {
    config: joined,
    leftOut: [...damaged.map((one) => heldAgainst(config, one)), ...leftOut],
    unsettled,
  };
}

/** A damaged row does no harm where the file has its chain or token by now. */
function heldAgainst(config: Config, one: LeftOut): LeftOut {
  return { ...one, isInFile: isInFile(config, one.chain, one.currencyId) };
}

/** Like `withStored`, with a database connection of its own. Throws Outage while the database is away. */
export async function readStored(config: Config): Promise<Stored> {
  const database = openDatabase(config.database.url, 1, () => undefined, {
    sleep: (ms, signal) => realWorld.sleep(ms, signal),
  });
  try {
    return await withStored(config, database.reader);
  } finally {
    await database.close();
  }
}
