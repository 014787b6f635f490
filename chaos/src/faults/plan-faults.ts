// The order of a run's faults, as the seed draws it.
import type { Chance } from '../chance.ts';

/** Each name comes once before any comes again, in an order that the seed draws. */
export function dealt(chance: Chance, times: number, names: readonly string[]): readonly string[] {
  const plan: string[] = [];
  while (plan.length < times && names.length > 0) {
    const deck = [...names];
    while (deck.length > 0 && plan.length < times) plan.push(...deck.splice(chance.int(deck.length), 1));
  }
  return plan;
}

/** Puts the others evenly between the faults of the plan. */
export function spread(plan: readonly string[], others: readonly string[]): readonly string[] {
  const whole = [...plan];
  const length = plan.length + others.length;
  for (const [place, name] of others.entries())
    whole.splice(Math.floor(((place + 1) * length) / (others.length + 1)), 0, name);
  return whole;
}
