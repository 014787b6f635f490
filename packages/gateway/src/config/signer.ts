// How the signer is reached, and how it is told from an impostor.
import { resolve } from 'node:path';
import type { ConfigFile } from './schema.ts';
import { readSecret } from './secret-file.ts';

export interface SignerConfig {
  /** A Unix socket path, or a named pipe on Windows. */
  readonly socket: string;
  readonly client: string;
  readonly token: string;
  /** The system user that runs the signer; null where it is root or the user that runs us. */
  readonly uid: number | null;
  /** The key id of the one seed that is ours; null takes any. */
  readonly keyId: string | null;
}

/** The `[signer]` section, null where there is none; paths in it are relative to `from`. Throws ConfigError. */
export function signerConfig({ signer, demo = false }: ConfigFile, from: string): SignerConfig | null {
  if (signer === undefined) return null;
  const { socket, client, token_file, uid = null, key_id: keyId = null } = signer;
  return {
    socket: socket.startsWith('\\\\') ? socket : resolve(from, socket),
    client,
    token: readSecret('signer.token_file', resolve(from, token_file), demo),
    uid,
    keyId,
  };
}
