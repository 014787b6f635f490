// The real signer beside a system test, in a process of its own: a new seed, a policy for EVM chains, and its signing log.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Config } from '@ducat/gateway/config/load-config';
import type { DevChain } from './dev-chains.ts';

export interface SystemSigner {
  /** What the gateway is configured with. */
  readonly config: NonNullable<Config['signer']>;
  /** The lines of its log, oldest first. */
  log(): readonly string[];
  stop(): Promise<void>;
}

const CLIENT = { name: 'gateway', methods: ['account-public-key', 'sign-payout', 'sign-collection'] };
const TOKEN = 'token-of-a-test-long-enough-to-be-taken';
const most = (units: bigint) => {
  const text = units.toString();
  return { perTransaction: text, perHour: text, perDay: text };
};

/** Every payout of the stablecoins needs one of these approvers, public keys by name. */
export async function startSystemSigner(
  chains: readonly DevChain[],
  approvers: Readonly<Record<string, string>>,
): Promise<SystemSigner> {
  const folder = mkdtempSync(join(tmpdir(), 'ducat-signer-'));
  const file = (name: string) => join(folder, name);
  const write = (name: string, content: string) => writeFileSync(file(name), content, { mode: 0o600 });
  write('passphrase', 'a passphrase of a test alone');
  const tokenSha256 = createHash('sha256').update(TOKEN).digest('hex');
  write('clients.json', JSON.stringify({ clients: [{ ...CLIENT, tokenSha256 }] }));
  write('policy.json', policyText(chains, approvers));
  const program = fileURLToPath(import.meta.resolve('@ducat/signer/main'));
  const [keystore, log, socket] = [file('keystore.json'), file('signing.log'), file('signer.sock')];
  const unlocked = ['--keystore', keystore, '--passphrase-file', file('passphrase'), '--demo'];
  const once = (...args: readonly string[]) => {
    const made = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`ducat-signer ${args[0]}: ${made.stderr}`);
  };
  once('create', ...unlocked);
  once('begin-log', '--keystore', keystore, '--log', log, '--first');
  const own = ['--socket', socket, '--clients', file('clients.json'), '--policy', file('policy.json')];
  const child = spawn(process.execPath, [program, 'serve', ...unlocked, ...own, '--log', log], {
    stdio: 'ignore',
  });
  const stop = async () => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil('the signer to listen', () => {
      if (child.exitCode !== null) throw new Error(`the signer ended with ${child.exitCode}`);
      return existsSync(socket);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    config: { socket, client: CLIENT.name, token: TOKEN, uid: null, keyId: null },
    log: () => readFileSync(log, 'utf8').trim().split('\n'),
    stop,
  };
}

function policyText(chains: readonly DevChain[], approvers: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    chains: chains.map(({ configured, usdt, usdc }) => ({
      chainId: configured.definition.chainId,
      family: 'evm',
      fees: most(10n ** 18n),
      assets: [usdt, usdc].map((token) => ({
        contract: token.toLowerCase(),
        ...most(10n ** 24n),
        approvalAbove: '0',
      })),
      cold: [],
    })),
    approvers: Object.entries(approvers).map(([name, publicKey]) => ({ name, publicKey })),
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}
