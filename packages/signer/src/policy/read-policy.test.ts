// The policy file: any inexact entry stops the start, and the message names the place.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coldAddress, usdt } from '../testing/signing-place.ts';
import { readPolicy } from './read-policy.ts';

const limits = { perTransaction: '1', perHour: '2', perDay: '3' };
const asset = { contract: usdt, ...limits, approvalAbove: null };
const chain = { chainId: 1, family: 'evm', fees: limits, assets: [asset], cold: [coldAddress] };
const alice = { name: 'alice', publicKey: '11'.repeat(32) };

function text(change: object = {}, approvers: readonly unknown[] = [alice]): string {
  return JSON.stringify({ chains: [{ ...chain, ...change }], approvers });
}

describe('readPolicy', () => {
  it('reads limits, cold addresses and the keys of approvers', () => {
    const policy = readPolicy(text());
    expect(policy.chains[0]).toMatchObject({
      fees: { perDay: 3n },
      assets: [{ perHour: 2n }],
      cold: [coldAddress],
    });
    expect(policy.approvers.get('alice')?.asymmetricKeyType).toBe('ed25519');
  });

  it('reads the policy that docs/operate/install.md shows', () => {
    const page = readFileSync(new URL('../../../../docs/operate/install.md', import.meta.url), 'utf8');
    const shown = /^ {4}(\{"chains".*?"approvers":\[\]\})$/ms.exec(page)?.[1] ?? '';
    expect(readPolicy(shown).chains[0]?.assets.map(({ contract }) => contract)).toEqual([null, usdt]);
  });

  it.each([
    ['broken JSON', '{', /not valid JSON/],
    ['an unknown field', JSON.stringify({ chains: [], approvers: [], debug: true }), /nothing else/],
    ['a chain without limits of fees', text({ fees: undefined }), /chains\[0\] must have/],
    [
      'an amount as number',
      text({ assets: [{ ...asset, perDay: 3 }] }),
      /chains\[0\]\.assets\[0\] must have/,
    ],
    [
      'an asset without a word on approvals',
      text({ assets: [{ contract: null, ...limits }] }),
      /assets\[0\]/,
    ],
    ['an asset twice', text({ assets: [asset, asset] }), /same contract twice/],
    [
      'a contract of another family',
      text({ assets: [{ ...asset, contract: `41${'a'.repeat(40)}` }] }),
      /assets\[0\]/,
    ],
    [
      'a cold address in mixed case',
      text({ cold: [coldAddress.replace('c0', 'C0')] }),
      /cold must list canonical/,
    ],
    [
      'addresses of Tron that are to be swept',
      text({ family: 'tron', assets: [], cold: [], sponsored: true }),
      /sponsored is for chains of the family evm/,
    ],
    ['authorisations for every chain', text({ chainId: 0, sponsored: true }), /sponsored is for chains/],
    ['a word on sweeps that is none', text({ sponsored: 'yes' }), /chains\[0\] must have/],
    ['a chain twice', JSON.stringify({ chains: [chain, chain], approvers: [] }), /same chain twice/],
    ['an approver twice', text({}, [alice, alice]), /same name twice/],
    ['a key that is none', text({}, [{ ...alice, publicKey: '11' }]), /approvers\[0\]/],
    [
      'approvals that no approver can give',
      text({ assets: [{ ...asset, approvalAbove: '1' }] }, []),
      /no approver/,
    ],
  ])('refuses %s', (_what, given, message) => {
    expect(() => readPolicy(given)).toThrow(
      expect.objectContaining({ code: 'bad-policy', message: expect.stringMatching(message) }),
    );
  });
});
