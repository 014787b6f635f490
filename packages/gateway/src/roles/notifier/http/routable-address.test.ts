// Shows which addresses are taken for public ones.
import { describe, expect, it } from 'vitest';
import { canonicalAddress, isAllowed, isGloballyRoutable, parseAllowList } from './routable-address.ts';

describe('isGloballyRoutable', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
  ])('takes %s for public', (address) => {
    expect(isGloballyRoutable(address)).toBe(true);
  });

  it.each(['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888'])(
    'takes %s for public',
    (address) => {
      expect(isGloballyRoutable(address)).toBe(true);
    },
  );

  it.each([
    ['this network', '0.0.0.0', '0.1.2.3'],
    ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
    ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['link-local and metadata', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
    ['protocol assignments', '192.0.0.1', '192.0.0.192', '2001:1::1', '2001:100::1'],
    ['documentation', '192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'],
    ['6to4', '192.88.99.1', '2002:7f00:1::', '2002:a9fe:a9fe::1'],
    ['benchmarking', '198.18.0.1', '198.19.255.255', '2001:2::1'],
    ['a service of the cloud under a public number', '168.63.129.16'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
    ['reserved and broadcast', '240.0.0.1', '255.255.255.255'],
    ['AS112 and AMT', '192.175.48.1', '192.31.196.1', '192.52.193.1', '2620:4f:8000::1', '2001:3::1'],
    ['unspecified', '::'],
    ['unique local', 'fc00::1', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8'],
    ['IPv4-compatible and translated', '::127.0.0.1', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a00:1'],
    ['Teredo', '2001:0:4136:e378::1'],
    ['ORCHID', '2001:10::1', '2001:20::1'],
    ['discard', '100::1'],
    ['segment routing and unassigned', '5f00::1', '4000::1', '8000::1'],
    ['no addresses at all', '', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '1.2.3.4.5', '[::1]'],
  ])('refuses %s', (_name, ...addresses) => {
    expect(addresses.filter(isGloballyRoutable)).toEqual([]);
  });
});

describe('the allow list', () => {
  const allowed = parseAllowList(['127.0.0.0/8', '::1/128', '10.1.0.0/16']);

  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['10.1.255.1', true],
    ['10.2.0.1', false],
    ['::2', false],
    ['::ffff:127.0.0.1', false],
    ['localhost', false],
  ])('holds %s: %s', (address, expected) => {
    expect(isAllowed(address, allowed)).toBe(expected);
  });

  it.each(['127.0.0.1', '127.1/8', '10.0.0.0/33', 'local/8', '10.0.0.0/8/8', ''])(
    'refuses the entry "%s"',
    (text) => {
      expect(() => parseAllowList([text])).toThrow('no range of addresses');
    },
  );
});

describe('canonicalAddress', () => {
  it('spells one address one way', () => {
    expect(canonicalAddress('0:0::0:1')).toBe(canonicalAddress('::1'));
    expect(canonicalAddress('2001:DB8::A')).toBe(canonicalAddress('2001:db8:0:0::a'));
    expect(canonicalAddress('127.0.0.1')).toBe('127.0.0.1');
  });
});
