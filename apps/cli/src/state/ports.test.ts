// How the demo gets its ports.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { choosePorts, isPortFree, portNames } from './ports.ts';

let folder: string;
let file: string;
const servers: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-ports-'));
  file = join(folder, 'ports.json');
});

afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true, force: true });
});

async function occupy(port: number): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
}

describe('ports', () => {
  it('are free, all different, and the same at the next start', async () => {
    const first = await choosePorts(file, {});
    expect(new Set(Object.values(first.ports)).size).toBe(portNames.length);
    expect(await Promise.all(Object.values(first.ports).map(isPortFree))).not.toContain(false);
    expect(await choosePorts(file, {})).toEqual({ ports: first.ports, moved: [] });
  });

  it('move where another program has taken one, and say so', async () => {
    const first = await choosePorts(file, {});
    await occupy(first.ports.api);
    const second = await choosePorts(file, {});
    expect(second.moved).toEqual(['api']);
    expect(second.ports).toEqual({ ...first.ports, api: second.ports.api });
    expect(second.ports.api).not.toBe(first.ports.api);
  });

  it('keep that of the listener, which may be listening', async () => {
    const first = await choosePorts(file, {});
    await occupy(first.ports.listener);
    expect((await choosePorts(file, {})).ports.listener).toBe(first.ports.listener);
  });

  it('that were asked for are taken or refused, never replaced', async () => {
    const { ports } = await choosePorts(file, {});
    const other = await choosePorts(join(folder, 'other.json'), { api: ports.api });
    expect(other.ports.api).toBe(ports.api);
    await occupy(ports.api);
    await expect(choosePorts(file, { api: ports.api })).rejects.toThrow(`port ${ports.api}`);
  });

  it.each(['', '[]', '{"api":"80"}', '{"api":70000}', 'null'])(
    'are chosen anew from a damaged file %j',
    async (text) => {
      writeFileSync(file, text);
      const { ports, moved } = await choosePorts(file, {});
      expect(Object.keys(ports)).toEqual([...portNames]);
      expect(moved).toEqual([]);
    },
  );
});
