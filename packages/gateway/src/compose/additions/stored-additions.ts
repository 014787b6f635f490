// What was added on the dashboard: opened with the master secret, checked like the file, and joined to it.
import { ConfigError } from '../../config/config-error.ts';
import type { Config } from '../../config/load-config.ts';
import { readEntry, readSection } from '../../config/additions/read-section.ts';
import { type Additions, withAdditions } from '../../config/additions/with-additions.ts';
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

/** Throws ConfigError where a row does not open. */
export async function readAdditions(config: Config, reader: Reader): Promise<Additions> {
  const sealing = additionSealing(config);
  const chains = await readAddedChains(reader);
  const tokens = await readAddedTokens(reader);
  return {
    chains: chains.map(({ chain, sealed }) => ({
      name: chain,
      section: readSection(chain, opened(sealing, sealedName.chain(chain), sealed)),
    })),
    tokens: tokens.map(({ chain, currencyId, sealed }) => ({
      chain,
      entry: readEntry(chain, opened(sealing, sealedName.token(chain, currencyId), sealed)),
    })),
  };
}

function opened(sealing: Sealing, name: string, sealed: Buffer): string {
  try {
    return sealing.unseal(name, sealed);
  } catch {
    throw new ConfigError(
      `secrets.master_secret_file: what was added as ${name} does not open: the master secret is another one, or the row was altered`,
    );
  }
}

/** The configuration with everything that was added; on a database without that table, as it is. */
export async function withStored(config: Config, reader: Reader): Promise<ReturnType<typeof withAdditions>> {
  if (!(await hasAddedChains(reader))) return { config, leftOut: [] };
  return withAdditions(config, await readAdditions(config, reader));
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
