// The subject and the text of a mail: plain text, in which no name can be more than a name.
import { type MailLanguage, mailWords, rightToLeft } from './languages.ts';
import type { AppNoticeKind, Circumstances, Notice } from './notice.ts';
import type { MailWords } from './words/en.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Characters that are shown of a name that merchants choose. */
const LONGEST_NAME = 80;

/**
 * `isLast`: this mail is the last of its kind that the person gets within the hour, and says so. Subjects are constants:
 * nothing that a person chose comes near a header.
 */
export function composeMail(notice: Notice, isLast: boolean, language: MailLanguage): MailText {
  const words = mailWords[language];
  const say = speaker(language);
  const paragraphs = [...bodyOf(notice, words, say), ...(isLast ? [words.last] : []), words.sender];
  // A paragraph is shown in the direction of its first letter, which may be that of a name.
  const mark = rightToLeft.has(language) ? RIGHT_TO_LEFT_MARK : '';
  const text = paragraphs.map((paragraph) => `${mark}${paragraph}`).join('\n\n');
  return { subject: words.subjects[notice.kind], text: `${text}\n` };
}

type Say = (text: string, values: Readonly<Record<string, string | number>>) => string;

const RIGHT_TO_LEFT_MARK = '\u200f';
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';
/** Letters of Hebrew, Arabic and the scripts beside them; all that Unicode keeps for scripts from right to left. */
const RIGHT_TO_LEFT_LETTER =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Puts values into their places. Each value is put in once, whatever it contains. A value that may run against the direction
 * of the text is isolated, so that it turns nothing around it. Names contain no such marks themselves.
 */
function speaker(language: MailLanguage): Say {
  const isTurned = rightToLeft.has(language);
  const isolated = (value: string) =>
    isTurned || RIGHT_TO_LEFT_LETTER.test(value) ? `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}` : value;
  return (text, values) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : isolated(String(value));
    });
}

function bodyOf(notice: Notice, words: MailWords, say: Say): readonly string[] {
  switch (notice.kind) {
    case 'invitation':
      return invitation(notice, words, say);
    case 'sign-up':
      return signUp(notice, words, say);
    case 'password-link':
      return [
        words.passwordLink,
        `${say(words.openLink, { until: notice.until })}\n${notice.url}`,
        words.passwordLinkNotAsked,
      ];
    case 'merchant-opened':
      return [
        say(words.merchantOpened, { merchant: nameText(notice.merchantName), person: notice.by }),
        `${words.merchantOpenedNext}\n${notice.url}`,
      ];
    case 'sign-in-reset':
      return [
        say(words.resetDone, { at: notice.at }),
        `${words.resetNext}\n${notice.url}`,
        words.resetNotAsked,
      ];
    case 'new-device':
      return ofAccount(words.newDevice, notice, words, say);
    case 'password-changed':
      return ofAccount(words.passwordChanged, notice, words, say);
    case 'authenticator-changed':
      return ofAccount(words.authenticatorChanged, notice, words, say);
    case 'recovery-code-used':
      return ofAccount(say(words.codeUsed, { count: notice.codesLeft }), notice, words, say);
    case 'recovery-codes-renewed':
      return ofAccount(words.codesRenewed, notice, words, say);
    case 'passkey-added':
      return ofAccount(say(words.passkeyAdded, { name: nameText(notice.name) }), notice, words, say);
    case 'passkey-removed':
      return ofAccount(say(words.passkeyRemoved, { name: nameText(notice.name) }), notice, words, say);
    case 'app-key-rotated':
    case 'payout-rules-changed':
    case 'webhook-changed':
    case 'sources-changed':
    case 'tolerance-changed':
      return ofApp(notice, words, say);
    case 'role-changed':
      return ofRole(notice, words, say);
    case 'member-joined':
      return ofJoined(notice, words, say);
  }
}

function ofAccount(what: string, notice: Circumstances, words: MailWords, say: Say): readonly string[] {
  return [what, factsOf(notice, words, say), words.notYou];
}

/** What a merchant's people are mailed about an app. */
function ofApp(notice: Extract<Notice, { appName: string }>, words: MailWords, say: Say): readonly string[] {
  const { appName, merchantName, by: person } = notice;
  const places = { app: nameText(appName), merchant: nameText(merchantName), person };
  const said: Readonly<Record<AppNoticeKind, readonly [what: string, next: string]>> = {
    'app-key-rotated': [words.keyRotated, words.keyNotMeant],
    'payout-rules-changed': [words.rulesChanged, words.rulesNotMeant],
    'webhook-changed': [words.webhookChanged, words.webhookNotMeant],
    'sources-changed': [words.sourcesChanged, words.rulesNotMeant],
    'tolerance-changed': [words.toleranceChanged, words.rulesNotMeant],
  };
  const [what, next] = said[notice.kind];
  return [say(what, places), factsOf(notice, words, say), next];
}

function ofRole(
  notice: Extract<Notice, { kind: 'role-changed' }>,
  words: MailWords,
  say: Say,
): readonly string[] {
  const { member, merchantName, by: person, role } = notice;
  const places = { member, merchant: nameText(merchantName), person };
  const what =
    role === null
      ? say(words.memberRemoved, places)
      : say(words.roleChanged, { ...places, role: words.roles[role] });
  return [what, factsOf(notice, words, say), words.roleNotMeant];
}

function ofJoined(
  notice: Extract<Notice, { kind: 'member-joined' }>,
  words: MailWords,
  say: Say,
): readonly string[] {
  const { member, merchantName, role } = notice;
  const places = { member, merchant: nameText(merchantName), role: words.roles[role] };
  return [say(words.memberJoined, places), factsOf(notice, words, say), words.joinNotMeant];
}

function invitation(
  { merchantName, role, invitedBy, url, until }: Extract<Notice, { kind: 'invitation' }>,
  words: MailWords,
  say: Say,
): readonly string[] {
  const to =
    merchantName === null
      ? words.toOperate
      : say(words.toMerchant, { merchant: nameText(merchantName), role: words.roles[role ?? 'viewer'] });
  return [
    invitedBy === null ? to : `${to} ${say(words.invites, { person: invitedBy })}`,
    `${say(words.openLink, { until })}\n${url}`,
    words.notAsked,
  ];
}

/** Anybody can have this mail sent to any address, so nothing that the sender chose stands in it. */
function signUp(
  { hasAccount, url, until }: Extract<Notice, { kind: 'sign-up' }>,
  words: MailWords,
  say: Say,
): readonly string[] {
  return hasAccount
    ? [words.signUpKnown, `${words.signUpKnownNext}\n${url}`, words.signUpKnownNotAsked]
    : [words.signUp, `${say(words.openLink, { until })}\n${url}`, words.notAsked];
}

function factsOf({ at, address, userAgent }: Circumstances, words: MailWords, say: Say): string {
  const when = say(words.when, { at });
  if (address === '') return when;
  return [when, say(words.from, { address }), say(words.with, { browser: browserOf(userAgent, words) })].join(
    '\n',
  );
}

/** The name that a browser gives itself is whatever its user likes, so only known names are written. */
function browserOf(userAgent: string, words: MailWords): string {
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
  return [find(browsers) ?? words.unknownBrowser, find(systems)].filter(Boolean).join(', ');
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
