// The commands of ducat-signer about the seed, each from checked arguments to its end.
import { url as debuggerUrl } from 'node:inspector';
import type { Arguments, CommonArguments, TlsArguments } from './arguments.ts';
import { createKeystore, importKeystore, openKeystore } from './keystore/keystore.ts';
import { jsonLog } from './log.ts';
import { OperatorError } from './operator-error.ts';
import { readPermissions } from './permissions.ts';
import type { Policy } from './policy/policy.ts';
import { readPolicy } from './policy/read-policy.ts';
import { newPassphrase, passphraseOf, secretFile } from './passphrase-input.ts';
import { askHidden, type GuardedFile, readSecretFile } from './secret-input.ts';
import { serve } from './server/serve.ts';
import type { TlsListening } from './server/tls-listener.ts';
import { createKeyring } from './signing/keyring.ts';
import { openIntentSigner, type IntentSigner } from './signing/intent-signer.ts';
import { groupAccess, groupIdOf, ownerOnly } from './server/socket-access.ts';

type ArgumentsOf<Command extends Arguments['command']> = Extract<Arguments, { command: Command }>;

/** Makes a seed and shows its words once, on standard output. */
export async function runCreate(args: ArgumentsOf<'create'>): Promise<void> {
  const passphrase = await newPassphrase(args);
  const made = await createKeystore({ path: args.keystore, passphrase, allowWeak: args.demo });
  process.stdout.write(
    `Keystore ${args.keystore} made, key id ${made.keyId}.\n\n` +
      'WRITE DOWN THESE 24 WORDS NOW, in order, on paper, and keep them away from this machine.\n' +
      'They are shown this once. A person who has them has all coins; without them a lost file is lost money.\n\n' +
      `${made.mnemonic}\n`,
  );
}

/** Makes a keystore from words that the operator has. */
export async function runImport(args: ArgumentsOf<'import'>): Promise<void> {
  const passphrase = await newPassphrase(args);
  const words =
    args.mnemonicFile === undefined
      ? await askHidden('The words, separated by spaces (not shown): ')
      : await readSecretFile(args.mnemonicFile, secretFile(args, 'the words'));
  if (words === undefined) {
    throw new OperatorError(
      'missing-secret',
      'Missing: the words. Give --mnemonic-file, or run this on a terminal.',
    );
  }
  const made = await importKeystore(words, { path: args.keystore, passphrase, allowWeak: args.demo });
  process.stdout.write(`Keystore ${args.keystore} made, key id ${made.keyId}.\n`);
}

/** Serves until a signal asks to stop; then ends connections, wipes the seed and returns. */
export async function runServe(args: ArgumentsOf<'serve'>): Promise<void> {
  closeDebuggerDoor(args.demo);
  const stopSignal = waitForStop();
  const permissions = readPermissions(await readSecretFile(args.clients, clientsFile(args)));
  const access = args.socketGroup === undefined ? ownerOnly : groupAccess(await groupIdOf(args.socketGroup));
  const policy = args.signing === null ? null : await policyOf(args, args.signing.policy);
  const tls = args.tls === null ? null : await tlsListening(args, args.tls);
  const passphrase = await passphraseOf(args);
  const { seed, keyId } = await openKeystore({ path: args.keystore, passphrase, allowWeak: args.demo });
  const log = jsonLog((line) => process.stdout.write(line));
  const keyring = createKeyring(seed);
  const signing =
    args.signing === null || policy === null
      ? null
      : openIntentSigner({ logPath: args.signing.log, keyId, policy, keyring, wallClockMs: Date.now });
  const running = await serve({
    socketPath: args.socket,
    access,
    seed,
    keyId,
    permissions,
    signing,
    tls,
    log,
  });
  const state = { signing: modeOf(signing), log: signing?.logHead() ?? null };
  log({ event: 'ready', socket: args.socket, keyId, demo: args.demo, ...state });
  log({ event: 'stopping', signal: await stopSignal });
  await running.close();
  keyring.wipe();
  signing?.close();
  log({ event: 'stopped' });
}

function modeOf(signing: IntentSigner | null): 'off' | 'on' | 'safe-mode' {
  if (signing === null) return 'off';
  return signing.isSafeMode() ? 'safe-mode' : 'on';
}

async function tlsListening(args: CommonArguments, tls: TlsArguments): Promise<TlsListening> {
  const unwritable = args.demo ? 'none' : 'unwritable';
  const certificate: GuardedFile = { what: 'the TLS certificate', maxBytes: 64 * 1024, guard: unwritable };
  const [cert, key, ca] = await Promise.all([
    readSecretFile(tls.cert, certificate),
    readSecretFile(tls.key, { ...secretFile(args, 'the TLS key'), maxBytes: 64 * 1024 }),
    readSecretFile(tls.ca, certificate),
  ]);
  return { host: tls.host, port: tls.port, cert, key, ca };
}

/** The policy holds no secret, but it decides what may be signed: only its owner may be able to write the file. */
async function policyOf({ demo }: CommonArguments, path: string): Promise<Policy> {
  const file: GuardedFile = {
    what: 'the policy',
    maxBytes: 1024 * 1024,
    guard: demo ? 'none' : 'unwritable',
  };
  return readPolicy(await readSecretFile(path, file));
}

/**
 * Refuses to run under a debugger, because anybody who reaches the debugger can read the seed. SIGUSR1 would open a
 * debugger in a running process, so the signal is ignored.
 */
function closeDebuggerDoor(demo: boolean): void {
  if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);
  if (debuggerUrl() === undefined || demo) return;
  throw new OperatorError(
    'debugger-open',
    'A debugger is attached to this process, and it could read the keys. Start without --inspect.',
  );
}

function waitForStop(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}

/**
 * The clients file holds hashes and no secret, but it decides which clients may ask for keys: only its owner may be
 * able to write it.
 */
function clientsFile({ demo }: CommonArguments): GuardedFile {
  return { what: 'the clients', maxBytes: 64 * 1024, guard: demo ? 'none' : 'unwritable' };
}
