// Reads the command line of ducat-signer into one of its three commands.
import { parseArgs } from 'node:util';
import { OperatorError } from './operator-error.ts';

export interface CommonArguments {
  readonly keystore: string;
  readonly passphraseFile: string | undefined;
  readonly demo: boolean;
}

export type Arguments =
  | { readonly command: 'help' }
  | (CommonArguments & { readonly command: 'create' })
  | (CommonArguments & { readonly command: 'import'; readonly mnemonicFile: string | undefined })
  | (CommonArguments & {
      readonly command: 'serve';
      readonly socket: string;
      readonly socketGroup: string | undefined;
      readonly clients: string;
    });

export const usage = `ducat-signer: holds the keys of Ducat, in a process of their own

  ducat-signer create --keystore FILE
      makes a new seed, encrypts it into FILE, shows its 24 words once
  ducat-signer import --keystore FILE [--mnemonic-file FILE]
      makes FILE from words you already have; typed without echo unless a file is given
  ducat-signer serve --keystore FILE --socket PATH --clients FILE [--socket-group GROUP]
      answers the listed clients on a local socket until SIGTERM or Ctrl-C

Options
  --passphrase-file FILE   the operator passphrase; otherwise DUCAT_SIGNER_PASSPHRASE, otherwise asked
  --socket-group GROUP     name or number of the group whose members may talk to the socket; otherwise nobody else
  --demo                   local demo only: takes weak passphrases and public test words
`;

/** Throws OperatorError 'usage', which names every argument that is missing at once, or the first that is unknown. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const [command, extra] = positionals;
  if (values.help === true || command === 'help') return { command: 'help' };
  if (extra !== undefined) throw wrong('There is one command at a time.');
  if (command !== 'create' && command !== 'import' && command !== 'serve') {
    throw wrong('The command must be create, import or serve.');
  }
  const { keystore = '', socket = '', clients = '' } = values;
  const needed = command === 'serve' ? { keystore, socket, clients } : { keystore };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === '' ? [`--${name}`] : []));
  if (missing.length > 0) throw wrong(`Missing: ${missing.join(', ')}.`);
  const common = { keystore, passphraseFile: values['passphrase-file'], demo: values.demo === true };
  if (command === 'serve')
    return { ...common, command, socket, socketGroup: values['socket-group'], clients };
  if (command === 'import') return { ...common, command, mnemonicFile: values['mnemonic-file'] };
  return { ...common, command };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        keystore: { type: 'string' },
        socket: { type: 'string' },
        'socket-group': { type: 'string' },
        clients: { type: 'string' },
        'passphrase-file': { type: 'string' },
        'mnemonic-file': { type: 'string' },
        demo: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : 'The arguments cannot be read.');
  }
}

function wrong(message: string): OperatorError {
  return new OperatorError('usage', `${message} See: ducat-signer help`);
}
