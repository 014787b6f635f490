// BIP-39 words: makes 24 new ones, checks typed ones, turns them into the seed.
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { OperatorError } from '../operator-error.ts';

const wordCounts = [12, 15, 18, 21, 24];
const maxCharacters = 1024;
const knownWords = new Set(wordlist);

/** Twenty-four new English words (256 bits from the system's random source), separated by single spaces. */
export function createMnemonic(): string {
  return generateMnemonic(wordlist, 256);
}

/**
 * Gives typed words in their one form (lower case, single spaces) after checking count, word list and checksum.
 * Throws OperatorError 'bad-mnemonic', which names positions but never repeats a word, or 'weak-mnemonic' for
 * publicly known test phrases unless `allowWeak` is set (the local demo).
 */
export function checkMnemonic(text: string, options: { allowWeak: boolean }): string {
  if (text.length > maxCharacters) throw bad(`The phrase is longer than ${maxCharacters} characters.`);
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (!wordCounts.includes(words.length)) {
    throw bad(`The phrase has ${words.length} words; it must have 12, 15, 18, 21 or 24.`);
  }
  const unknown = words.flatMap((word, index) => (knownWords.has(word) ? [] : [index + 1]));
  if (unknown.length > 0) {
    throw bad(`Not in the English BIP-39 word list: the word at position ${unknown.join(', ')}.`);
  }
  const mnemonic = words.join(' ');
  if (!validateMnemonic(mnemonic, wordlist)) {
    throw bad('The checksum of the phrase is wrong: every word exists, but one is mistaken or out of order.');
  }
  // The published test phrases ("test … junk", "abandon … about", "zoo … wrong") repeat one word; a random phrase never does so.
  if (!options.allowWeak && new Set(words).size * 2 <= words.length) {
    throw new OperatorError(
      'weak-mnemonic',
      'The phrase is a publicly known test phrase: its coins belong to everybody.',
    );
  }
  return mnemonic;
}

/** The 64-byte BIP-39 seed of checked words, without the optional BIP-39 passphrase. The caller wipes it. */
export function mnemonicToSeed(mnemonic: string): Uint8Array {
  return mnemonicToSeedSync(mnemonic);
}

function bad(message: string): OperatorError {
  return new OperatorError('bad-mnemonic', message);
}
