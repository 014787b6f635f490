// Starts a payer for each chain. Without a signer none starts.
import { connectSigning } from '../keys/signer/signing.ts';
import { runPayer } from '../roles/payer/payer.ts';
import { keepWorker } from '../runtime/keep-worker.ts';
import { openChainWriter } from './open-chain.ts';
import type { Parts } from './parts.ts';

const SIGNER_TIMEOUT_MS = 10_000;

export function startPayers(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const { config, database, world, idle, log, metrics, holder } = parts;
  const { signer } = config;
  if (signer === null) {
    log.info({}, 'no [signer] is configured, so nothing is paid out from here');
    return [];
  }
  const signing = connectSigning({ socketPath: signer.socket, ...signer, timeoutMs: SIGNER_TIMEOUT_MS });
  return config.chains.map((chain) =>
    keepWorker({ ...parts, onBug: parts.metrics.onBug }, `pay-${chain.definition.name}`, signal, () =>
      runPayer(
        {
          writer: openChainWriter(chain, { world, observer: metrics.rpc(chain.definition.name) }),
          signer: signing,
          transact: database.transact,
          reader: database.reader,
          world,
          idle,
          holder,
          log,
          observer: metrics.payer,
        },
        signal,
        parts.leases,
      ),
    ),
  );
}
