// Shows people what a run did and what it found.
import type { Fault } from './reader/finding.ts';
import type { Timing } from './records.ts';
import type { ChainRecord, RunResult } from './run.ts';

const MAX_FINDINGS = 40;

/** The tables of a run, ready to print. */
export function tableOf({
  faults,
  timings,
  notes,
  counts,
  chains,
  findings,
  seconds,
  asks,
}: RunResult): string {
  const cycles = [...faults.values()].reduce((sum, { times }) => sum + times, 0);
  const cycleMs = [...faults.values()].reduce((sum, { totalMs }) => sum + totalMs, 0);
  const done = [...faults].map(([name, { hits, longestPauseMs, ...timing }]) => [
    name,
    String(timing.times),
    hits === null ? '' : String(hits),
    ...inSeconds(timing),
    (longestPauseMs / 1000).toFixed(1),
  ]);
  const timed = [...timings].map(([name, timing]) => [name, String(timing.times), ...inSeconds(timing)]);
  const kinds: readonly Fault[] = ['lost', 'doubled', 'invented', 'wrong'];
  const totals = kinds.map((kind) => [kind, String(findings.filter(({ fault }) => fault === kind).length)]);
  return [
    columns([
      [
        'fault',
        'times',
        'hits',
        's on average',
        's at most',
        `s without ${asks === 'order' ? 'an order' : 'a payout'}, at most`,
      ],
      ...done.toSorted(([one = ''], [other = '']) => one.localeCompare(other)),
    ]),
    timed.length === 0 ? '' : columns([['until', 'times', 's on average', 's at most'], ...timed]),
    chainsTable(chains),
    columns(Object.entries(counts).map(([name, count]) => [name, String(count)])),
    columns([...notes].map(([name, count]) => [name, String(count)])),
    columns(totals),
    ...findings.slice(0, MAX_FINDINGS).map(({ fault, what }) => `${fault.toUpperCase()}: ${what}`),
    `${cycles} cycles, ${(cycleMs / Math.max(1, cycles) / 1000).toFixed(1)} s each, ${seconds.toFixed(0)} s in all`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function inSeconds({ times, totalMs, longestMs }: Timing): readonly string[] {
  return [totalMs / times, longestMs].map((ms) => (ms / 1000).toFixed(1));
}

function chainsTable(chains: readonly ChainRecord[]): string {
  if (chains.length === 0) return '';
  const head = [
    'chain',
    'orders',
    'paid',
    'timed out',
    'final payments',
    'forks',
    'payments gone with forks',
  ];
  const rows = chains.map(({ name, orders, paid, timedOut, payments, forks, dropped }) => [
    name,
    ...[orders, paid, timedOut, payments, forks, dropped].map(String),
  ]);
  return columns([head, ...rows]);
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, place) => Math.max(cell.length, most[place] ?? 0)),
    [],
  );
  const padded = (cell: string, place: number) => {
    const width = widths[place] ?? 0;
    return place === 0 ? cell.padEnd(width) : cell.padStart(width);
  };
  return rows.map((row) => row.map(padded).join('  ')).join('\n');
}
