// What a person reads in a mail, whatever names merchants and browsers give themselves; and how many mails there are.
import { describe, expect, it } from 'vitest';
import { composeMail } from './compose-mail.ts';
import { nextMailAttemptMs, roomForMail } from './mail-pace.ts';

const happened = {
  at: '2026-11-23 11:00 UTC',
  address: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux) Chrome/147',
};

describe('composeMail', () => {
  it('lets no name begin a line, hide, or look like a link or an address', () => {
    const merchantName = 'Shop\r\nBcc: eve@evil.test\u0000\n\n\u202egnp.exe https://evil.test/x <b>\u2028hi';
    const invitation = {
      kind: 'invitation',
      merchantName,
      role: 'viewer',
      invitedBy: 'ada@example.test',
      url: 'https://dashboard.test/invitation#token',
      untilMs: 1,
      until: '2026-11-26 11:00 UTC',
    } as const;
    const { subject, text } = composeMail(invitation, false);
    expect(subject).toBe('You are invited to a payment dashboard');
    expect(text.split('\n')[0]).toBe(
      'You are invited to Shop Bcc: eve evil. test gnp. exe https: evil. test x b hi as viewer. ada@example.test invites you.',
    );
    expect(text.match(/https?:\/\/\S+/g)).toEqual(['https://dashboard.test/invitation#token']);
    const long = composeMail({ ...invitation, merchantName: '😀'.repeat(500) }, false).text;
    expect(long.split('\n')[0]).toContain(`${'😀'.repeat(80)}… as`);
  });

  it('names a browser that is known, and never what one says of itself', () => {
    const from = (userAgent: string) =>
      composeMail({ kind: 'password-changed', ...happened, userAgent }, true).text;
    expect(from(happened.userAgent)).toContain('With: Chrome, Linux\n');
    expect(from('call 555-evil')).toContain('With: a browser that is not known\n');
    expect(from('')).toContain('No further mail of this kind');
  });
});

describe('the pace of mails', () => {
  it('mails five alike within an hour, of which the last says so, and fifty invitations of a merchant a day', () => {
    const alike = [0, 1, 2, 3, 4, 5].map((before) => roomForMail({ alike: before, invited: 0 }));
    expect(alike).toEqual(['room', 'room', 'room', 'room', 'last', 'none']);
    expect([49, 50].map((invited) => roomForMail({ alike: 0, invited }))).toEqual(['room', 'none']);
  });

  it('waits longer after each attempt, and ends where the mail is of no use any more', () => {
    const waits = [1, 2, 3, 4, 5, 40].map((attempts) => nextMailAttemptMs(attempts, 0, 1e12));
    expect(waits).toEqual([15_000, 60_000, 300_000, 900_000, 3_600_000, 3_600_000]);
    expect(nextMailAttemptMs(1, 0, 15_000)).toBeNull();
  });
});
