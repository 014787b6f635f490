// The drill of docs/operate/keys.md on the demo's chains: the database is gone, and the words alone move what there is.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalChains } from '@ducat/devnet/local/local-chains';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { importKeystore } from '@ducat/signer/keystore/keystore';
import { createMnemonic, mnemonicToSeed } from '@ducat/signer/keystore/mnemonic';
import { createKeyring } from '@ducat/signer/signing/keyring';
import { ensureSecrets } from '../start/secrets.ts';
import type { DemoAccess } from '../state/demo-record.ts';
import { writePrivateFile } from '../state/private-file.ts';
import { statePaths } from '../state/state-paths.ts';
import { shell } from './demo-process.ts';

const DRILL_MS = 300_000;

/** Gives a demo that was never started a keystore whose words are known, and returns them. */
export async function bringWords(state: string): Promise<string> {
  const paths = statePaths(state);
  ensureSecrets(paths);
  const words = createMnemonic();
  const passphrase = readFileSync(paths.signerPassphrase, 'utf8').trim();
  await importKeystore(words, { path: paths.keystore, passphrase, allowWeak: true });
  return words;
}

/** What an account holds of a currency, as `ducat-recover list` prints it. */
export interface Holding {
  readonly address: string;
  readonly amount: string;
  readonly symbol: string;
}

export interface Drill {
  /** Moves all of a chain to another address. What lay there before, and what could not be moved. */
  move(chain: string): Promise<{ readonly before: readonly Holding[]; readonly failed: readonly string[] }>;
  /** What that address holds. */
  arrived(chain: string): Promise<readonly Holding[]>;
  stop(): Promise<void>;
}

/** The demo has ended; its database is thrown away, and its chains alone are started again, with a block a second. */
export async function startDrill(
  state: string,
  words: string,
  { chains }: Pick<DemoAccess, 'chains'>,
): Promise<Drill> {
  const paths = statePaths(state);
  for (const gone of [paths.postgres, paths.signer]) rmSync(gone, { recursive: true });
  const ports = Object.fromEntries(
    chains.map(({ chain, rpc_url }) => [chain, Number(new URL(rpc_url).port)]),
  );
  const running = await startLocalChains({ folder: paths.chains, ports, blockTimeMs: 1_000 });
  const targetWords = createMnemonic();
  const files = { demo: join(state, 'words'), target: join(state, 'target-words') };
  writePrivateFile(files.demo, words);
  writePrivateFile(files.target, targetWords);
  const keys = createKeyring(mnemonicToSeed(targetWords));
  const recover = async (command: string, file: string, chain: string, gaps: string) => {
    const common = `--config ${paths.config} --mnemonic-file ${file} --chain ${chain} --demo ${gaps}`;
    const ran = await shell(`node apps/recover/bin/ducat-recover.mjs ${command} ${common}`, {}, DRILL_MS);
    if (ran.code !== 0) throw new Error(`${command} on ${chain}: ${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  };
  return {
    arrived: async (chain) =>
      holdingsIn(await recover('list', files.target, chain, '--gap 5 --account-gap 1')),
    move: async (chain) => {
      const family = chain === 'Tron' ? 'tron' : 'evm';
      const target = keys.address(family, { account: 0, branch: 'deposit', index: 0 });
      const said = await recover(
        `move --send --to ${addressSchemes[family].display(target)}`,
        files.demo,
        chain,
        '--gap 100 --account-gap 2',
      );
      const failed = said.split('\n').filter((line) => /FAILED|^left: .* USDT/.test(line));
      return { before: holdingsIn(said), failed };
    },
    stop: () => running.stop(),
  };
}

function holdingsIn(text: string): readonly Holding[] {
  return [...text.matchAll(/^\w+ {2}m\/\S+ {2}(\w+) {2}([\d.]+) (\w+)$/gm)].map(
    ([, address = '', amount = '', symbol = '']) => ({ address, amount, symbol }),
  );
}

/** Whole tokens of all of them. */
export function totalOf(holdings: readonly Holding[], symbol: string): number {
  return holdings.filter((one) => one.symbol === symbol).reduce((sum, { amount }) => sum + Number(amount), 0);
}
