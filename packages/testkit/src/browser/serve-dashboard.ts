// The dashboard on a port of its own, as browsers reach it: its built pages and its API over http.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { builtFiles } from '@ducat/gateway/roles/dashboard/static-files';
import type { TestApi } from '../api/test-api.ts';
import { startTestDashboard } from '../api/test-dashboard.ts';

export interface ServedDashboard {
  /** Its origin. */
  readonly url: string;
  close(): Promise<void>;
}

export async function serveDashboard(
  api: TestApi,
  change: Parameters<typeof startTestDashboard>[1] = {},
): Promise<ServedDashboard> {
  // The dashboard checks the Origin header, so its port must be known before it is made.
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on TCP gives an address with a port.
  const { port } = server.address() as AddressInfo;
  // Browsers make passkeys for host names only, never for IP addresses.
  const url = `http://localhost:${port}`;
  const dashboard = await startTestDashboard(api, { ...change, url, filesFolder: builtFiles });
  await dashboard.app.ready();
  server.on('request', (request, response) => dashboard.app.routing(request, response));
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dashboard.close();
    },
  };
}
