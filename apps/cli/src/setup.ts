// Opens the parts that commands for operators work on: the configuration, the database, the AppKeys and the signer.
import { withStored } from '@ducat/gateway/compose/additions/stored-additions';
import { createAppKeys, type AppKeys, findLockedApp } from '@ducat/gateway/keys/app-keys';
import { type Config, loadConfig } from '@ducat/gateway/config/load-config';
import type { SignerPort } from '@ducat/gateway/keys/signer/port';
import { connectSigner } from '@ducat/gateway/keys/signer/socket';
import { type Database, openDatabase } from '@ducat/gateway/db/postgres/tx';
import { realWorld, type World } from '@ducat/gateway/runtime/world';
import { CommandError } from './command-error.ts';

export interface Setup {
  readonly config: Config;
  readonly database: Database;
  readonly appKeys: AppKeys;
  readonly world: World;
  /** Throws a CommandError where the configuration names no signer. */
  signer(): SignerPort;
  /** Throws a CommandError where the master secret is not the one that sealed the keys in the database. */
  checkMasterSecret(): Promise<void>;
}

const CONNECTIONS = 4;
const SIGNER_TIMEOUT_MS = 10_000;

/** Opens the setup, hands it to `work`, and closes it whatever happens. */
export async function withSetup<T>(
  configPath: string,
  environment: NodeJS.ProcessEnv,
  work: (setup: Setup) => Promise<T>,
): Promise<T> {
  const ofFile = loadConfig(configPath, environment);
  const database = openDatabase(ofFile.database.url, CONNECTIONS);
  const { masterSecret } = ofFile;
  const appKeys = createAppKeys({ masterSecret, reader: database.reader, world: realWorld });
  const checkMasterSecret = async () => {
    const locked = await findLockedApp({ masterSecret, reader: database.reader });
    if (locked !== null) throw new CommandError(`the master secret does not open the key of ${locked}`);
  };
  try {
    const { config } = await withStored(ofFile, database.reader);
    const signer = () => {
      if (config.signer === null)
        throw new CommandError(`${configPath} names no signer; give it a [signer] section`);
      return connectSigner({
        socketPath: config.signer.socket,
        ...config.signer,
        timeoutMs: SIGNER_TIMEOUT_MS,
      });
    };
    return await work({ config, database, appKeys, world: realWorld, signer, checkMasterSecret });
  } finally {
    await database.close();
  }
}
