// The Helm chart names what there is: entries, roles, ports, paths, options and files. It is not rendered here; deploy/helm/trial.mjs does that.
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configSchema, roleNames } from '@ducat/gateway/config/schema';
import { loadConfig } from '@ducat/gateway/config/load-config';
import { stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { databaseCommand } from './commands/database/database.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const folder = 'deploy/helm/ducat/templates';
const templates = new Map(readdirSync(join(root, folder)).map((name) => [name, read(`${folder}/${name}`)]));
const text = [...templates.values()].join('\n');

interface Component {
  readonly roles: readonly string[];
  readonly client?: string;
}
interface Values {
  readonly config: Readonly<Record<string, object>>;
  readonly components: Readonly<Record<string, Component>>;
  readonly signer: { readonly clients: readonly string[] };
}
const values = parse(read('deploy/helm/ducat/values.yaml')) as Values;

const found = (pattern: RegExp, where = text) => [
  ...new Set([...where.matchAll(pattern)].map(([, name = '']) => name)),
];

describe('the chart', () => {
  it('has a component for each role, and each client of the signer is known', () => {
    const components = Object.values(values.components);
    expect(components.flatMap(({ roles }) => roles).toSorted()).toEqual([...roleNames].toSorted());
    for (const { client } of components)
      if (client !== undefined) expect(values.signer.clients).toContain(client);
  });

  it('has a configuration that is accepted', () => {
    const place = mkdtempSync(join(tmpdir(), 'ducat-chart-'));
    try {
      writeFileSync(join(place, 'ducat.toml'), stringify({ roles: ['api'], ...values.config }));
      const environment = {
        DATABASE_URL: 'postgres://a:b@c/d',
        DUCAT_MASTER_SECRET: '0123456789abcdef'.repeat(4),
      };
      expect(loadConfig(join(place, 'ducat.toml'), environment).roles).toEqual(['api']);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it('writes no entry that the schema does not know', () => {
    const written = found(/(?:^ *|set \$\S+ )"([a-z_]+)" /gm, templates.get('_config.tpl'));
    expect(written.length).toBeGreaterThan(10);
    const schema = JSON.stringify(configSchema);
    expect(written.filter((name) => !schema.includes(`"${name}":`))).toEqual([]);
  });

  it('uses no value that values.yaml does not have', () => {
    const has = (path: string) =>
      path
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values);
    expect(found(/[.$]Values\.([a-zA-Z.]+)/g).filter((path) => has(path) === undefined)).toEqual([]);
  });

  it('names ports, paths, variables, options and programs that exist', () => {
    const ports = read('deploy/container/Dockerfile')
      .match(/^EXPOSE (.+)$/m)?.[1]
      ?.split(' ');
    expect(found(/containerPort: (\d+)/g)).toEqual(ports);
    const operations = read('packages/gateway/src/roles/operations/operations.ts');
    for (const path of [...found(/httpGet: \{ path: ([^,]+),/g), ...found(/^ +path: (\/\w+)$/gm)])
      expect(operations).toContain(`path === '${path}'`);
    expect(found(/- name: ([A-Z_]+)$/gm)).toEqual(['DATABASE_URL']);
    expect(read('packages/gateway/src/config/load-config.ts')).toContain('environment.DATABASE_URL');
    const signer = read('packages/signer/src/arguments.ts');
    const options = found(/^ +- --([a-z-]+)=/gm);
    expect(options.length).toBeGreaterThan(8);
    expect(options.filter((option) => !new RegExp(`--${option}\\s`).test(signer))).toEqual([]);
    const programs = found(/((?:packages|apps)\/[\w/.-]+\.m?js)/g);
    const source = (file: string) => file.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
    expect(programs.filter((file) => !existsSync(join(root, source(file))))).toEqual([]);
    const migrations = databaseCommand().commands.find((command) => command.name() === 'migrations');
    expect(migrations?.options.map(({ long }) => long)).toContain('--rolling');
  });

  it('gives no container privileges, and no pod a token of the cluster', () => {
    const count = (word: string) => text.split(word).length - 1;
    expect(count('include "ducat.containerSecurity"')).toBe(count('imagePullPolicy: '));
    const pods = count('initContainers:');
    expect(pods).toBe(4);
    for (const word of ['runAsNonRoot: true', 'automountServiceAccountToken: false', 'type: RuntimeDefault'])
      expect(count(word), word).toBe(pods);
    expect(text).not.toMatch(/hostPath|hostNetwork|privileged: true/);
  });

  it('copies its secrets over read-only copies where the init container runs again', () => {
    const command = /command: (\["sh", "-c", .+\])$/m.exec(text)?.[1];
    const [shell = '', ...words] = JSON.parse(command ?? '[]') as readonly string[];
    const place = mkdtempSync(join(tmpdir(), 'ducat-chart-'));
    try {
      const from = join(place, 'from');
      const to = join(place, 'to');
      for (const folder of [from, to]) mkdirSync(folder);
      writeFileSync(join(from, 'master-secret'), 'secret', { mode: 0o440 });
      // root may write everywhere, and no container of ours is root.
      const user = process.getuid?.() === 0 ? { uid: 10_001, gid: 10_001 } : {};
      if ('uid' in user)
        for (const path of [place, from, to, join(from, 'master-secret')]) chownSync(path, 10_001, 10_001);
      const own = words.map((word) => word.replace('/mnt/secret', from).replace('/run/ducat-secrets', to));
      for (const _ of [1, 2]) execFileSync(shell, own, { ...user, stdio: 'pipe' });
      expect(statSync(join(to, 'master-secret')).mode & 0o077).toBe(0);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it('has a pod for commands while no gateway runs: as stopped, with secrets, and without a gateway or a signer', () => {
    const toolbox = templates.get('toolbox.yaml') ?? '';
    expect(toolbox).toContain('if not .Values.stopped');
    expect(toolbox).toContain('include "ducat.secretItems" (dict "root" .)');
    expect(toolbox).toContain('DATABASE_URL');
    expect(toolbox).not.toMatch(/gateway\/dist\/main|ducat\/part: gateway|signer/);
    const page = read('deploy/README.md');
    for (const command of ['addresses retire', 'database partition']) {
      expect(page).toContain(`kubectl exec deploy/<release>-toolbox -c ducat -- ducat ${command}`);
      expect(page).toContain(`docker compose run --rm gateway apps/cli/bin/ducat.mjs ${command}`);
    }
  });

  it('has one signer that calls no one, shows neither it nor the metrics to the world, and gives its secrets to it alone', () => {
    const of = (name: string) => templates.get(name) ?? '';
    expect(of('signer.yaml')).toMatch(/^ +replicas: 1$/m);
    expect(of('signer.yaml')).toContain('accessModes: [ReadWriteOncePod]');
    expect(of('network-policy.yaml')).toMatch(/^ +egress: \[\]$/m);
    expect(of('ingress.yaml')).not.toMatch(/signer|operations|9090/);
    const holders = [...templates].filter(([, one]) => one.includes('.Values.secrets.signer'));
    expect(holders.map(([name]) => name)).toEqual(['signer.yaml']);
  });
});
