// A colour or a space that is no token is found, wherever it stands in a style sheet.
import { expect, it } from 'vitest';
import { findings } from '../testing/tree.ts';

const sheet = 'apps/checkout/src/style/pay.css';

it.each([
  ['a colour by number', '.a { color: #12161d; }', 1],
  ['a colour by function', '.a { box-shadow: 0 8px 24px rgb(0 0 0 / 0.14); }', 1],
  ['a colour by name', '.a {\n  border: 1px solid white\n}', 2],
  ['a space', '.a { margin: 0; padding: 0 12px; }', 1],
  ['a space that is taken back', '/* Two\n lines. */\n@media print { .a:hover { margin-inline: -16px } }', 3],
  ['a left side that differs from the right one', '.a { padding: 0 var(--space-8) calc(1px + 1px) 0 }', 1],
  ['a place that is the left one from right to left too', '.a { inset: 0 auto 0 0 }', 1],
  ['a space by the size of the type', '.a { row-gap: 0.4em; }', 1],
])('finds %s', (_, text, line) => {
  expect(findings({ [sheet]: text })).toMatchObject([{ file: sheet, line, rule: 'style' }]);
});

it('takes tokens, edges, sizes and what has no colour', () => {
  const text = `.a { color: var(--text); background: transparent; white-space: nowrap; inline-size: 20px;
    margin: calc(-1 * var(--space-16)) auto 0 auto; inset: auto 0 0; padding: 1px var(--space-8); border: 1px solid currentColor }`;
  const tokens = ':root { --page: #f5f6f8; --space-4: 4px; }';
  expect(findings({ [sheet]: text, 'apps/checkout/src/style/tokens.css': tokens })).toEqual([]);
});
