// Who may do what on the dashboard, and for how long: each bound below, at and above.
import { describe, expect, it } from 'vitest';
import { auditText } from './audit-entry.ts';
import { isNewDevice } from './known-device.ts';
import {
  isPermitted,
  type MemberPermission,
  type MemberRole,
  mayChangeRank,
  permissionsOf,
} from './permissions.ts';
import { hasSecondFactor, mayRemovePasskey } from './second-factors.ts';
import { isAlive, sessionEndsAt, stepUpEndsAt } from './session-life.ts';
import { maySetUp } from './setup-link.ts';
import { countAttempt, lockedForS, noAttempts } from './sign-in-attempts.ts';

const NOW = 1_795_166_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const roles: readonly MemberRole[] = ['owner', 'admin', 'developer', 'finance', 'viewer'];

describe('the ranks of a merchant’s people', () => {
  it.each<readonly [MemberPermission, readonly MemberRole[]]>([
    ['view', roles],
    ['develop', ['owner', 'admin', 'developer']],
    ['pay-out', ['owner', 'admin', 'finance']],
    ['approve', ['owner', 'admin', 'finance']],
    ['administer', ['owner', 'admin']],
    ['own', ['owner']],
  ])('to %s is a right of %j', (permission, permitted) => {
    expect(roles.filter((role) => isPermitted({ role, isOperator: false }, permission))).toEqual(permitted);
    expect(roles.filter((role) => permissionsOf(role).includes(permission))).toEqual(permitted);
    expect(isPermitted({ role: null, isOperator: false }, permission)).toBe(false);
    expect(isPermitted({ role: null, isOperator: true }, permission)).toBe(permission === 'view');
    expect(isPermitted({ role: 'owner', isOperator: true }, permission)).toBe(true);
  });

  it('are changed by those who administer, and their own by owners alone', () => {
    const ranks = [...roles, null];
    for (const actor of roles)
      for (const before of ranks)
        for (const after of ranks) {
          const touchesOwn = [before, after].some((rank) => rank === 'owner' || rank === 'admin');
          const mayIt = actor === 'owner' || (actor === 'admin' && !touchesOwn);
          expect(mayChangeRank(actor, before, after), `${actor}: ${before} to ${after}`).toBe(mayIt);
        }
  });
});

describe('a session', () => {
  it('lasts twelve hours once its person is signed in, and ten minutes before', () => {
    const lasts = (['signed-in', 'code-needed', 'enrolment-needed'] as const).map(
      (stage) => sessionEndsAt(stage, NOW) - NOW,
    );
    expect(lasts).toEqual([12 * HOUR, 10 * MINUTE, 10 * MINUTE]);
    expect(stepUpEndsAt(NOW) - NOW).toBe(5 * MINUTE);
  });

  it.each([
    [HOUR - 1, 1, true],
    [HOUR, 1, false],
    [0, 0, false],
    [0, -1, false],
  ])('last seen %i ms ago, with %i ms to go, is alive: %s', (idleMs, leftMs, alive) => {
    expect(isAlive({ seenAtMs: NOW - idleMs, expiresAtMs: NOW + leftMs }, NOW)).toBe(alive);
  });
});

describe('wrong passwords', () => {
  it('lock an account for a quarter of an hour at the tenth, and are counted anew from there', () => {
    let attempts = noAttempts;
    for (let count = 1; count <= 9; count++) {
      attempts = countAttempt(attempts, NOW);
      expect(attempts).toEqual({ failures: count, lockedUntilMs: 0 });
      expect(lockedForS(attempts, NOW)).toBe(0);
    }
    attempts = countAttempt(attempts, NOW);
    expect(attempts).toEqual({ failures: 0, lockedUntilMs: NOW + 15 * MINUTE });
    const lockedAt = [0, 1, 15 * MINUTE - 1, 15 * MINUTE].map((afterMs) =>
      lockedForS(attempts, NOW + afterMs),
    );
    expect(lockedAt).toEqual([900, 900, 1, 0]);
  });
});

it.each([
  [null, true],
  [0, false],
  [90 * 24 * HOUR, false],
  [90 * 24 * HOUR + 1, true],
])('a browser seen %s ms ago is a new device: %s', (agoMs, isNew) => {
  expect(isNewDevice(agoMs === null ? null : NOW - agoMs, NOW)).toBe(isNew);
});

it.each([
  [false, 0, false, false],
  [false, 1, true, false],
  [false, 2, true, true],
  [true, 0, true, true],
  [true, 1, true, true],
])(
  'authenticator %s and %i passkeys: a second factor %s, one may go %s',
  (hasAuthenticator, passkeys, has, may) => {
    expect(hasSecondFactor({ hasAuthenticator, passkeys })).toBe(has);
    expect(mayRemovePasskey({ hasAuthenticator, passkeys })).toBe(may);
  },
);

it.each([
  [false, false, false, true],
  [false, true, false, false],
  [false, true, true, true],
  [true, false, false, false],
  [true, false, true, false],
  [true, true, true, false],
])(
  'with people %s, merchants %s, a demo %s the set-up link works: %s',
  (hasPeople, hasMerchants, isDemo, works) => {
    expect(maySetUp({ hasPeople, hasMerchants }, isDemo)).toBe(works);
  },
);

it('the text of an audit entry has every field in its place', () => {
  const entry = {
    sequence: 7,
    atMs: NOW,
    personId: null,
    operation: 'app/create',
    merchantId: 'mer_1',
    subject: 'app_1',
    detail: '',
    address: '192.0.2.7',
  };
  expect(auditText(entry)).toBe('[7,1795166000000,null,"app/create","mer_1","app_1","","192.0.2.7"]');
});
