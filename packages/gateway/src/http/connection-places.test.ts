// Shows who gets a place among the connections, and who has to go for it, at each limit: below, at and above it.
import { describe, expect, it } from 'vitest';
import { type ConnectionPlaces, createConnectionPlaces } from './connection-places.ts';

function opened(maxConnections: number, maxConnectionsPerAddress: number, names: readonly string[] = []) {
  const places = createConnectionPlaces<string>({ maxConnections, maxConnectionsPerAddress });
  // The first letter is the address.
  const open = (name: string) => places.take(name, name.slice(0, 1));
  expect(names.map(open)).toEqual(names.map(() => null));
  return { ...places, open };
}

const serve = (places: ConnectionPlaces<string>, name: string) => {
  places.setBusy(name);
  places.setQuiet(name);
};

describe('one address', () => {
  it('fills its places, and then gives up its own, the one that is quiet for longest first', () => {
    const { open } = opened(9, 3, ['a1', 'a2', 'a3', 'b1']);
    expect([open('a4'), open('a5'), open('b2')]).toEqual(['a1', 'a2', null]);
  });

  it('gives up what never asked for anything before what was served, and nothing that is being served', () => {
    const places = opened(9, 3, ['a1', 'a2', 'a3']);
    serve(places, 'a1');
    places.setBusy('a2');
    expect([places.open('a4'), places.open('a5')]).toEqual(['a3', 'a4']);
    places.setBusy('a5');
    expect(places.open('a6')).toBe('a1');
    places.setBusy('a6');
    expect(places.open('a7')).toBe('a7');
    places.setQuiet('a2');
    expect(places.open('a8')).toBe('a2');
  });

  it('has the place again of what left', () => {
    const { leave, open } = opened(9, 2, ['a1', 'a2']);
    leave('a1');
    leave('a1');
    expect([open('a3'), open('a4')]).toEqual([null, 'a2']);
  });
});

describe('all places', () => {
  it.each([
    ['below', 5, null],
    ['at', 4, 'a1'],
  ])('%s the limit: the address with the most connections makes room', (_, max, goes) => {
    expect(opened(max, 9, ['b1', 'a1', 'a2', 'a3']).open('c1')).toBe(goes);
  });

  it('are not taken from those that hold fewer than the newcomer', () => {
    const { open, setBusy } = opened(4, 9, ['b1', 'a1', 'a2', 'a3']);
    for (const name of ['a1', 'a2', 'a3']) setBusy(name);
    expect([open('a4'), open('c1')]).toEqual(['a4', 'b1']);
  });

  it('serve an honest client beside eight addresses that hold all, and a thousand that come again and again', () => {
    const places = createConnectionPlaces<string>({ maxConnections: 2_000, maxConnectionsPerAddress: 256 });
    for (let n = 0; n < 8 * 256; n++) places.take(`idle ${n}`, `idle ${n % 8}`);
    const cut: (string | null)[] = [];
    for (let n = 0; n < 1_000; n++) {
      cut.push(places.take(`flood ${n}`, 'shared'));
      // The honest client has the flood's own address, and sends its request after 200 more newcomers.
      if (n === 500) cut.push(places.take('honest', 'shared'));
      if (n === 700) serve(places, 'honest');
    }
    expect(cut).not.toContain('honest');
    expect(places.take('another', 'elsewhere')).not.toBe('another');
  });
});
