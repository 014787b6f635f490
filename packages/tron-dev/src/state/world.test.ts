// The working copy: the original never changes, checkpoints nest, changes can be applied again.
import { describe, expect, it } from 'vitest';
import { applyChanges, emptyState } from './state.ts';
import { World } from './world.ts';

describe('World', () => {
  it('leaves the state it started from alone', () => {
    const before = emptyState();
    const world = new World(before);
    world.set('totals', 'a', 1n);
    expect(before.totals.size).toBe(0);
    expect(world.state.totals.get('a')).toBe(1n);
  });

  it('goes back to checkpoints in turn, and to a savepoint past any that were left open', () => {
    const world = new World(emptyState());
    world.set('totals', 'a', 1n);
    const savepoint = world.savepoint();
    world.checkpoint();
    world.set('totals', 'a', 2n);
    world.checkpoint();
    world.set('totals', 'a', 3n);
    world.revert();
    expect(world.total('a')).toBe(2n);
    world.restore(savepoint);
    expect(world.total('a')).toBe(1n);
    expect(() => world.revert()).toThrow();
  });

  it('says what it wrote, so that the same state comes out elsewhere', () => {
    const base = new World(emptyState());
    base.set('totals', 'gone', 1n);
    base.set('totals', 'kept', 2n);
    const world = new World(base.state);
    world.set('totals', 'gone', undefined);
    world.set('storage', 'slot', 'ff');
    world.checkpoint();
    world.set('totals', 'kept', 9n);
    world.revert();
    const again = applyChanges(base.state, world.changes());
    expect(again.totals.equals(world.state.totals)).toBe(true);
    expect(again.storage.get('slot')).toBe('ff');
    expect(again.totals.has('gone')).toBe(false);
  });
});
