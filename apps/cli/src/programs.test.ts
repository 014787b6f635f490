// The answers of the programs to questions about themselves and to mistakes: no stack trace, and the right exit code.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from '@ducat/testkit/global-setup';
import { expect, inject, it } from 'vitest';
import { ducat, shell, workspace } from './testing/demo-process.ts';

const gateway = (options: string) => shell(`node packages/gateway/dist/main.js ${options}`);

it('ducat --version prints the version of its manifest alone', async () => {
  const manifest = readFileSync(join(workspace, 'apps/cli/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  expect(await ducat('', '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it.each([
  ['--help', 0, 'stdout', /^Usage: main\.js \[--config ducat\.toml\]\n/],
  ['--hlep', 1, 'stderr', /^ducat gateway: Unknown option '--hlep'/],
  ['--config /nowhere/ducat.toml', 1, 'stderr', /^ducat gateway: .*\/nowhere\/ducat\.toml/],
] as const)('main.js %s ends with %i and plain words', async (options, code, stream, words) => {
  const ran = await gateway(options);
  expect(ran.code).toBe(code);
  expect(ran[stream]).toMatch(words);
  expect(ran.stdout + ran.stderr).not.toMatch(/^ +at /m);
});

it.each([
  [
    'password',
    { password: 'wrong' },
    /^ducat gateway: the database cannot be reached: password authentication failed/,
  ],
  [
    'name',
    { pathname: '/nowhere' },
    /^ducat gateway: the database cannot be reached: database "nowhere" does not exist/,
  ],
] as const)(
  'main.js ends by a wrong %s of the database, and names it in one line',
  async (_, change, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'ducat-programs-'));
    try {
      const file = join(folder, 'ducat.toml');
      writeFileSync(file, '[chains.ETH]\nrpc_urls = ["http://127.0.0.1:1"]\n');
      const url = Object.assign(new URL(inject('postgresAdminUrl')), change).href;
      const environment = { DATABASE_URL: url, DUCAT_MASTER_SECRET: '0123456789abcdef'.repeat(4) };
      const { code, stderr } = await shell(
        `node packages/gateway/dist/main.js --config ${file}`,
        environment,
      );
      expect([code, stderr.trimEnd().split('\n').length]).toEqual([1, 1]);
      expect(stderr).toMatch(words);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
