// Tests that the generated files are what the generator writes from the contract today.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const generator = new URL('../../generate/generate.mjs', import.meta.url).href;

describe('src/generated', () => {
  it('is up to date; else run: node packages/sdk/generate/generate.mjs', async () => {
    const { generatedFiles } = await import(generator);
    const files: Record<string, string> = await generatedFiles();
    const here = new URL('.', import.meta.url);
    const present = readdirSync(here).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    expect(present.toSorted()).toEqual(Object.keys(files).toSorted());
    for (const [name, text] of Object.entries(files)) {
      expect(readFileSync(new URL(name, here), 'utf8').replaceAll('\r\n', '\n'), name).toBe(text);
    }
  });
});
