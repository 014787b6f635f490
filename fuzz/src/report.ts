// The report of a fuzz run: what it did, and the details of each finding.
import type { Finding, FuzzResult } from './run-fuzz.ts';

/** Findings that are shown. More are seldom useful, because most findings of a run have one cause. */
const SHOWN = 10;
const MAX_SHOWN_TEXT = 600;
const MEBIBYTE = 1024 * 1024;

/** The lines of a report. */
export function report(result: FuzzResult, seed: number, seconds: number): readonly string[] {
  const { sent, findings, codes, memory } = result;
  const counts = [...codes].sort(([a], [b]) => a - b).map(([code, count]) => `${code}: ${count}`);
  return [
    ...findings.slice(0, SHOWN).flatMap((finding) => story(finding)),
    `${sent} requests with seed ${seed} in ${seconds.toFixed(1)} s, ${(sent / seconds).toFixed(0)} a second`,
    `codes  ${counts.join(', ')}`,
    `orders ${result.ordered.size} acknowledged`,
    `memory early: heap ${mebibytes(memory.early.heap)}, resident ${mebibytes(memory.early.resident)} MiB; late: ${mebibytes(memory.late.heap)} and ${mebibytes(memory.late.resident)} MiB`,
  ];
}

function story({ number, trouble, request, answer }: Finding): readonly string[] {
  const { operation, body, fault } = request;
  return [
    `FOUND at request ${number}: ${trouble}`,
    `  ${operation.path}, body ${body.about}, ${fault === null ? 'signed' : fault.about}`,
    `  sent ${JSON.stringify(Buffer.from(body.bytes).toString().slice(0, MAX_SHOWN_TEXT))}`,
    ...(answer === null ? [] : [`  got ${answer.status} ${answer.text.slice(0, MAX_SHOWN_TEXT)}`]),
  ];
}

function mebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(1);
}
