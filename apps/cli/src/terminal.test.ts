// The text that the terminal is shown.
import { describe, expect, it } from 'vitest';
import { columns, harmless, paletteFor } from './terminal.ts';

describe('the terminal', () => {
  it('gets colours only where it is one and colours are not switched off', () => {
    expect(paletteFor({ isTTY: true }, {}).bold('x')).toBe('\u001b[1mx\u001b[22m');
    expect(paletteFor({ isTTY: false }, {}).bold('x')).toBe('x');
    expect(paletteFor({ isTTY: true }, { NO_COLOR: '1' }).bold('x')).toBe('x');
    expect(paletteFor({ isTTY: true }, { TERM: 'dumb' }).bold('x')).toBe('x');
  });

  it('gets columns that line up and no spaces at the end', () => {
    expect(
      columns(
        [
          ['a', 'bbb', 'c'],
          ['aaa', 'b', ''],
        ],
        ' ',
      ),
    ).toEqual([' a    bbb  c', ' aaa  b']);
  });

  it('never gets control characters that a stranger wrote', () => {
    expect(harmless('a\u001b[2Jb\u202ec')).toBe('a\u{FFFD}[2Jb\u{FFFD}c');
  });
});
