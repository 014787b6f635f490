// Starts the target of the fuzzer: real dev chains and the gateway as a process of its own, on a real PostgreSQL.
import { freePort } from '@ducat/devnet/net/free-port';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { startGatewayProcess } from '@ducat/testkit/system/gateway-process';
import { startSystem } from '@ducat/testkit/system/system';
import type { FuzzTarget } from './run-fuzz.ts';

export interface RunningTarget extends FuzzTarget {
  /** The out_trade_no of every order in the database. */
  orders(): Promise<readonly string[]>;
  /** All lines of the gateway's output, because its log is at level error. */
  errors(): readonly string[];
  stop(): Promise<void>;
}

/** A rate limit that no run reaches. */
const UNPACED = 1_000_000;

/** Starts the target on the PostgreSQL behind `adminUrl`, which has the migrated template. */
export async function startTarget(adminUrl: string): Promise<RunningTarget> {
  const system = await startSystem(adminUrl);
  const shop = await system.newShop();
  const qrShop = await system.newShop({ kind: 'QR_CODE' });
  await system.stop();
  const [apiPort, operationsPort] = [await freePort(), await freePort()];
  // No notifier runs: the webhook addresses of these orders are random.
  const gateway = startGatewayProcess(system, {
    logLevel: 'error',
    sections: {
      roles: ['api', 'watcher'],
      api: {
        port: apiPort,
        requests_per_second: UNPACED,
        burst: UNPACED,
        requests_per_second_per_address: UNPACED,
      },
      pages: { port: 0 },
      operations: { port: operationsPort },
      addresses: { pool_size: 500 },
    },
  });
  const stop = async () => {
    await gateway.kill();
    await system.close();
  };
  try {
    const operationsUrl = `http://127.0.0.1:${operationsPort}`;
    await waitUntil('the gateway to be ready', async () => {
      const answer = await fetch(`${operationsUrl}/readyz`).catch(() => null);
      return answer?.ok === true;
    });
    return {
      apiUrl: `http://127.0.0.1:${apiPort}`,
      app: shop,
      qrApp: qrShop,
      metricsUrl: `${operationsUrl}/metrics`,
      orders: async () => {
        const rows = await system.database.reader.read<{ number: string }>(
          'SELECT out_trade_no AS number FROM orders WHERE app_id = $1',
          [shop.appId],
        );
        return rows.map(({ number }) => number);
      },
      errors: () =>
        gateway
          .output()
          .split('\n')
          .filter((line) => line !== ''),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
