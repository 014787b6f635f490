// Reads the words from a file or a terminal and turns them into the seed.
import { checkMnemonic, mnemonicToSeed } from '@ducat/signer/keystore/mnemonic';
import { askHidden, readSecretFile } from '@ducat/signer/secret-input';
import type { SearchArguments } from './arguments.ts';
import { RecoverError } from './recover-error.ts';

const MOST_BYTES = 4096;

/** The seed, which the caller wipes. Throws OperatorError, which repeats no word, and RecoverError. */
export async function readSeed({
  mnemonicFile,
  demo,
}: Pick<SearchArguments, 'mnemonicFile' | 'demo'>): Promise<Uint8Array> {
  const guarded = { what: 'the words', maxBytes: MOST_BYTES, guard: demo ? 'none' : 'private' } as const;
  const words =
    mnemonicFile === null
      ? await askHidden('The words, separated by spaces (not shown): ')
      : await readSecretFile(mnemonicFile, guarded);
  if (words === undefined) {
    throw new RecoverError('the words are missing; give --mnemonic-file, or run this on a terminal');
  }
  return mnemonicToSeed(checkMnemonic(words, { allowWeak: demo }));
}
