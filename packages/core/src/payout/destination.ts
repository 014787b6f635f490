// Where a payout may go: any address of the chain but a few at which money is lost or goes in a circle (decision C5).
import { fieldInvalid } from '../refusal.ts';
import { accept, type Result, refuse } from '../result.ts';

/** The lowest numbers: the zero address, and contracts that chains have built in. */
const RESERVED = /^(?:0x|41)0{36}[0-9a-f]{4}$/;

export interface Destination {
  /** Canonical text. */
  readonly address: string;
  /** Canonical texts of the contracts of all known tokens of the family. */
  readonly tokenContracts: ReadonlySet<string>;
  /** Whether it is an address of ours, whatever for. */
  readonly isOurs: boolean;
}

/** The address, or why nothing is sent there. */
export function checkDestination({ address, tokenContracts, isOurs }: Destination): Result<string> {
  if (RESERVED.test(address)) return refused('is the zero address or one that the chain has reserved');
  if (tokenContracts.has(address)) return refused('is the contract of a token: what is sent there is lost');
  if (isOurs) return refused('is an address of this gateway');
  return accept(address);
}

function refused(message: string): Result<string> {
  return refuse(fieldInvalid('to_address', message));
}
