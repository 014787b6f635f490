// Reads the command line of ducat-signer into one of its commands.
import { parseArgs } from 'node:util';
import { OperatorError } from './operator-error.ts';

export interface CommonArguments {
  readonly keystore: string;
  readonly passphraseFile: string | undefined;
  readonly demo: boolean;
}

/** Files in PEM. */
export interface TlsArguments {
  readonly host: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
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
      /** Both or neither: without them no intent is signed. */
      readonly signing: { readonly policy: string; readonly log: string } | null;
      readonly tls: TlsArguments | null;
    })
  | {
      readonly command: 'begin-log';
      readonly keystore: string;
      readonly log: string;
      readonly first: boolean;
    }
  | { readonly command: 'resume' | 'verify-log'; readonly log: string }
  | (CommonArguments & {
      readonly command: 'list-log';
      readonly log: string;
      /** The canonical address whose entries are listed. */
      readonly from: string;
      /** The lowest nonce that is listed. */
      readonly nonce: number;
    })
  | (ApproverArguments & { readonly command: 'make-approver' })
  | (ApproverArguments & { readonly command: 'approve'; readonly payout: PayoutArguments });

export interface ApproverArguments {
  readonly approver: string;
  readonly approverKey: string;
  readonly passphraseFile: string | undefined;
  readonly demo: boolean;
}

/** As typed; not yet checked. */
export interface PayoutArguments {
  readonly payout: string;
  readonly chainId: string;
  /** Empty for the native coin. */
  readonly contract: string;
  readonly to: string;
  readonly baseUnits: string;
  readonly feeCap: string;
  readonly hours: string;
}

export const usage = `ducat-signer: holds the keys of Ducat, in a process of their own

  ducat-signer create --keystore FILE
      makes a new seed, encrypts it into FILE, shows its 24 words once
  ducat-signer import --keystore FILE [--mnemonic-file FILE]
      makes FILE from words you already have; typed without echo unless a file is given
  ducat-signer serve --keystore FILE --socket PATH --clients FILE [--socket-group GROUP]
                     [--policy FILE --log FILE]
      answers the listed clients on a local socket until SIGTERM or Ctrl-C; signs where it has a policy and a log
  ducat-signer begin-log --keystore FILE --log FILE [--first]
      makes the signing log of a seed; without --first it begins in safe mode, since the seed may have signed before
  ducat-signer verify-log --log FILE
      checks every entry and the chain of their hashes
  ducat-signer list-log --log FILE --from ADDRESS [--nonce N] [--keystore FILE]
      lists what the key of this address signed, from this nonce on, as lines of JSON; with the keystore also the bytes,
      which the log does not hold
  ducat-signer resume --log FILE
      ends safe mode, once a person has looked (docs/operate/keys.md); the signer must not be running

  ducat-signer make-approver --approver NAME --approver-key FILE
      makes the key of a person who approves payouts, and prints what the policy needs of it
  ducat-signer approve --approver NAME --approver-key FILE --payout ID --chain-id N --to ADDRESS --base-units N
                       --fee-cap N [--contract ADDRESS] [--hours N]
      approves one payout exactly as it is typed; on a machine of the approver's own

Options
  --passphrase-file FILE   the operator passphrase; otherwise DUCAT_SIGNER_PASSPHRASE, otherwise asked
  --tls-listen HOST:PORT   also takes gateways on other machines, by TLS with certificates on both sides: --tls-cert
                           and --tls-key are ours, --tls-ca signs those of the gateways
  --socket-group GROUP     name or number of the group whose members may talk to the socket; otherwise no other user
  --demo                   local demo only: takes weak passphrases and public test words
`;

/** Throws OperatorError 'usage', which names every argument that is missing at once, or the first that is unknown. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const [command, extra] = positionals;
  if (values.help === true || command === 'help') return { command: 'help' };
  if (extra !== undefined) throw wrong('There is one command at a time.');
  if (!isCommand(command))
    throw wrong(`The command must be ${commands.slice(0, -1).join(', ')} or ${commands.at(-1)}.`);
  const {
    keystore = '',
    socket = '',
    clients = '',
    log = '',
    policy = '',
    demo = false,
    first = false,
  } = values;
  const given = { keystore, socket, clients, log, from: values.from ?? '', ...approvalValues(values) };
  const missing = needed[command].filter((name) => given[name] === '');
  if (missing.length > 0) throw wrong(`Missing: ${missing.map((name) => `--${name}`).join(', ')}.`);
  const common = { keystore, passphraseFile: values['passphrase-file'], demo };
  switch (command) {
    case 'create':
      return { ...common, command };
    case 'import':
      return { ...common, command, mnemonicFile: values['mnemonic-file'] };
    case 'serve': {
      if ((log === '') !== (policy === '')) throw wrong('--policy and --log go together.');
      const signing = log === '' ? null : { policy, log };
      const tls = tlsArguments(values);
      return { ...common, command, socket, socketGroup: values['socket-group'], clients, signing, tls };
    }
    case 'begin-log':
      return { command, keystore, log, first };
    case 'verify-log':
    case 'resume':
      return { command, log };
    case 'list-log':
      return { ...common, command, log, from: given.from.toLowerCase(), nonce: nonceOf(values.nonce) };
    case 'make-approver':
      return { ...approverArguments(values), command };
    case 'approve':
      return { ...approverArguments(values), command, payout: payoutArguments(values) };
  }
}

type Values = ReturnType<typeof parse>['values'];

/** The options of approvals, as typed. An option that was not typed is empty. */
function approvalValues(values: Values) {
  return {
    approver: values.approver ?? '',
    'approver-key': values['approver-key'] ?? '',
    payout: values.payout ?? '',
    'chain-id': values['chain-id'] ?? '',
    to: values.to ?? '',
    'base-units': values['base-units'] ?? '',
    'fee-cap': values['fee-cap'] ?? '',
  };
}

function approverArguments(values: Values): ApproverArguments {
  const { approver, 'approver-key': approverKey } = approvalValues(values);
  return { approver, approverKey, passphraseFile: values['passphrase-file'], demo: values.demo === true };
}

function payoutArguments(values: Values): PayoutArguments {
  const {
    payout,
    to,
    'chain-id': chainId,
    'base-units': baseUnits,
    'fee-cap': feeCap,
  } = approvalValues(values);
  return {
    payout,
    chainId,
    to,
    baseUnits,
    feeCap,
    contract: values.contract ?? '',
    hours: values.hours ?? '24',
  };
}

function nonceOf(typed = '0'): number {
  if (!/^\d{1,15}$/.test(typed)) throw wrong('--nonce is a number from 0 on.');
  return Number(typed);
}

/** Null without TLS options. Throws OperatorError 'usage' where only some of the four are given. */
function tlsArguments(values: Values): TlsArguments | null {
  const { 'tls-listen': listen, 'tls-cert': cert, 'tls-key': key, 'tls-ca': ca } = values;
  if (listen === undefined && cert === undefined && key === undefined && ca === undefined) return null;
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(listen ?? '') ?? [];
  if (!host || !port || !cert || !key || !ca) {
    throw wrong('--tls-listen HOST:PORT, --tls-cert, --tls-key and --tls-ca go together.');
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port), cert, key, ca };
}

const needed = {
  create: ['keystore'],
  import: ['keystore'],
  serve: ['keystore', 'socket', 'clients'],
  'begin-log': ['keystore', 'log'],
  'verify-log': ['log'],
  'list-log': ['log', 'from'],
  resume: ['log'],
  'make-approver': ['approver', 'approver-key'],
  approve: ['approver', 'approver-key', 'payout', 'chain-id', 'to', 'base-units', 'fee-cap'],
} as const;

type Command = keyof typeof needed;
const commands = Object.keys(needed);

function isCommand(command: string | undefined): command is Command {
  return command !== undefined && commands.includes(command);
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
        policy: { type: 'string' },
        log: { type: 'string' },
        first: { type: 'boolean' },
        from: { type: 'string' },
        nonce: { type: 'string' },
        'tls-listen': { type: 'string' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'tls-ca': { type: 'string' },
        'passphrase-file': { type: 'string' },
        'mnemonic-file': { type: 'string' },
        approver: { type: 'string' },
        'approver-key': { type: 'string' },
        payout: { type: 'string' },
        'chain-id': { type: 'string' },
        contract: { type: 'string' },
        to: { type: 'string' },
        'base-units': { type: 'string' },
        'fee-cap': { type: 'string' },
        hours: { type: 'string' },
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
