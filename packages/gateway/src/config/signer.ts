// How the signer is reached, and how an impostor is recognised.
import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import type { ConfigFile } from './schema.ts';
import { readPublicFile, readSecret } from './secret-file.ts';

/** A signer on another machine. Certificates and key are PEM texts. */
interface SignerTlsConfig {
  readonly host: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface SignerConfig {
  /** A Unix socket path, a named pipe on Windows, or another machine. */
  readonly socket: string | SignerTlsConfig;
  readonly client: string;
  readonly token: string;
  /** The system user that runs the signer; null where that is root or the user of this process. */
  readonly uid: number | null;
  /** The key id of our seed; null accepts a signer with any seed. */
  readonly keyId: string | null;
}

/** The `[signer]` section, null where there is none; paths in it are relative to `from`. Throws ConfigError. */
export function signerConfig({ signer, demo = false }: ConfigFile, from: string): SignerConfig | null {
  if (signer === undefined) return null;
  const { client, token_file, uid = null, key_id: keyId = null } = signer;
  return {
    socket: signerPlace(signer, from, demo),
    client,
    token: readSecret('signer.token_file', resolve(from, token_file), demo),
    uid,
    keyId,
  };
}

/** `signer.tls` wins over `socket`: an operator with both entries is moving the signer to another machine. */
function signerPlace(
  { socket, tls }: NonNullable<ConfigFile['signer']>,
  from: string,
  demo: boolean,
): string | SignerTlsConfig {
  if (tls !== undefined) {
    const { host, port } = tls;
    const cert = readPublicFile('signer.tls.cert_file', resolve(from, tls.cert_file));
    const ca = readPublicFile('signer.tls.ca_file', resolve(from, tls.ca_file));
    return {
      host,
      port,
      cert,
      ca,
      key: readSecret('signer.tls.key_file', resolve(from, tls.key_file), demo),
    };
  }
  if (socket === undefined) throw new ConfigError('signer.socket: is missing, and so is signer.tls');
  return socket.startsWith('\\\\') ? socket : resolve(from, socket);
}
