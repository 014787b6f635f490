// The real signer of a run in a process of its own: killed, and started again as a supervisor would.
import { join } from 'node:path';
import { SIGNER_CLIENT } from 'ducat/start/config-text';
import type { Child } from 'ducat/start/child';
import { ensureSecrets } from 'ducat/start/secrets';
import { startSigner } from 'ducat/start/signer-process';
import type { DemoChain } from 'ducat/state/demo-record';
import type { ProcessRecord } from 'ducat/state/process-record';
import { type StatePaths, statePaths } from 'ducat/state/state-paths';
import type { Chain } from '../chains/chain.ts';
import type { Reaper } from '../processes/reaper.ts';

export class SignerProcess {
  readonly paths: StatePaths;
  readonly #start: () => Promise<Child>;
  #child: Child | null = null;

  private constructor(paths: StatePaths, start: () => Promise<Child>) {
    this.paths = paths;
    this.#start = start;
  }

  /** Starts a signer whose seed, policy and log are made in a folder of their own. */
  static async start(folder: string, chains: readonly Chain[], reaper: Reaper): Promise<SignerProcess> {
    const paths = statePaths(join(folder, 'signing'));
    const { signerToken: token } = ensureSecrets(paths);
    const record: ProcessRecord = {
      add: (_name, pid) => reaper.born(pid),
      remove: (pid) => reaper.gone(pid),
      clear: () => undefined,
    };
    const options = { token, chains: chains.map(policyChain), record };
    const signer = new SignerProcess(paths, () => startSigner(paths, options));
    await signer.restart();
    return signer;
  }

  /** The section `signer` of the gateway's configuration. */
  get config(): { readonly socket: string; readonly client: string; readonly token_file: string } {
    return { socket: this.paths.signerSocket, client: SIGNER_CLIENT, token_file: this.paths.signerToken };
  }

  async restart(): Promise<void> {
    this.#child = await this.#start();
  }

  /** kill -9, and resolves once it is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    if (!child.hasEnded()) process.kill(child.pid, 'SIGKILL');
    await child.ended;
  }
}

/** A chain as the policy of the signer names it. */
function policyChain({ name, family, chainId, coins }: Chain): DemoChain {
  const currencies = coins.map(({ currencyId: currency_id, symbol, contract, decimals }) => {
    return { currency_id, symbol, contract: contract ?? '', decimals, off_reason: '', fiat_price: true };
  });
  return {
    chain: name,
    family,
    chain_id: chainId,
    rpc_url: '',
    genesis_hash: '',
    block_time_ms: 0,
    need_confirms: 0,
    currencies,
    payer: { address: '', private_key: '' },
  };
}
