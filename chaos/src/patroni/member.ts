// One member of the Patroni cluster: its machine, and the proxies that lead to it, or from it to etcd.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@ducat/devnet/net/free-port';
import { startTcpProxy, type TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import type { Reaper } from '../processes/reaper.ts';
import type { InstalledPatroni } from './installed.ts';
import { Machine } from './machine.ts';
import { type Ports, patroniConfig } from './patroni-config.ts';

/** The gateways run at two sites. Each site has a proxy of its own to each member. */
export const SITES = [0, 1] as const;
export type Site = (typeof SITES)[number];

export interface MemberOptions {
  readonly name: string;
  readonly folder: string;
  readonly programs: InstalledPatroni;
  readonly reaper: Reaper;
  readonly etcdPort: number;
  readonly password: string;
}

interface Lines {
  /** The proxy for the other members: replication, pg_rewind, base backups. */
  readonly peers: TcpProxy;
  /** The proxy for the other members' Patroni. */
  readonly rest: TcpProxy;
  readonly etcd: TcpProxy;
  readonly sites: readonly TcpProxy[];
}

const ANSWER_WITHIN_MS = 1_500;

export class Member {
  readonly name: string;
  readonly machine: Machine;
  readonly lines: Lines;
  readonly ports: Ports;
  /** Whether the member is on the small side of a split. */
  isCutOff = false;

  private constructor(name: string, machine: Machine, lines: Lines, ports: Ports) {
    this.name = name;
    this.machine = machine;
    this.lines = lines;
    this.ports = ports;
  }

  static async create(options: MemberOptions): Promise<Member> {
    const { name, programs, reaper, etcdPort, password } = options;
    const folder = join(options.folder, name);
    const ports: Ports = { postgres: await freePort(), rest: await freePort() };
    const lineTo = (port: number) => startTcpProxy({ host: '127.0.0.1', port });
    const lines: Lines = {
      peers: await lineTo(ports.postgres),
      rest: await lineTo(ports.rest),
      etcd: await lineTo(etcdPort),
      sites: await Promise.all(SITES.map(() => lineTo(ports.postgres))),
    };
    const configFile = join(folder, 'patroni.json');
    const machine = new Machine({ programs, command: [programs.patroni, configFile], folder, reaper });
    const shown = { peers: lines.peers.port, rest: lines.rest.port, etcd: lines.etcd.port };
    const config = patroniConfig({ name, folder, programs, ports, shown, password });
    // JSON is valid YAML.
    writeFileSync(configFile, JSON.stringify(config, null, 2), { mode: 0o644 });
    return new Member(name, machine, lines, ports);
  }

  /** The proxy between one site of gateways and this member. */
  line(site: Site): TcpProxy {
    const line = this.lines.sites[site];
    if (line === undefined) throw new Error(`there is no site ${site}`);
    return line;
  }

  /** The timeline on which this member says it leads; null where it says no. Asked without a proxy, so also in a split. */
  async leadsOn(): Promise<number | null> {
    const answer = await this.#ask('/primary');
    if (answer?.ok !== true) return null;
    // Patroni documents this answer.
    const { timeline } = (await answer.json()) as { readonly timeline?: number };
    return timeline ?? 0;
  }

  /** The synchronous standby in etcd, which alone may lead after this leader; null where there is none. */
  async follower(): Promise<string | null> {
    const answer = await this.#ask('/cluster');
    if (answer?.ok !== true) return null;
    // Patroni documents this answer.
    const { members } = (await answer.json()) as {
      readonly members: readonly { name: string; role: string }[];
    };
    return members.find(({ role }) => role === 'sync_standby')?.name ?? null;
  }

  /** Asks its Patroni to hand the lead over. Throws with Patroni's answer where it refuses. */
  async switchOver(): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.ports.rest}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: this.name }),
    });
    if (!answer.ok) throw new Error(`no switchover: ${await answer.text()}`);
  }

  async stop(): Promise<void> {
    const { peers, rest, etcd, sites } = this.lines;
    await Promise.all([peers, rest, etcd, ...sites].map((line) => line.stop()));
    await this.machine.kill();
  }

  async #ask(path: string): Promise<Response | null> {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return fetch(`http://127.0.0.1:${this.ports.rest}${path}`, { signal }).catch(() => null);
  }
}
