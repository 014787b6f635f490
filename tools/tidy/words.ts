// Words that this project once made up, and the ones that the field has for them.

interface OldWord {
  /** In lower case; words that belong together are separated by a space. */
  readonly word: RegExp;
  readonly say: string;
  /** The only folder in which the word is forbidden, because elsewhere it means something else. */
  readonly only?: string;
}

const old = (words: string, say: string, only?: string): OldWord => ({
  word: new RegExp(`\\b(?:${words})\\b`, 'g'),
  say,
  ...(only === undefined ? {} : { only }),
});

const sim = 'sim/src/';

export const oldWords: readonly OldWord[] = [
  old('told|tells|tellers?|telling', 'reports, responds, says, shows; a response, a reporter'),
  old('hears?|heard|hearing', 'asks, receives, is asked'),
  old('untold|unshown', 'unavailable, not shown'),
  old('inner (?:transfers?|movements?|value|tx)', 'internal transaction'),
  old('movements?', 'transfer, value transfer'),
  old('top frame', 'root call frame'),
  old('main (?:currency|currencies)', 'native currency'),
  old('weighs?|weighed|word of two', 'quorum'),
  old('lying(?! (?:in|at|on|there))|liars?', 'invalid; what a provider reports is wrong'),
  old('behind head', 'not yet available'),
  old('put aside|spare', 'circuit open, deprioritised'),
  old('patience|outlasted', 'grace period, expired'),
  old('list pace|held back', 'poll interval, throttled'),
  old('lanes?|needs room', 'concurrency slot, memory budget'),
  old('old state', 'historical state'),
  old('misread|astray', 'mismatch, off-branch, difference'),
  old('clerk', 'maintenance'),
  old('ladder|rungs?', 'retry schedule, attempt'),
  old('claimed ahead|returner', 'prefetched, lease release'),
  old('late commits?', 'in-doubt commit'),
  old('first look|primary news', 'primary discovery'),
  old('judges?|judged|judging', 'decodes, checks, decides'),
  old('company|companies', 'processes', sim),
  old('wish|wishes', 'order plan', sim),
  old('storms?', 'fault phase', sim),
  old('crowd|crowds', 'load', sim),
  old('endpoints?', 'provider; an endpoint is an operation of the API', 'packages/gateway/src/chains/'),
];

/** The wire's own words, which merchants know. */
export const wirePlaces: readonly string[] = [
  'packages/contract/',
  'packages/sdk/',
  'docs/integrate/',
  'GLOSSARY.md',
];

/** Files that keep their old words: decisions that newer ones replaced, migrations that landed, and the list above. */
export const history: readonly RegExp[] = [
  /^docs\/decisions\/00(?:1[234]|19|2[0467-9]|3[01])-/,
  /^packages\/gateway\/migrations\/000[1-7]_/,
  /^tools\/tidy\/(?:words|checks\/words.*)\.ts$/,
];
