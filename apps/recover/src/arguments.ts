// Reads the command line of ducat-recover into one of its commands.
import { parseArgs } from 'node:util';
import { OperatorError } from '@ducat/signer/operator-error';

export interface SearchArguments {
  /** A file with [chains] sections, such as the gateway's own. */
  readonly config: string;
  /** Null for every chain of the file. */
  readonly chain: string | null;
  readonly mnemonicFile: string | null;
  readonly gap: number;
  readonly accountGap: number;
  /** Accepts public test words, and files that others can read. */
  readonly demo: boolean;
}

export type Arguments =
  | { readonly command: 'help' }
  | (SearchArguments & { readonly command: 'list' })
  | (SearchArguments & {
      readonly command: 'move';
      readonly chain: string;
      readonly to: string;
      readonly feeCap: string | null;
      readonly send: boolean;
    });

const MOST_GAP = 1_000_000;

export const usage = `ducat-recover: finds and moves what the 24 words hold, with a node and nothing else

  ducat-recover list --config FILE [--chain NAME]
      lists every address that holds something
  ducat-recover move --config FILE --chain NAME --to ADDRESS [--send]
      shows what would be moved there and what that costs; --send moves it

Options
  --config FILE         a file whose [chains.NAME] sections name a node: rpc_urls, and on Tron solidity_urls
  --mnemonic-file FILE  the words; typed without echo unless a file is given
  --gap N               addresses in a row that hold nothing before an account is left; 500 unless given
  --account-gap N       accounts in a row that hold nothing before the search ends; 10 unless given
  --fee-cap AMOUNT      the most that one transaction may cost, in the chain's coin; 0.05 on EVM, 100 on Tron
  --demo                local demo only: takes public test words and files that others can read
`;

/** Throws OperatorError 'usage'. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const [command, extra] = positionals;
  if (values.help === true || command === 'help') return { command: 'help' };
  if (extra !== undefined || (command !== 'list' && command !== 'move')) {
    throw wrong('The command must be list or move.');
  }
  if (values.config === undefined) throw wrong('Missing: --config.');
  const common = {
    config: values.config,
    chain: values.chain ?? null,
    mnemonicFile: values['mnemonic-file'] ?? null,
    gap: count('gap', values.gap ?? '500'),
    accountGap: count('account-gap', values['account-gap'] ?? '10'),
    demo: values.demo === true,
  };
  if (command === 'list') return { ...common, command };
  const { chain, to } = values;
  if (chain === undefined || to === undefined) throw wrong('move needs --chain and --to.');
  const feeCap = values['fee-cap'] ?? null;
  return { ...common, command, chain, to, feeCap, send: values.send === true };
}

function count(name: string, text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MOST_GAP) return number;
  throw wrong(`--${name} must be a number from 1 to ${MOST_GAP}.`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        chain: { type: 'string' },
        to: { type: 'string' },
        send: { type: 'boolean' },
        'mnemonic-file': { type: 'string' },
        gap: { type: 'string' },
        'account-gap': { type: 'string' },
        'fee-cap': { type: 'string' },
        demo: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : 'The arguments cannot be read.');
  }
}

function wrong(message: string): OperatorError {
  return new OperatorError('usage', `${message} See: ducat-recover help`);
}
