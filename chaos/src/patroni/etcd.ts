// The etcd in which a Patroni cluster keeps who leads: a single one, which a split leaves on the large side.
import { join } from 'node:path';
import { freePort } from '@ducat/devnet/net/free-port';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Reaper } from '../processes/reaper.ts';
import type { InstalledPatroni } from './installed.ts';
import { Machine } from './machine.ts';

export class Etcd {
  readonly port: number;
  readonly #machine: Machine;

  private constructor(port: number, machine: Machine) {
    this.port = port;
    this.#machine = machine;
  }

  static async start(folder: string, programs: InstalledPatroni, reaper: Reaper): Promise<Etcd> {
    const [port, peers] = [await freePort(), await freePort()];
    const at = join(folder, 'etcd');
    const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`];
    const flags = {
      name: 'etcd',
      'data-dir': join(at, 'data'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `etcd=${peer}`,
      logger: 'zap',
      'enable-v2': 'true',
    };
    const command = [programs.etcd, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
    const etcd = new Etcd(port, new Machine({ programs, command, folder: at, reaper }));
    await etcd.start();
    return etcd;
  }

  async start(): Promise<void> {
    this.#machine.start();
    const isUp = () =>
      fetch(`http://127.0.0.1:${this.port}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil('etcd to answer', isUp);
  }

  kill(): Promise<void> {
    return this.#machine.kill();
  }
}
