// The kills of a run of payouts, each at a moment that the seed draws, with a restart at once.
import { setTimeout } from 'node:timers/promises';
import type { Chance } from '../chance.ts';
import type { PayoutStage } from './payout-stage.ts';

type PayoutFault = (stage: PayoutStage) => Promise<void>;

const PAYER = 'kill -9 payer';
const COLLECTOR = 'kill -9 collector';
const SIGNER = 'kill -9 signer';

export const payoutFaults: Readonly<Record<string, PayoutFault>> = {
  [PAYER]: killRole('payer'),
  [COLLECTOR]: killRole('collector'),
  [SIGNER]: killSigner,
  'kill -9 payer and signer': (stage) => both(killRole('payer')(stage), killSigner(stage)),
  'kill -9 watcher': killRole('watcher'),
  'kill -9 payer, collector, signer and watcher': (stage) =>
    both(...['payer', 'collector', 'watcher'].map((name) => killRole(name)(stage)), killSigner(stage)),
  'kill -9 PostgreSQL, started again': ({ database }) => database.killAndRestart(),
};

/** How often a fault is in the deck; all others are once. The processes with money on its way are killed most often. */
const TIMES: Readonly<Record<string, number>> = { [PAYER]: 4, [COLLECTOR]: 2, [SIGNER]: 3 };

/** Every fault comes before any comes again, in an order that the seed draws. */
export function plannedPayoutFaults(
  cycles: number,
  chance: Chance,
  only: readonly string[] = Object.keys(payoutFaults),
): readonly string[] {
  const plan: string[] = [];
  while (plan.length < cycles && only.length > 0) {
    const deck = only.flatMap((name) => Array<string>(TIMES[name] ?? 1).fill(name));
    while (deck.length > 0 && plan.length < cycles) plan.push(...deck.splice(chance.int(deck.length), 1));
  }
  return plan;
}

/** Waits for a random time, so that a kill meets the processes in the middle of anything. */
export async function untilRandomMoment(chance: Chance): Promise<void> {
  await setTimeout(chance.int(2_500));
}

function killRole(name: string): PayoutFault {
  return async ({ roles }) => {
    const role = roles.find((candidate) => candidate.name === name);
    if (role === undefined) throw new Error(`there is no ${name}`);
    await role.kill();
    await role.start();
  };
}

async function killSigner({ signer }: PayoutStage): Promise<void> {
  await signer.kill();
  await signer.restart();
}

async function both(...works: readonly Promise<void>[]): Promise<void> {
  await Promise.all(works);
}
