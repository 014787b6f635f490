// Starts a collector for each chain whose section has a collection policy.
import { addressSchemes } from '../chains/address-schemes.ts';
import { ConfigError } from '../config/config-error.ts';
import { connectSigner } from '../keys/signer/socket.ts';
import { runCollector } from '../roles/collector/collector.ts';
import { keepWorker } from '../runtime/keep-worker.ts';
import { openChainWriter } from './open-chain.ts';
import type { Parts } from './parts.ts';

const SIGNER_TIMEOUT_MS = 10_000;

/** Throws ConfigError where a chain is to be collected and no signer is configured for the gas wallet's key. */
export function startCollectors(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const { config, database, world, idle, log, metrics, holder, rates } = parts;
  const chains = config.chains.flatMap((chain) =>
    chain.collection === null ? [] : [{ chain, policy: chain.collection }],
  );
  if (chains.length === 0) return [];
  const { signer } = config;
  if (signer === null) throw new ConfigError('signer: is missing, and chains are to be collected');
  const port = connectSigner({ socketPath: signer.socket, ...signer, timeoutMs: SIGNER_TIMEOUT_MS });
  return chains.map(({ chain, policy }) =>
    keepWorker({ ...parts, onBug: parts.metrics.onBug }, `collect-${chain.definition.name}`, signal, () =>
      runCollector(
        {
          writer: openChainWriter(chain, { world, observer: metrics.rpc(chain.definition.name) }),
          policy,
          rates: rates.source,
          signer: port,
          addresses: addressSchemes[chain.definition.family],
          transact: database.transact,
          reader: database.reader,
          world,
          idle,
          holder,
          log,
          observer: metrics.collector,
        },
        signal,
        parts.leases,
      ),
    ),
  );
}
