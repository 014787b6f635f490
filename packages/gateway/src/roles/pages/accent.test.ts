// The merchant's colour never makes a button that cannot be read.
import { expect, it } from 'vitest';
import { accentStyle, contrast } from './accent.ts';

it('gives every colour an ink that stands out from it, and an edge where it would vanish', () => {
  for (const accent of ['#000000', '#ffffff', '#ffff00', '#2a4fc4', '#777777', '#ff0000', '#00ff88']) {
    const [, ink = ''] = /--on-accent:(#[0-9a-f]{6})/.exec(accentStyle(accent)) ?? [];
    expect(contrast(accent, ink), accent).toBeGreaterThanOrEqual(4.5);
  }
  expect(accentStyle('#ffffff')).toMatch(/:root{[^}]*--accent-edge:var\(--control\)}@media.*transparent/);
});
