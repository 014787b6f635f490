// Decides whether an operator passphrase is strong enough, and gives its one byte form.
import { OperatorError } from '../operator-error.ts';

const minCharacters = 12;
const maxCharacters = 1024;
const minDistinctCharacters = 5;

/** Compared in lower case with everything but letters and digits removed, so that dressing them up does not help. */
const obvious = new Set([
  'password1234',
  'password12345',
  'password123456',
  'passwordpassword',
  'passphrasepassphrase',
  'correcthorsebatterystaple',
  'changemechangeme',
  'changethisnow',
  'changethispassphrase',
  'letmeinletmein',
  'qwertyuiop123',
  'qwertyuiopasdf',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y',
  '123456789012',
  '1234567890123',
  '12345678901234',
  '123456789123456789',
  'abcdefghijkl',
  'abcdefghijklmnopqrstuvwxyz',
  'adminadminadmin',
  'administrator',
  'ducatducatducat',
  'ducatpassphrase',
  'ducatsignerpassphrase',
  'iloveyouiloveyou',
  'secretsecretsecret',
  'testtesttesttest',
  'thisisapassphrase',
  'mysecretpassphrase',
]);

/**
 * Throws OperatorError 'weak-passphrase' unless the passphrase has 12 to 1024 characters and is not an obvious one.
 * `allowWeak` is for the local demo only; even then the passphrase may not be empty.
 */
export function checkPassphrase(passphrase: string, options: { allowWeak: boolean }): void {
  const characters = Array.from(passphrase.normalize('NFKC'));
  if (characters.length === 0) throw weak('The passphrase is empty.');
  if (characters.length > maxCharacters)
    throw weak(`The passphrase is longer than ${maxCharacters} characters.`);
  if (options.allowWeak) return;
  if (characters.length < minCharacters) {
    throw weak(`The passphrase is too short: it needs at least ${minCharacters} characters.`);
  }
  const plain = characters.join('').toLowerCase();
  const bare = plain.replace(/[^\p{L}\p{N}]/gu, '');
  if (new Set(plain).size < minDistinctCharacters || obvious.has(bare)) {
    throw weak('The passphrase is one that anybody would try first. Choose another.');
  }
}

/**
 * The bytes that go into key derivation. Unicode is brought into one form first,
 * because two keyboards may type the same visible text as different code points.
 */
export function passphraseBytes(passphrase: string): Buffer {
  return Buffer.from(passphrase.normalize('NFKC'), 'utf8');
}

function weak(message: string): OperatorError {
  return new OperatorError('weak-passphrase', message);
}
