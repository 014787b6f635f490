// The paths inside the state folder of the local demo.
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface StatePaths {
  readonly folder: string;
  readonly readme: string;
  /** The claim of the one `ducat start` that uses the folder. */
  readonly claim: string;
  readonly config: string;
  /** The approvers that people of the demo add; the file is usually missing. */
  readonly approvers: string;
  readonly ports: string;
  /** The record of running processes, for the case that the start is killed. */
  readonly processes: string;
  /** The record by which a second terminal reaches the running demo. */
  readonly demo: string;
  readonly lastOrder: string;
  readonly postgres: string;
  readonly chains: string;
  readonly secrets: string;
  readonly masterSecret: string;
  readonly signerPassphrase: string;
  readonly signerToken: string;
  readonly appKey: string;
  readonly qrAppKey: string;
  readonly dashboardPassword: string;
  /** The private key of the demo's approver. */
  readonly approverKey: string;
  readonly signer: string;
  readonly keystore: string;
  readonly signerClients: string;
  readonly signerPolicy: string;
  readonly signingLog: string;
  readonly signerSocket: string;
  readonly logs: string;
  /** The mails that the demo would have sent. */
  readonly mails: string;
}

/** The shortest limit on socket paths among Linux, macOS and the BSDs, in bytes. */
const MAX_SOCKET_PATH_BYTES = 103;

/** All paths of a state folder; nothing is created. */
export function statePaths(state: string): StatePaths {
  const folder = resolve(state);
  const secrets = join(folder, 'demo-secrets');
  const signer = join(folder, 'signer');
  return {
    folder,
    readme: join(folder, 'README.txt'),
    claim: join(folder, 'start.claim'),
    config: join(folder, 'ducat.toml'),
    approvers: join(folder, 'approvers.toml'),
    ports: join(folder, 'ports.json'),
    processes: join(folder, 'processes.json'),
    demo: join(folder, 'demo.json'),
    lastOrder: join(folder, 'last-order'),
    postgres: join(folder, 'postgres'),
    chains: join(folder, 'chains'),
    secrets,
    masterSecret: join(secrets, 'demo-master-secret'),
    signerPassphrase: join(secrets, 'demo-signer-passphrase'),
    signerToken: join(secrets, 'demo-signer-token'),
    appKey: join(secrets, 'demo-app-key'),
    qrAppKey: join(secrets, 'demo-qr-app-key'),
    dashboardPassword: join(secrets, 'demo-dashboard-password'),
    approverKey: join(secrets, 'demo-approver.pem'),
    signer,
    keystore: join(signer, 'keystore.json'),
    signerClients: join(signer, 'clients.json'),
    signerPolicy: join(signer, 'policy.json'),
    signingLog: join(signer, 'signing.log'),
    signerSocket: signerSocket(folder, signer),
    logs: join(folder, 'logs'),
    mails: join(folder, 'mails'),
  };
}

/**
 * The path of the signer's socket. Socket paths must be short, so a deep folder gets a socket in the temporary folder,
 * named after the folder.
 */
function signerSocket(folder: string, signer: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\ducat-signer-${name}`;
  const near = join(signer, 'signer.sock');
  if (Buffer.byteLength(near) <= MAX_SOCKET_PATH_BYTES) return near;
  return join(tmpdir(), `ducat-${process.getuid?.() ?? 0}-${name}`, 'signer.sock');
}
