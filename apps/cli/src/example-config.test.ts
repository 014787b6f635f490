// The commented example of the configuration is complete and right.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@ducat/gateway/config/load-config';
import { configSchema } from '@ducat/gateway/config/schema';
import { configWarnings } from '@ducat/gateway/config/warnings';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';

const path = new URL('../../../packages/gateway/ducat.example.toml', import.meta.url);
const text = readFileSync(path, 'utf8');
/** The example with the entries that are shown as comments. */
const everything = text.replace(/^# (\[|[a-z_]+ = )/gm, '$1');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** The entries of a schema as dotted names; chains and list elements are a star. */
function entriesOf(schema: Schema, at: string): readonly string[] {
  const named = Object.entries(schema.properties ?? {}).map(
    ([name, inner]) => [`${at}${name}`, inner] as const,
  );
  const starred = Object.values(schema.patternProperties ?? {}).map((inner) => [`${at}*`, inner] as const);
  const inside = [...named, ...starred].flatMap(([name, inner]) => [name, ...entriesOf(inner, `${name}.`)]);
  return [...inside, ...(schema.items?.properties === undefined ? [] : entriesOf(schema.items, `${at}*.`))];
}

/** Entries whose names the operator chooses. */
const maps = new Set(['chains', 'approvers']);

/** The entries of a value, named in the same way. */
function namesIn(value: unknown, at: string, isMap: boolean): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, `${at}*.`, false));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = `${at}${isMap ? '*' : key}`;
    return [name, ...namesIn(inner, `${name}.`, maps.has(name))];
  });
}

describe('ducat.example.toml', () => {
  it('names every entry of the schema and no other', () => {
    const wanted = new Set(entriesOf(configSchema as Schema, ''));
    expect(wanted.size).toBeGreaterThan(40);
    expect(new Set(namesIn(parse(everything), '', false))).toEqual(wanted);
  });

  it.each([
    ['as it stands', text],
    ['with the entries that are commented out', everything],
  ])('is accepted %s', (_how, toml) => {
    const folder = mkdtempSync(join(tmpdir(), 'ducat-example-'));
    try {
      writeFileSync(join(folder, 'ducat.toml'), toml.replaceAll(':password@', ':geheim@'), { mode: 0o600 });
      writeFileSync(join(folder, 'master-secret'), '0123456789abcdef'.repeat(4), { mode: 0o600 });
      writeFileSync(join(folder, 'signer-token'), 'x'.repeat(43), { mode: 0o600 });
      for (const name of ['client.pem', 'client.key', 'ca.pem']) {
        writeFileSync(join(folder, name), 'x'.repeat(43), { mode: 0o600 });
      }
      writeFileSync(join(folder, 'coingecko-key'), 'x'.repeat(27), { mode: 0o600 });
      writeFileSync(join(folder, 'smtp-password'), 'x'.repeat(8), { mode: 0o600 });
      const config = loadConfig(join(folder, 'ducat.toml'), {});
      expect(configWarnings(config)).toContainEqual(
        expect.stringMatching(/^signer\.key_id: is the one of the example/),
      );
      expect(config.demo).toBe(false);
      expect(config.chains.map(({ definition }) => definition.name)).toEqual(['ETH']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('is accepted with every chain switched on', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ducat-example-'));
    try {
      const all = text.replaceAll('enabled = false', 'enabled = true').replaceAll(':password@', ':geheim@');
      writeFileSync(join(folder, 'ducat.toml'), all, { mode: 0o600 });
      writeFileSync(join(folder, 'master-secret'), '0123456789abcdef'.repeat(4), { mode: 0o600 });
      writeFileSync(join(folder, 'signer-token'), 'x'.repeat(43), { mode: 0o600 });
      expect(loadConfig(join(folder, 'ducat.toml'), {}).chains).toHaveLength(3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('switches on no token that a shop did not choose, and says what a private Tron needs', () => {
    const { chains } = parse(text) as {
      readonly chains: Readonly<Record<string, { known_tokens?: string }>>;
    };
    for (const [name, { known_tokens }] of Object.entries(chains))
      expect([name, known_tokens ?? 'common']).not.toEqual([name, 'all']);
    const [, tron = ''] = text.split(/^\[chains\.Tron\]$/m);
    expect(tron).toMatch(/# A test net or a private Tron needs its chain_id besides/);
  });

  it('says the danger of every group', () => {
    for (const group of text.split(/^\[/m).slice(1)) {
      const [name = ''] = group.split(']');
      if (name !== 'log') expect(group, name).toContain('DANGER');
    }
  });
});
