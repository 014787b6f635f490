// Hides secrets in a text that is kept: AppKeys, and one-time codes, each of which allows one payout.

/** The beginning of a word: no character of a word comes before, or a %-escape does, such as %22. */
const BEGINS = String.raw`(?:(?<![\w-])|(?<=%[0-9A-Fa-f]{2}))`;
/** 32 bytes in base64url, as every AppKey is. Also directly after a timestamp, as in the text that is signed. */
const KEY_FORM = new RegExp(String.raw`${BEGINS}(?:[0-9]{10})?[\w-]{43}(?![\w=-])`, 'g');
/** The value after a name such as otp_code, in JSON or in a form. Its parts are bounded, so that no body takes long. */
const NAMED_CODE = /(otp[\w-]{0,16}["']?\s{0,8}[:=]\s{0,8}["']?)([^"',&}]+)/gi;
/** Six digits that are no part of a longer number, also as two groups of three. */
const CODE_FORM = /(?:(?<![0-9.])|(?<=%[0-9A-Fa-f]{2}))[0-9]{3}[ -]?[0-9]{3}(?!\.?[0-9])/g;

/** The text in the same length, with stars in place of the known keys and of everything that has the form of a key. */
export function hideKeys(text: string, keys: readonly string[]): string {
  const withoutKnown = keys.reduce((shown, key) => shown.replaceAll(key, stars), text);
  return withoutKnown.replace(KEY_FORM, stars);
}

/** The text with stars in place of named one-time codes; with `byForm`, also of everything that looks like a code. */
export function hideCodes(text: string, byForm: boolean): string {
  const withoutNamed = text.replace(NAMED_CODE, (_all, name: string, code: string) => name + stars(code));
  return byForm ? withoutNamed.replace(CODE_FORM, stars) : withoutNamed;
}

function stars(secret: string): string {
  return '*'.repeat(secret.length);
}
