// The signer of the demo: its keystore made once, its process, and whether it answers.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { CommandError } from '../command-error.ts';
import { writePrivateFile } from '../state/private-file.ts';
import type { DemoChain } from '../state/demo-record.ts';
import type { ProcessRecord } from '../state/process-record.ts';
import type { StatePaths } from '../state/state-paths.ts';
import { type Child, startChild } from './child.ts';
import { SIGNER_CLIENT } from './config-text.ts';
import { demoApprovers } from './people/demo-approvers.ts';
import { signerPolicyText } from './signer-policy.ts';

/** Starts the signer and returns once its socket takes connections. */
export async function startSigner(
  paths: StatePaths,
  { token, chains, record }: { token: string; chains: readonly DemoChain[]; record: ProcessRecord },
): Promise<Child> {
  const script = fileURLToPath(import.meta.resolve('@ducat/signer/main'));
  const keystore = ['--keystore', paths.keystore, '--passphrase-file', paths.signerPassphrase, '--demo'];
  if (!existsSync(paths.keystore)) runOnce('the demo keystore', script, ['create', ...keystore]);
  const signing = ['--policy', paths.signerPolicy, '--log', paths.signingLog];
  if (!existsSync(paths.signingLog)) {
    const begin = ['begin-log', '--keystore', paths.keystore, '--log', paths.signingLog, '--first'];
    runOnce('the signing log', script, begin);
  }
  writePrivateFile(paths.signerClients, clientsText(token));
  writePrivateFile(paths.signerPolicy, signerPolicyText(chains, demoApprovers(paths)));
  if (process.platform !== 'win32') mkdirSync(dirname(paths.signerSocket), { recursive: true, mode: 0o700 });
  const child = startChild({
    name: 'signer',
    script,
    args: [
      'serve',
      ...keystore,
      ...signing,
      '--socket',
      paths.signerSocket,
      '--clients',
      paths.signerClients,
    ],
    logFile: join(paths.logs, 'signer.log'),
    record,
    stopTimeoutMs: 5_000,
  });
  const listens = async () => {
    if (child.hasEnded()) throw new CommandError(`the signer ended at once: ${child.lastWords()}`);
    return accepts(paths.signerSocket);
  };
  try {
    // Checking the passphrase takes a third of a second by design, and more on a busy machine.
    await waitUntil('the signer to listen', listens, { timeoutMs: 60_000, everyMs: 25 });
    return child;
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Makes a file in a child process, so that the words of the seed are never in this process. */
function runOnce(what: string, script: string, args: readonly string[]): void {
  const made = spawnSync(process.execPath, [script, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (made.status !== 0) {
    throw new CommandError(`${what} could not be made: ${made.error?.message ?? made.stderr.trim()}`);
  }
}

/** One gateway process has all roles in the demo, so one client has all methods. */
const METHODS = ['account-public-key', 'sign-payout', 'sign-collection'];

function clientsText(token: string): string {
  const tokenSha256 = createHash('sha256').update(token, 'utf8').digest('hex');
  return `${JSON.stringify({ clients: [{ name: SIGNER_CLIENT, tokenSha256, methods: METHODS }] })}\n`;
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
