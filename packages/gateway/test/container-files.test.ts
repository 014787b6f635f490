// The files of deploy/container and deploy/systemd name programs, ports, users and settings that exist. The trial of the
// container runs its image.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '@ducat/signer/arguments';
import { describe, expect, it } from 'vitest';
import { gatewayNodeOptions } from '../src/runtime/node-options.ts';
import { builtDocs } from '../src/roles/api/docs/docs-files.ts';
import { builtFiles } from '../src/roles/dashboard/static-files.ts';

const root = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const dockerfile = read('deploy/container/Dockerfile');
const compose = read('deploy/container/compose.yaml');
const signing = read('deploy/container/compose.signing.yaml');
const caddyfile = read('deploy/container/Caddyfile');
const example = read('packages/gateway/ducat.example.toml');
const matchesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** The port of each section of the example configuration that listens. */
const ports = new Map(
  ['api', 'pages', 'dashboard', 'operations'].map((name) => [
    name,
    new RegExp(`^\\[${name}\\]$[^]*?^port = (\\d+)`, 'm').exec(example)?.[1] ?? '',
  ]),
);

describe('the image', () => {
  it('starts and links programs that exist', () => {
    expect(dockerfile).toContain('CMD ["packages/gateway/dist/main.js"');
    const linked = matchesOf(dockerfile, /ln -s \/opt\/ducat\/(\S+)/g);
    expect(linked).toHaveLength(2);
    expect(
      [...linked, 'packages/gateway/src/main.ts'].filter((file) => !existsSync(new URL(file, root))),
    ).toEqual([]);
  });

  it('holds the workspaces that it names, and the built files that no package names where they are served from', () => {
    const names = matchesOf(dockerfile, /--workspace (\S+)/g);
    const manifests = ['apps/cli', 'apps/recover', 'packages/signer'].map((folder) =>
      read(`${folder}/package.json`),
    );
    expect(names).toEqual(manifests.map((text) => (JSON.parse(text) as { name: string }).name));
    for (const served of [builtFiles, builtDocs])
      expect(dockerfile).toContain(` ${relative(fileURLToPath(root), served).replaceAll('\\', '/')} `);
  });

  it('opens the ports of the example, and asks for its health at the one of operations', () => {
    expect(/^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ')).toEqual([...ports.values()]);
    expect(dockerfile).toContain(`'http://127.0.0.1:${ports.get('operations')}/healthz'`);
    expect(new Set(matchesOf(caddyfile, /reverse_proxy gateway:(\d+)/g))).toEqual(
      new Set(['api', 'dashboard', 'pages'].map((name) => ports.get(name))),
    );
  });
});

it('Node is started alike in the image, by the unit, in the demo and in the benches', () => {
  expect(/^ENV .*NODE_OPTIONS=(\S+)/m.exec(dockerfile)?.[1]).toBe(gatewayNodeOptions);
  const unit = read('deploy/systemd/ducat.service');
  expect(/^Environment=NODE_OPTIONS=(.+)$/m.exec(unit)?.[1]).toBe(gatewayNodeOptions);
});

describe('the compose file', () => {
  const signerCommand = (text: string) => {
    const [, list = ''] = /signer:[^]*?command:\n((?: +- .+\n)+)/.exec(text) ?? [];
    return matchesOf(list, /- (.+)/g);
  };
  const [program = '', ...words] = signerCommand(compose);
  const [, signerUser, group] = /user: "(\d+):(\d+)"/.exec(compose) ?? [];

  it('starts the signer with options that it knows, for the group of both', () => {
    expect(existsSync(new URL(program, root))).toBe(true);
    expect(readArguments(words)).toMatchObject({
      command: 'serve',
      socket: /socket = "(.+)"/.exec(example)?.[1],
      socketGroup: group,
      keystore: '/var/lib/ducat-signer/keystore.json',
    });
  });

  it('starts a signer that signs with the same options, and the policy and log that its page says how to make', () => {
    const [policy = '', log = ''] = signerCommand(signing).slice(-2);
    expect(signerCommand(signing)).toEqual([program, ...words, policy, log]);
    expect(readArguments([...words, policy, log])).toMatchObject({
      signing: { policy: '/etc/ducat/signer-policy.json', log: '/var/lib/ducat-signer/signing.log' },
    });
    const page = read('deploy/README.md');
    for (const named of [
      '`config/signer-policy.json`',
      '--log /var/lib/ducat-signer/signing.log',
      'compose.signing.yaml',
    ])
      expect(page).toContain(named);
  });

  it('needs the variables that its page puts into .env', () => {
    const needed = matchesOf(compose, /\$\{(\w+):\?/g);
    expect(needed).toEqual(['PAY_HOST', 'DASHBOARD_HOST']);
    const page = read('deploy/README.md');
    for (const name of needed) expect(page).toMatch(new RegExp(`^ {4}${name}=`, 'm'));
  });

  it('keeps what lies beside it out of git and out of the image', () => {
    for (const path of ['.env', 'config', 'secrets', 'signer']) {
      expect(read('.gitignore')).toContain(`/deploy/container/${path}`);
      expect(read('.dockerignore')).toContain(`deploy/container/${path}`);
    }
  });

  it('gives each program a user of its own, and the folder of the socket to the signer', () => {
    expect(matchesOf(compose, /user: "(.+)"/g)).toEqual([`${signerUser}:${group}`, `10001:${group}`]);
    expect(dockerfile).toContain('USER 10001:10001');
    expect(dockerfile).toContain(`install -d -o ${signerUser} -g ${group} -m 0710 /run/ducat-signer`);
  });

  it('mounts what its page says how to make', () => {
    const page = read('deploy/README.md');
    const mounted = matchesOf(compose, /[ "]\.\/((?!Caddyfile)[\w-]+)/g);
    expect(new Set(mounted)).toEqual(new Set(['signer', 'config', 'secrets']));
    for (const folder of mounted) expect(page).toContain(`\`${folder}/\``);
    for (const file of matchesOf(compose, /file: \.\/secrets\/(\S+)/g)) expect(page).toContain(`\`${file}`);
  });
});

describe('the units of systemd', () => {
  const commandOf = (unit: string) => {
    const [, command = ''] =
      /^ExecStart=\/usr\/bin\/node (.+)$/m.exec(read(`deploy/systemd/${unit}.service`)) ?? [];
    const [program = '', ...words] = command.split(' ');
    return { program, words };
  };

  it('start programs that exist, with the files that the page names', () => {
    const gateway = commandOf('ducat');
    expect(gateway.program).toBe('packages/gateway/dist/main.js');
    expect(gateway.words).toEqual(['--config', '/etc/ducat/ducat.toml']);
    const signer = commandOf('ducat-signer');
    expect(existsSync(new URL(signer.program, root))).toBe(true);
    const socket = /socket = "(.+)"/.exec(example)?.[1];
    expect(readArguments(signer.words)).toMatchObject({ command: 'serve', socket });
    const page = read('docs/operate/install.md');
    for (const path of [...gateway.words, ...signer.words].filter((word) => /^\/(etc|var)\//.test(word)))
      expect(page).toContain(path);
  });
});
