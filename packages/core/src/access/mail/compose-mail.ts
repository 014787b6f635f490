// The subject and the text of a mail: plain text, in which no name can be more than a name.
import type { Circumstances, Notice, NoticeKind } from './notice.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Of names that merchants choose. */
const LONGEST_NAME = 80;

/** Subjects are constants: nothing that a person chose comes near a header. */
const SUBJECTS: Readonly<Record<NoticeKind, string>> = {
  invitation: 'You are invited to a payment dashboard',
  'sign-in-reset': 'Set up a new second factor for your account',
  'new-device': 'New sign-in to your account',
  'password-changed': 'Your password was changed',
  'authenticator-changed': 'The authenticator of your account was set up anew',
  'recovery-code-used': 'A recovery code of your account was used',
  'recovery-codes-renewed': 'Your account has new recovery codes',
  'passkey-added': 'A passkey was added to your account',
  'passkey-removed': 'A passkey of your account was removed',
  'app-key-rotated': 'An AppKey was rotated',
  'payout-rules-changed': 'Payout rules of an app were changed',
};

/** `isLast`: as many of this kind were mailed as one person gets within an hour, and this one says so. */
export function composeMail(notice: Notice, isLast: boolean): MailText {
  const more = isLast
    ? ['No further mail of this kind is sent within this hour. The audit log on the dashboard has them all.']
    : [];
  const paragraphs = [...bodyOf(notice), ...more, 'This mail was sent by Ducat. Replies are not read.'];
  return { subject: SUBJECTS[notice.kind], text: `${paragraphs.join('\n\n')}\n` };
}

const NOT_YOU =
  'If this was not you: sign in, end all other sessions under your name, and change your password. If you cannot, ask the operator of the gateway at once.';

function bodyOf(notice: Notice): readonly string[] {
  switch (notice.kind) {
    case 'invitation':
      return invitation(notice);
    case 'sign-in-reset':
      return [
        `The operator of the gateway took the second factor of your account away, ${notice.at}. You are signed out everywhere.`,
        `Sign in with your password and set up a new one:\n${notice.url}`,
        'If you did not ask for this, do not sign in, and ask the operator.',
      ];
    case 'new-device':
      return [
        'Your account was signed in to by a browser that was not seen with it for a while, or never before.',
        factsOf(notice),
        NOT_YOU,
      ];
    case 'password-changed':
      return [
        'The password of your account was changed. All other sessions have ended.',
        factsOf(notice),
        NOT_YOU,
      ];
    case 'authenticator-changed':
      return [
        'An authenticator was set up for your account. One that was there before does not count any more, nor do its recovery codes.',
        factsOf(notice),
        NOT_YOU,
      ];
    case 'recovery-code-used':
      return [
        `A recovery code was used to sign in to your account. ${notice.codesLeft} are left.`,
        factsOf(notice),
        NOT_YOU,
      ];
    case 'recovery-codes-renewed':
      return [
        'New recovery codes were made for your account. The ones before do not count any more.',
        factsOf(notice),
        NOT_YOU,
      ];
    case 'passkey-added':
      return [
        `The passkey "${nameText(notice.name)}" was added to your account. It stands for the code of an authenticator.`,
        factsOf(notice),
        NOT_YOU,
      ];
    case 'passkey-removed':
      return [
        `The passkey "${nameText(notice.name)}" was removed from your account.`,
        factsOf(notice),
        NOT_YOU,
      ];
    case 'app-key-rotated':
    case 'payout-rules-changed':
      return ofApp(notice);
  }
}

/** What a merchant's people are mailed about an app. */
function ofApp(notice: Extract<Notice, { appName: string }>): readonly string[] {
  const app = `"${nameText(notice.appName)}" of ${nameText(notice.merchantName)}`;
  if (notice.kind === 'app-key-rotated')
    return [
      `The AppKey of the app ${app} was rotated by ${notice.by}.`,
      factsOf(notice),
      'If this was not meant, rotate it again at once: who has an AppKey can pay out.',
    ];
  return [
    `${notice.by} changed what payouts of the app ${app} are held to: limits, the address list or one-time codes.`,
    factsOf(notice),
    'What exactly was changed stands in the audit log on the dashboard. If it was not meant, change it back, and look who may administer.',
  ];
}

function invitation(notice: Extract<Notice, { kind: 'invitation' }>): readonly string[] {
  const { merchantName, role, invitedBy, url, until } = notice;
  const to =
    merchantName === null
      ? 'You are invited to operate a payment gateway.'
      : `You are invited to ${nameText(merchantName)} as ${role ?? 'member'}.`;
  return [
    invitedBy === null ? to : `${to} ${invitedBy} invites you.`,
    `Open this link to choose a password. It works once, until ${until}:\n${url}`,
    'If you do not know what this is about, do not open the link: nothing happens without you.',
  ];
}

function factsOf({ at, address, userAgent }: Circumstances): string {
  return [`When: ${at}`, `From: ${address}`, `With: ${browserOf(userAgent)}`].join('\n');
}

/** Names that a browser gives itself are whatever its user likes: only known ones are written. */
function browserOf(userAgent: string): string {
  const browsers = [
    ['Edg/', 'Edge'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ] as const;
  const systems = [
    ['Android', 'Android'],
    ['iPhone', 'iOS'],
    ['iPad', 'iOS'],
    ['Windows', 'Windows'],
    ['Mac OS', 'macOS'],
    ['Linux', 'Linux'],
  ] as const;
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => userAgent.includes(part))?.[1];
  return [find(browsers) ?? 'a browser that is not known', find(systems)].filter(Boolean).join(', ');
}

/** One line of visible characters, and nothing that a mail program makes a link of. */
function nameText(name: string): string {
  const line = name
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[/\\@<>]+/g, ' ')
    // A dot between two words looks like a host.
    .replace(/\.(?=\S)/g, '. ')
    .replace(/ +/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME).join('')}…` : line;
}
