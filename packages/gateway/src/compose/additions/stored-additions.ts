// What was added on the dashboard: opened with the master secret, checked like the file, and joined to it.
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
import { hasAddedChains, readAddedChains, readAddedTokens } from '../../db/tables/added-chains.ts';
import { openSealing, type Sealing } from '../../keys/sealing.ts';
import { realWorld } from '../../runtime/world.ts';

const PURPOSE = 'ducat added-chain sealing v1';

export function additionSealing({ masterSecret }: Pick<Config, 'masterSecret'>): Sealing {
  return openSealing(masterSecret, PURPOSE);
}

/** The same text seals and opens; a row that was moved to another name does not open. */
export const sealedName = {
  chain: (chain: string) => `chain ${chain}`,
  token: (chain: string, currencyId: number) => `token ${chain} ${currencyId}`,
} as const;

export interface StoredAdditions extends Additions {
  /** Rows that do not open, or do not read: each by itself, so that a damaged one ends no start. */
  readonly damaged: readonly LeftOut[];
}

export async function readAdditions(
  config: Pick<Config, 'masterSecret'>,
  reader: Reader,
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
  for (const { chain, sealed } of await readAddedChains(reader))
    take({ name: chain, chain, currencyId: null }, () => {
      const section = readSection(chain, opened(sealing, sealedName.chain(chain), sealed));
      chains.push({ name: chain, section });
    });
  for (const { chain, currencyId, sealed } of await readAddedTokens(reader))
    take({ name: `${chain} ${currencyId}`, chain, currencyId }, () => {
      const entry = readEntry(chain, opened(sealing, sealedName.token(chain, currencyId), sealed));
      tokens.push({ chain, entry });
    });
  return { chains, tokens, damaged };
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

/** The configuration with everything that was added; on a database without that table, as it is. */
export async function withStored(config: Config, reader: Reader): Promise<ReturnType<typeof withAdditions>> {
  if (!(await hasAddedChains(reader))) return { config, leftOut: [] };
  const { damaged, ...additions } = await readAdditions(config, reader);
  const { config: joined, leftOut } = withAdditions(config, additions);
  return { config: joined, leftOut: [...damaged.map((one) => heldAgainst(config, one)), ...leftOut] };
}

/** A damaged row of what the file has by now is missed no more. */
function heldAgainst(config: Config, one: LeftOut): LeftOut {
  return { ...one, isInFile: isInFile(config, one.chain, one.currencyId) };
}

/** The same before anything is open. Throws Outage while the database is away. */
export async function readStored(config: Config): Promise<ReturnType<typeof withAdditions>> {
  const database = openDatabase(config.database.url, 1, () => undefined, {
    sleep: (ms, signal) => realWorld.sleep(ms, signal),
  });
  try {
    return await withStored(config, database.reader);
  } finally {
    await database.close();
  }
}
