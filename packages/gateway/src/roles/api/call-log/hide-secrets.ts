// Takes out of a text what must not be kept: AppKeys, and codes that pay once.

/** A word begins here: nothing of it stands before, or an escape of an address does, such as %22. */
const BEGINS = String.raw`(?:(?<![\w-])|(?<=%[0-9A-Fa-f]{2}))`;
/** 32 bytes in base64url, as every AppKey is; also behind the timestamp, as it stands in what is hashed. */
const KEY_FORM = new RegExp(String.raw`${BEGINS}(?:[0-9]{10})?[\w-]{43}(?![\w=-])`, 'g');
/** What stands behind a name such as otp_code, in JSON or in a form. Bounded, so that no body takes long to look through. */
const NAMED_CODE = /(otp[\w-]{0,16}["']?\s{0,8}[:=]\s{0,8}["']?)([^"',&}]+)/gi;
/** Six digits that are no part of a longer number, also in two threes. */
const CODE_FORM = /(?:(?<![0-9.])|(?<=%[0-9A-Fa-f]{2}))[0-9]{3}[ -]?[0-9]{3}(?!\.?[0-9])/g;

/** The same length, with stars in place of every key: of those that are known, and of what has the form of one. */
export function hideKeys(text: string, keys: readonly string[]): string {
  const withoutKnown = keys.reduce((shown, key) => shown.replaceAll(key, stars), text);
  return withoutKnown.replace(KEY_FORM, stars);
}

/** The same, with stars in place of one-time codes too; where `byForm`, of everything that looks like one. */
export function hideCodes(text: string, byForm: boolean): string {
  const withoutNamed = text.replace(NAMED_CODE, (_all, name: string, code: string) => name + stars(code));
  return byForm ? withoutNamed.replace(CODE_FORM, stars) : withoutNamed;
}

function stars(secret: string): string {
  return '*'.repeat(secret.length);
}
