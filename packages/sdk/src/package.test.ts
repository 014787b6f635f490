// Tests of the package as merchants install it: no dependency, nothing of the workspace in it, types that stand alone.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const built = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(js|d\.ts)$/.test(name) && !name.includes('.test.'),
);

describe('the package', () => {
  it('has no dependencies', () => {
    expect(
      Object.keys({
        ...manifest.dependencies,
        ...manifest.peerDependencies,
        ...manifest.optionalDependencies,
      }),
    ).toEqual([]);
  });

  it('is built, and imports only its own files and node', () => {
    expect(built).toContain('client.js');
    expect(built).toContain('webhooks.d.ts');
    for (const name of built) {
      const text = readFileSync(path.join(root, 'dist', name), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
        (match) => match[1] ?? '',
      );
      expect(
        imports.filter((target) => !/^(\.{1,2}\/|node:)/.test(target)),
        name,
      ).toEqual([]);
      expect(text.includes('@ducat/'), name).toBe(false);
    }
  });

  it('runs and type-checks from its tarball, as ES module and as CommonJS', { timeout: 60_000 }, () => {
    const project = mkdtempSync(path.join(tmpdir(), 'ducat-sdk-'));
    try {
      const installed = install(project);
      const packed = readdirSync(installed, { recursive: true, encoding: 'utf8' });
      expect(packed).toContain('LICENSE');
      expect(packed.filter((name) => /buildinfo|\.test\.|\.map$|^src/.test(name))).toEqual([]);
      for (const [kind, options] of Object.entries(projects)) {
        const folder = path.join(project, kind);
        const type = kind === 'node16' ? 'commonjs' : 'module';
        mkdirSync(folder);
        writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type }));
        writeFileSync(path.join(folder, 'use.ts'), usage);
        writeFileSync(
          path.join(folder, 'tsconfig.json'),
          JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: ['use.ts'] }),
        );
        const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
        const tsc = path.join(path.dirname(compiler), 'bin/tsc');
        expect(run(tsc, '-p', folder), kind).toBe('');
        expect(run(path.join(folder, 'use.js')), kind).toBe('ready\n');
      }
    } finally {
      rmSync(project, { recursive: true, force: true });
    }
  });
});

/** Packs the package as npm publishes it, and installs it as npm does, beside the types of Node. */
function install(project: string): string {
  const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', project], options);
  const [tarball = ''] = readdirSync(project);
  execFileSync('tar', ['-xzf', path.join(project, tarball), '-C', project]);
  const installed = path.join(project, 'node_modules/@ducat/sdk');
  mkdirSync(path.dirname(installed), { recursive: true });
  renameSync(path.join(project, 'package'), installed);
  const nodeTypes = path.dirname(createRequire(import.meta.url).resolve('@types/node/package.json'));
  mkdirSync(path.join(project, 'node_modules/@types'));
  symlinkSync(nodeTypes, path.join(project, 'node_modules/@types/node'), 'junction');
  return installed;
}

function run(script: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [script, ...args], { encoding: 'utf8' });
}

/** The ways in which merchants resolve modules; the program of the first one is CommonJS. */
const projects = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

const compilerOptions = {
  strict: true,
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  rootDir: '.',
};

const usage = `
import { Ducat, NotFoundError, type CreateOrderRequest } from '@ducat/sdk';
import { verifyWebhook, nodeWebhook } from '@ducat/sdk/webhooks';

const ducat = new Ducat({ baseUrl: 'http://127.0.0.1:1', appId: 'a', appKey: 'k' });
export const request: CreateOrderRequest = { out_trade_no: '1', currency_id: 1001, fiat_name: 'USD', fiat_amount: '1' };
export const status = async (): Promise<'TO-BE-PAID' | 'PAID' | 'TIME-OUT'> => (await ducat.orders.detail('x')).status;
export const handler = nodeWebhook({ appKey: 'k', onEvent: (event) => { const paid: string = event.type === 'PAYMENT' ? event.body.amount_collected : event.body.token_amount; void paid; } });
// @ts-expect-error currency_id is an integer
export const wrong: CreateOrderRequest = { out_trade_no: '1', currency_id: '1001' };
console.log(typeof verifyWebhook === 'function' && NotFoundError.name ? 'ready' : 'broken');
`;
