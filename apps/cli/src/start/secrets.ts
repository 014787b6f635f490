// Makes the demo's secrets at the first start. They are weakly protected, because they are in a folder of the checkout.
import { randomBytes } from 'node:crypto';
import { makePrivateFolder, readOrMake, writePrivateFile } from '../state/private-file.ts';
import type { StatePaths } from '../state/state-paths.ts';

export interface DemoSecrets {
  readonly signerToken: string;
  readonly dashboardPassword: string;
}

const README = `This folder belongs to the local demo of Ducat ("ducat start"). Everything in it can be made again:
stop the demo and delete the folder to begin from nothing.

  ducat.toml      the configuration of the running demo, written anew at each start
  approvers.toml  public keys of further approvers of payouts; yours to write, read at each start
  demo-secrets/   secrets FOR THE DEMO ONLY; never use them, or a copy of them, for real money
  signer/         the encrypted seed of the demo, who may ask the signer, what it signs and what it has signed
  postgres/       the database (unless DATABASE_URL names another one)
  chains/         the blocks of the local chains
  logs/           what the gateway and the signer write
`;

/** Makes the missing folders and secrets. Existing ones stay. */
export function ensureSecrets(paths: StatePaths): DemoSecrets {
  makePrivateFolder(paths.folder);
  for (const folder of [paths.secrets, paths.signer, paths.logs]) makePrivateFolder(folder);
  writePrivateFile(paths.readme, README);
  readOrMake(paths.masterSecret, () => randomBytes(32).toString('hex'));
  readOrMake(paths.signerPassphrase, () => `demo-only-${randomBytes(24).toString('base64url')}`);
  return {
    signerToken: readOrMake(paths.signerToken, () => `demo-only-${randomBytes(32).toString('base64url')}`),
    // Short enough to be typed.
    dashboardPassword: readOrMake(paths.dashboardPassword, () => `demo-${randomBytes(6).toString('hex')}`),
  };
}
