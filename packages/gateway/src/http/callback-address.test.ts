// Shows that every spelling of a private address is seen through, and that the operator's list decides.
import { describe, expect, it } from 'vitest';
import { addressKey, networkKey } from './address-key.ts';
import { isPublicCallback } from './callback-address.ts';

const isCallable = (address: string) => address === '8.8.8.8' || address === '2001:4860:4860::8888';

describe('isPublicCallback', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost:81/',
    'http://0/',
  ])('refuses %s', (url) => {
    expect(isPublicCallback(new URL(url), isCallable)).toBe(false);
  });

  it.each([
    'https://8.8.8.8/',
    'https://[2001:4860:4860::8888]/',
    'https://shop.example/',
    'https://localhost.example/',
  ])('takes %s', (url) => {
    expect(isPublicCallback(new URL(url), isCallable)).toBe(true);
  });

  it('takes loopback where the operator lists it, by number and by name', () => {
    const listed = (address: string) => address === '127.0.0.1';
    expect(isPublicCallback(new URL('http://127.1:8080/'), listed)).toBe(true);
    expect(isPublicCallback(new URL('http://localhost:8080/'), listed)).toBe(true);
    expect(isPublicCallback(new URL('http://10.0.0.1/'), listed)).toBe(false);
  });
});

describe('addressKey', () => {
  it('counts IPv4 one by one, also inside IPv6, and IPv6 by its /64', () => {
    expect(addressKey('1.2.3.4')).toBe(addressKey('::ffff:1.2.3.4'));
    expect(addressKey('2001:db8:1:2::1')).toBe(addressKey('2001:db8:1:2:ffff::9'));
    expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'));
    expect(addressKey('nonsense')).toBe('unknown');
    expect(networkKey('2001:db8:1:2::1')).toBe(networkKey('2001:db8:1:ffff::9'));
    expect(networkKey('2001:db8:1:2::1')).not.toBe(networkKey('2001:db8:2:2::1'));
    expect(networkKey('::ffff:1.2.3.4')).toBe('1.2.3.4');
  });
});
