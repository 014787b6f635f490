// What a person reads in a mail, whatever names merchants and browsers give themselves; and how many mails there are.
import { describe, expect, it } from 'vitest';
import { composeMail } from './compose-mail.ts';
import { mailLanguageOf, mailLanguages, mailWords } from './languages.ts';
import { mailPaceOf, nextMailAttemptMs, roomForMail } from './mail-pace.ts';
import type { Notice } from './notice.ts';

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
    const { subject, text } = composeMail(invitation, false, 'en');
    expect(subject).toBe('You are invited to a payment dashboard');
    expect(text.split('\n')[0]).toBe(
      'You are invited to Shop Bcc: eve evil. test gnp. exe https: evil. test x b hi as viewer. ada@example.test invites you.',
    );
    expect(text.match(/https?:\/\/\S+/g)).toEqual(['https://dashboard.test/invitation#token']);
    const long = composeMail({ ...invitation, merchantName: '😀'.repeat(500) }, false, 'en').text;
    expect(long.split('\n')[0]).toContain(`${'😀'.repeat(80)}… as`);
  });

  it('names a browser that is known, and never what one says of itself', () => {
    const from = (userAgent: string) =>
      composeMail({ kind: 'password-changed', ...happened, userAgent }, true, 'en').text;
    expect(from(happened.userAgent)).toContain('With: Chrome, Linux\n');
    expect(from('call 555-evil')).toContain('With: a browser that is not known\n');
    expect(from('')).toContain('No further mail of this kind');
  });
});

const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted().join();
const texts = (words: object, prefix = ''): readonly (readonly [string, string])[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : texts(value, `${prefix}${key}.`),
  );

const invited: Extract<Notice, { kind: 'invitation' }> = {
  kind: 'invitation',
  merchantName: 'Northwind {person}',
  role: 'finance',
  invitedBy: 'ada@example.test',
  url: 'https://dashboard.test/invitation#token',
  untilMs: 1,
  until: '2026-11-26 11:00 UTC',
};
const notices: readonly Notice[] = [
  invited,
  ...[false, true].map((hasAccount) => ({
    kind: 'sign-up' as const,
    hasAccount,
    url: 'https://dashboard.test/sign-up#token',
    untilMs: 1,
    until: '2026-11-24 11:00 UTC',
  })),
  {
    kind: 'password-link',
    url: 'https://dashboard.test/new-password#token',
    untilMs: 1,
    until: '2026-11-23 12:00 UTC',
  },
  {
    kind: 'merchant-opened',
    merchantName: 'Northwind',
    by: 'ada@example.test',
    url: 'https://dashboard.test/operator/merchants',
  },
  { kind: 'sign-in-reset', url: 'https://dashboard.test', at: happened.at },
  ...(['new-device', 'password-changed', 'authenticator-changed', 'recovery-codes-renewed'] as const).map(
    (kind) => ({ kind, ...happened }),
  ),
  { kind: 'recovery-code-used', codesLeft: 9, ...happened },
  ...(['passkey-added', 'passkey-removed'] as const).map((kind) => ({ kind, name: 'Laptop', ...happened })),
  ...(
    [
      'app-key-rotated',
      'payout-rules-changed',
      'webhook-changed',
      'sources-changed',
      'tolerance-changed',
    ] as const
  ).map((kind) => ({
    kind,
    merchantName: 'Northwind',
    appName: 'Shop',
    by: 'ada@example.test',
    ...happened,
  })),
  ...(['finance', null] as const).map((role) => ({
    kind: 'role-changed' as const,
    merchantName: 'Northwind',
    member: 'ben@example.test',
    role,
    by: 'ada@example.test',
    ...happened,
  })),
  {
    kind: 'member-joined',
    merchantName: 'Northwind',
    member: 'ben@example.test',
    role: 'finance',
    ...happened,
  },
];

/** What of a notice has to stand in its mail. */
function saidOf(notice: Notice): readonly string[] {
  const {
    kind: _kind,
    userAgent: _userAgent,
    untilMs: _untilMs,
    role: _role,
    hasAccount,
    until,
    ...rest
  } = {
    userAgent: '',
    untilMs: 0,
    role: null,
    hasAccount: false,
    until: '',
    ...notice,
  };
  return [
    // Where there is an account, the link is that of the sign-in, which has no end.
    ...(hasAccount ? [] : [until]),
    ...Object.values(rest).map(String),
    ...('userAgent' in notice ? ['Chrome, Linux'] : []),
  ];
}

describe.each(mailLanguages)('a mail in %s', (language) => {
  const words = mailWords[language];
  const english = new Map(texts(mailWords.en));

  it('has each text, with the places that it has in English', () => {
    const differing = texts(words).filter(([key, text]) => places(text) !== places(english.get(key) ?? ''));
    expect(differing).toEqual([]);
    expect(texts(words).filter(([, text]) => text.trim() === '')).toEqual([]);
    if (language !== 'en')
      expect(texts(words.subjects).filter(([key, text]) => english.get(`subjects.${key}`) === text)).toEqual(
        [],
      );
    // Nothing that a person chose comes near a header.
    expect(texts(words.subjects).filter(([, text]) => /[{\n\r]/.test(text))).toEqual([]);
  });

  it.each(notices.map((notice) => [notice.kind, notice] as const))('says all of %s', (_, notice) => {
    const { subject, text } = composeMail(notice, true, language);
    expect(subject).toBe(words.subjects[notice.kind]);
    expect(saidOf(notice).filter((value) => !text.includes(value))).toEqual([]);
    // No place is left empty, but one that is part of a name.
    expect(text.replace('Northwind {person}', '')).not.toMatch(/[{}]|undefined|null/);
    expect(text).toContain(words.last);
    // A link is alone on its line, as it is copied.
    if ('url' in notice) expect(text.split('\n')).toContain(notice.url);
    // Each isolate ends in its line.
    for (const line of text.split('\n'))
      expect(line.match(/\u2068/g)?.length).toBe(line.match(/\u2069/g)?.length);
  });
});

describe('a mail in English', () => {
  const words = mailWords.en;
  const app = { app: 'Shop', merchant: 'Northwind', person: 'ada@example.test' };
  const filled = (text: string, values: Readonly<Record<string, string>>) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const facts = `When: ${happened.at}\nFrom: ${happened.address}\nWith: Chrome, Linux`;

  it.each<readonly [Notice['kind'], string, string]>([
    ['new-device', words.newDevice, words.notYou],
    ['password-changed', words.passwordChanged, words.notYou],
    ['authenticator-changed', words.authenticatorChanged, words.notYou],
    ['recovery-codes-renewed', words.codesRenewed, words.notYou],
    ['recovery-code-used', filled(words.codeUsed, { count: '9' }), words.notYou],
    ['passkey-added', filled(words.passkeyAdded, { name: 'Laptop' }), words.notYou],
    ['passkey-removed', filled(words.passkeyRemoved, { name: 'Laptop' }), words.notYou],
    ['app-key-rotated', filled(words.keyRotated, app), words.keyNotMeant],
    ['payout-rules-changed', filled(words.rulesChanged, app), words.rulesNotMeant],
  ])('says of %s what happened, the facts, and what to do', (kind, what, next) => {
    const { text } = composeMail(notices.find((notice) => notice.kind === kind)!, false, 'en');
    expect(text).toBe(`${[what, facts, next, words.sender].join('\n\n')}\n`);
  });

  const member = `You are invited to Northwind {person} as ${words.roles.viewer}.`;
  it.each<readonly [Partial<typeof invited>, string]>([
    [{ role: null, invitedBy: null }, member],
    [{ role: 'viewer' }, `${member} ${filled(words.invites, { person: 'ada@example.test' })}`],
    [{ merchantName: null, invitedBy: null }, words.toOperate],
  ])('invites %o', (change, to) => {
    const { text } = composeMail({ ...invited, ...change }, false, 'en');
    const open = filled(words.openLink, { until: '2026-11-26 11:00 UTC' });
    const link = 'https://dashboard.test/invitation#token';
    expect(text).toBe(`${[to, `${open}\n${link}`, words.notAsked, words.sender].join('\n\n')}\n`);
  });

  it('takes a second factor away', () => {
    const done = filled(words.resetDone, { at: happened.at });
    const next = `${words.resetNext}\nhttps://dashboard.test`;
    const reset = notices.find(({ kind }) => kind === 'sign-in-reset')!;
    expect(composeMail(reset, true, 'en').text).toBe(
      `${[done, next, words.resetNotAsked, words.last, words.sender].join('\n\n')}\n`,
    );
  });

  it.each([
    ['Edg/1 Chrome/1 Safari/1 Windows NT', 'Edge, Windows'],
    ['Firefox/1 (X11; Linux)', 'Firefox, Linux'],
    ['Chrome/1 Safari/1 (Linux; Android 9)', 'Chrome, Android'],
    ['Safari/1 (iPhone; like Mac OS X)', 'Safari, iOS'],
    ['Safari/1 (iPad; like Mac OS X)', 'Safari, iOS'],
    ['Safari/1 (Macintosh; Mac OS X)', 'Safari, macOS'],
    ['curl on Linux', 'a browser that is not known, Linux'],
    ['Firefox/1', 'Firefox'],
  ])('names the browser %s', (userAgent, named) => {
    const { text } = composeMail({ kind: 'new-device', ...happened, userAgent }, false, 'en');
    expect(text).toContain(`With: ${named}\n`);
  });

  it.each([
    ['😀'.repeat(80), '😀'.repeat(80)],
    ['😀'.repeat(81), `${'😀'.repeat(80)}…`],
    ['  Dr. A.B. <<c>>\\\\d. ', 'Dr. A. B. c d.'],
    ['a\u0000\u0001\u2028\u2029b', 'a b'],
  ])('writes the name %s', (merchantName, written) => {
    const { text } = composeMail({ ...invited, merchantName }, false, 'en');
    expect(text.split(/invited to | as finance/i)[1]).toBe(written);
  });
});

describe('a mail from right to left', () => {
  const notice = notices.find(({ kind }) => kind === 'app-key-rotated')!;

  it('begins each paragraph so, and isolates what runs the other way', () => {
    const { text } = composeMail(notice, false, 'ar');
    expect(
      text
        .trim()
        .split('\n\n')
        .every((paragraph) => paragraph.startsWith('\u200f')),
    ).toBe(true);
    expect(text).toContain('\u2068Northwind\u2069');
    expect(text).toContain('\u2068192.0.2.7\u2069');
  });

  it('is nothing that a name can do: marks in names are gone, and Arabic names are isolated in English', () => {
    const name = 'متجر\u2069\u202e';
    const { text } = composeMail({ ...notice, appName: name } as Notice, false, 'en');
    expect(text).toContain('"\u2068متجر\u2069" of Northwind');
    expect(text).not.toMatch(/[\u202a-\u202e\u200f]/);
    // Such scripts lie beyond the first plane too. A name of one stands first in Turkish, and would turn its paragraph.
    for (const letter of ['\u{10900}', '\u{1e922}', '\u{1ee00}'])
      expect(composeMail({ ...notice, merchantName: letter } as Notice, false, 'tr').text).toMatch(
        new RegExp(`^\u2068${letter}\u2069`),
      );
  });
});

it('the language of a mail is the first that is spoken', () => {
  expect([[null, 'de'], ['ar', 'de'], ['xx', null], []].map(mailLanguageOf)).toEqual([
    'de',
    'ar',
    'en',
    'en',
  ]);
});

describe('the pace of mails', () => {
  it('mails five alike within an hour, of which the last says so, and fifty invitations of a merchant a day', () => {
    const pace = mailPaceOf('invitation');
    expect(pace.withinMs).toBe(3_600_000);
    const alike = [0, 1, 2, 3, 4, 5].map((before) => roomForMail({ alike: before, invited: 0 }, pace));
    expect(alike).toEqual(['room', 'room', 'room', 'room', 'last', 'none']);
    expect([49, 50].map((invited) => roomForMail({ alike: 0, invited }, pace))).toEqual(['room', 'none']);
  });

  it('mails three sign-ups to one address a day, which anybody can ask for, and says of none that it is the last', () => {
    const pace = mailPaceOf('sign-up');
    expect(pace.withinMs).toBe(86_400_000);
    const alike = [0, 1, 2, 3].map((before) => roomForMail({ alike: before, invited: 0 }, pace));
    expect(alike).toEqual(['room', 'room', 'room', 'none']);
  });

  it('leaves out no mail about a merchant that signed up', () => {
    expect(roomForMail({ alike: 50, invited: 0 }, mailPaceOf('merchant-opened'))).toBe('room');
  });

  it('waits longer after each attempt, and ends where the mail is of no use any more', () => {
    const waits = [1, 2, 3, 4, 5, 40].map((attempts) => nextMailAttemptMs(attempts, 0, 1e12));
    expect(waits).toEqual([15_000, 60_000, 300_000, 900_000, 3_600_000, 3_600_000]);
    expect(nextMailAttemptMs(1, 0, 15_000)).toBeNull();
    expect(nextMailAttemptMs(1, 7, 15_008)).toBe(15_007);
  });
});
