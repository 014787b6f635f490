// The kinds of metrics, each with its labels, in one registry. Names follow Prometheus' rules: unit last, base units.
import { type Amount, unitsOf } from '@ducat/core/money/amount';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function gauge<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
): Gauge<Label> {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

export function counter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

export function histogram<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
): Histogram<Label> {
  return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [registry] });
}

/** A gauge is a floating-point number: enough to alarm on, never to book from. */
export function inTokens(amount: Amount, decimals: number): number {
  return Number(unitsOf(amount)) / 10 ** decimals;
}
