// Where a passphrase comes from: a file, the environment, or a terminal.
import { OperatorError } from './operator-error.ts';
import { askHidden, type GuardedFile, readSecretFile, takeFromEnvironment } from './secret-input.ts';

interface PassphraseArguments {
  readonly passphraseFile: string | undefined;
  readonly demo: boolean;
}

const passphraseVariable = 'DUCAT_SIGNER_PASSPHRASE';

/** The new passphrase. A person at the terminal types it twice. Throws OperatorError. */
export async function newPassphrase(args: PassphraseArguments): Promise<string> {
  const given = await givenPassphrase(args);
  if (given !== undefined) return given;
  const typed = await askHidden('New passphrase (not shown): ');
  if (typed === undefined) throw noPassphrase();
  if ((await askHidden('The same again: ')) !== typed) {
    throw new OperatorError('usage', 'The two passphrases differ. Nothing was made.');
  }
  return typed;
}

/** Throws OperatorError. */
export async function passphraseOf(args: PassphraseArguments): Promise<string> {
  const passphrase = (await givenPassphrase(args)) ?? (await askHidden('Passphrase (not shown): '));
  if (passphrase === undefined) throw noPassphrase();
  return passphrase;
}

async function givenPassphrase(args: PassphraseArguments): Promise<string | undefined> {
  const fromEnvironment = takeFromEnvironment(passphraseVariable);
  return args.passphraseFile === undefined
    ? fromEnvironment
    : readSecretFile(args.passphraseFile, secretFile(args, 'the passphrase'));
}

/** A file with a secret. The demo does not check who else may read it. */
export function secretFile({ demo }: PassphraseArguments, what: string): GuardedFile {
  return { what, maxBytes: 4096, guard: demo ? 'none' : 'private' };
}

function noPassphrase(): OperatorError {
  return new OperatorError(
    'missing-secret',
    `Missing: the passphrase. Give --passphrase-file, set ${passphraseVariable}, or run this on a terminal.`,
  );
}
