// Tests of the clients file, and of which clients it admits.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPermissions } from './permissions.ts';

const token = 'g'.repeat(43);
const otherToken = 'h'.repeat(43);
const gateway = { name: 'gateway', tokenSha256: sha256(token), methods: ['account-public-key'] };
const other = { name: 'other', tokenSha256: sha256(otherToken), methods: ['account-public-key'] };

describe('permissions', () => {
  const permissions = readPermissions(JSON.stringify({ clients: [gateway, other] }));

  it('let in a client with its own token, with its own methods', () => {
    const client = permissions.authenticate('gateway', token);
    expect(client?.name).toBe('gateway');
    expect([...client!.methods]).toEqual(['account-public-key']);
  });

  it.each([
    ['a wrong token', 'gateway', 'x'.repeat(43)],
    ["another client's token", 'gateway', otherToken],
    ['the hash in place of the token', 'gateway', sha256(token)],
    ['an unknown client with a valid token', 'stranger', token],
    ['an empty name', '', token],
    ['a name that objects have anyway', 'constructor', token],
    ['an empty token', 'gateway', ''],
  ])('keep out %s', (_what, name, given) => {
    expect(permissions.authenticate(name, given)).toBeUndefined();
  });
});

describe('readPermissions', () => {
  it.each([
    ['broken JSON', '{"clients":', /not valid JSON/],
    ['a bare list', '[]', /must be \{"clients"/],
    ['an unknown field', JSON.stringify({ clients: [gateway], debug: true }), /nothing else/],
    ['no client', JSON.stringify({ clients: [] }), /1 to 64/],
    ['65 clients', JSON.stringify({ clients: Array.from({ length: 65 }, () => gateway) }), /1 to 64/],
    ['a client with an unknown field', clients({ ...gateway, admin: true }), /clients\[0\] must have/],
    ['a bad name', clients({ ...gateway, name: 'Gate Way' }), /clients\[0\]\.name/],
    ['a plain token', clients({ ...gateway, tokenSha256: token }), /clients\[0\]\.tokenSha256/],
    ['an unknown method', clients({ ...gateway, methods: ['sign'] }), /clients\[0\]\.methods/],
    [
      'a method twice',
      clients({ ...gateway, methods: ['account-public-key', 'account-public-key'] }),
      /each once/,
    ],
    ['no method', clients({ ...gateway, methods: [] }), /clients\[0\]\.methods/],
    ['methods as text', clients({ ...gateway, methods: 'account-public-key' }), /must be a list/],
    [
      'the same name twice',
      clients(gateway, { ...other, name: 'gateway' }),
      /clients\[1\]\.name appears twice/,
    ],
    ['the same token twice', clients(gateway, { ...gateway, name: 'other' }), /its own token/],
  ])('refuses %s and names the place', (_what, text, message) => {
    expect(() => readPermissions(text)).toThrow(
      expect.objectContaining({ code: 'bad-clients', message: expect.stringMatching(message) }),
    );
  });

  it('does not repeat a token that was put in the wrong place', () => {
    expect(() => readPermissions(clients({ ...gateway, tokenSha256: token }))).toThrow(/^(?!.*ggg)/);
    expect(() => readPermissions(`{"clients":[${token}`)).toThrow(/^(?!.*ggg)/);
  });
});

function clients(...list: readonly unknown[]): string {
  return JSON.stringify({ clients: list });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
