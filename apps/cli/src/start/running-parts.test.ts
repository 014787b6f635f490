// The order in which a start is undone.
import { describe, expect, it } from 'vitest';
import { runningParts } from './running-parts.ts';

describe('running parts', () => {
  it('end in the reverse order, each once, whatever one of them does', async () => {
    const parts = runningParts();
    const ended: string[] = [];
    parts.add('PostgreSQL', async () => void ended.push('PostgreSQL'));
    parts.add('chains', () => Promise.reject(new Error('stuck')));
    parts.add('gateway', async () => void ended.push('gateway'));
    const troubles = await parts.stopAll(() => undefined);
    expect(ended).toEqual(['gateway', 'PostgreSQL']);
    expect(troubles.map((trouble) => trouble.message)).toEqual(['chains did not stop as it should']);
    expect(await parts.stopAll(() => undefined)).toEqual([]);
    expect(ended).toHaveLength(2);
  });

  it('are reported only where they ran', async () => {
    const parts = runningParts();
    parts.add('PostgreSQL', () => Promise.resolve());
    parts.add('signer', () => Promise.resolve(false));
    const reported: string[] = [];
    expect(await parts.stopAll((name) => void reported.push(name))).toEqual([]);
    expect(reported).toEqual(['PostgreSQL']);
  });
});
