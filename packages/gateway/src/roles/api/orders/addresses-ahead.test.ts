// What is derived while the database writes is what the answers will have to prove.
import type { AddressScheme } from '../../../chains/port/address-scheme.ts';
import type { OrderDetail } from '../../../db/tables/orders/orders.ts';
import { testOrder } from '@ducat/testkit/fixtures';
import { expect, it } from 'vitest';
import { createAddressesAhead } from './addresses-ahead.ts';

function stage() {
  const derived: string[] = [];
  const scheme: AddressScheme = {
    derive: (key, index) => {
      derived.push(`${key}/${index}`);
      return `address ${index}`;
    },
    canonical: (text) => text,
    display: (text) => text,
  };
  return { derived, ahead: createAddressesAhead({ evm: scheme, tron: scheme }) };
}

const orders = (...appIds: readonly string[]) => appIds.map((appId) => testOrder({ appId }));
// Only these three fields are looked at.
const from = (appId: string, addressIndex: number) =>
  ({ appId, addressIndex, accountPublicKey: `key of ${appId}` }) as OrderDetail;

it('goes on behind the last address of each app and family, one for each order', () => {
  const { derived, ahead } = stage();
  ahead.derive(orders('app_1'));
  expect(derived).toEqual([]);
  ahead.seen('evm', from('app_1', 7));
  ahead.seen('evm', from('app_2', 3));
  ahead.seen('tron', from('app_1', 40));
  ahead.derive(orders('app_1', 'app_2', 'app_1'));
  expect(derived).toEqual(['key of app_1/8', 'key of app_2/4', 'key of app_1/9']);
});

it('proves an address by what was derived ahead, and else by a derivation that is remembered', () => {
  const { derived, ahead } = stage();
  ahead.seen('evm', from('app_1', 7));
  ahead.derive(orders('app_1'));
  expect(derived).toHaveLength(1);
  expect(ahead.addressOf('evm', from('app_1', 8))).toBe('address 8');
  expect(derived).toHaveLength(1);
  for (const order of [from('app_1', 8), from('app_1', 9), from('app_2', 8), from('app_1', 9)])
    expect(ahead.addressOf('evm', order)).toBe(`address ${order.addressIndex}`);
  expect(ahead.addressOf('tron', from('app_1', 8))).toBe('address 8');
  expect(derived).toHaveLength(4);
});

it('leaves a key that nothing can be derived from to the answers', () => {
  const broken: AddressScheme = {
    derive: () => {
      throw new Error('no public key');
    },
    canonical: (text) => text,
    display: (text) => text,
  };
  const ahead = createAddressesAhead({ evm: broken, tron: broken });
  ahead.seen('evm', from('app_1', 7));
  expect(() => ahead.derive(orders('app_1', 'app_1'))).not.toThrow();
});

it('does not go back for an order that stood before', () => {
  const { derived, ahead } = stage();
  ahead.seen('evm', from('app_1', 7));
  ahead.seen('evm', from('app_1', 2));
  ahead.derive(orders('app_1'));
  expect(derived).toEqual(['key of app_1/8']);
});
