// Reads the signer's log with code of its own: checks that each entry is bound to those before, and lists what was signed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Finding } from '../reader/finding.ts';
import { plainHash } from './compare-payouts.ts';

export interface SigningLog {
  readonly entries: number;
  readonly refused: number;
  /** Ids of the transactions that were signed. */
  readonly signed: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

export function readSigningLog(path: string): SigningLog {
  const signed = new Set<string>();
  const findings: Finding[] = [];
  let refused = 0;
  let previous = '0'.repeat(64);
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  for (const [place, line] of lines.entries()) {
    const { hash, ...body }: Readonly<Record<string, unknown>> = JSON.parse(line);
    const isBound = hash === createHash('sha256').update(JSON.stringify(body)).digest('hex');
    if (!isBound || body['previous'] !== previous || body['sequence'] !== place + 1)
      findings.push({
        fault: 'wrong',
        what: `entry ${place + 1} of the signer's log is not bound to those before`,
      });
    previous = String(hash);
    if (body['event'] === 'signed') signed.add(plainHash(String(body['txId'])));
    if (body['event'] === 'refused') refused += 1;
  }
  return { entries: lines.length, refused, signed, findings };
}
