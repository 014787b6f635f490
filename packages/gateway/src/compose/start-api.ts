// Creates the API from the parts and starts to listen.
import type { AddressInfo } from 'node:net';
import { createApiApp } from '../roles/api/app.ts';
import { apiDepsOf } from './api-deps-of.ts';
import type { Parts } from './parts.ts';

export interface RunningApi {
  readonly url: string;
  close(): Promise<void>;
}

export async function startApi(parts: Parts): Promise<RunningApi> {
  const { config } = parts;
  await parts.suspensions.read();
  const app = createApiApp(apiDepsOf(parts));
  try {
    await app.listen({ host: config.api.host, port: config.api.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${config.api.host}:${port}`, close: () => app.close() };
}
