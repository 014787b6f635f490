// Who pays for energy, on a state made by hand.
import { describe, expect, it } from 'vitest';
import { smartContract } from '../protocol/contracts.ts';
import { make } from '../protocol/schema.ts';
import { callerEnergyLimit, chargeEnergy, deployerEnergyLimit } from './energy.ts';
import { mainnetParameters } from './parameters.ts';
import { type Contract, emptyState } from './state.ts';
import { usedAt } from './usage.ts';
import { World } from './world.ts';

const caller = `41${'01'.repeat(20)}`;
const deployer = `41${'02'.repeat(20)}`;
const now = 1_700_000_000_000n;

function worldWith(deployerStake: bigint): World {
  const world = new World(emptyState());
  world.set('totals', 'energyWeight', 18_000_000_000n);
  world.updateAccount(caller, now, () => ({ balance: 10_000_000n }));
  world.updateAccount(deployer, now, () => ({
    frozen: { BANDWIDTH: 0n, ENERGY: deployerStake, TRON_POWER: 0n },
  }));
  return world;
}

const contractOf = (percent: bigint, cap: bigint): Contract => ({
  code: '00',
  definition: make(smartContract, {
    origin_address: deployer,
    consume_user_resource_percent: percent,
    origin_energy_limit: cap,
  }),
  energyFactor: 0n,
  pinnedEnergy: {},
});

describe('energy', () => {
  it('a deployer pays his share from stake, the caller burns the rest', () => {
    const world = worldWith(1_000_000_000_000n);
    const bill = chargeEnergy(world, mainnetParameters, caller, contractOf(40n, 1_000_000n), 1000n, now);
    expect(bill).toEqual({
      energy_usage: 0n,
      energy_fee: 40_000n,
      origin_energy_usage: 600n,
      energy_usage_total: 1000n,
    });
    expect(world.account(caller)?.balance).toBe(9_960_000n);
    expect(usedAt(world.account(deployer)!.energy, now / 3000n)).toBe(600n);
  });

  it('a share stops at the cap of the contract and at what the deployer has left', () => {
    const capped = chargeEnergy(
      worldWith(10n ** 12n),
      mainnetParameters,
      caller,
      contractOf(0n, 100n),
      1000n,
      now,
    );
    expect(capped).toMatchObject({ origin_energy_usage: 100n, energy_fee: 90_000n });
    const poor = chargeEnergy(
      worldWith(5_000_000n),
      mainnetParameters,
      caller,
      contractOf(0n, 10_000n),
      1000n,
      now,
    );
    expect(poor).toMatchObject({ origin_energy_usage: 50n, energy_fee: 95_000n });
  });

  it('never lets a caller go into debt, whatever the shares', () => {
    for (const percent of [0n, 1n, 33n, 50n, 99n, 100n]) {
      for (const stake of [0n, 3_000_000n, 10n ** 12n]) {
        const world = worldWith(stake);
        const contract = contractOf(percent, 70_000n);
        const own = callerEnergyLimit(world, mainnetParameters, caller, 10n ** 9n, 0n, now);
        const limit = own + deployerEnergyLimit(world, mainnetParameters, contract, caller, own, now);
        chargeEnergy(world, mainnetParameters, caller, contract, limit, now);
        expect(world.account(caller)!.balance).toBeGreaterThanOrEqual(0n);
      }
    }
  });

  it('is capped by the fee limit, by the balance, and by what a call sends along', () => {
    const world = worldWith(0n);
    expect(callerEnergyLimit(world, mainnetParameters, caller, 1_000_000n, 0n, now)).toBe(10_000n);
    expect(callerEnergyLimit(world, mainnetParameters, caller, 10n ** 9n, 0n, now)).toBe(100_000n);
    expect(callerEnergyLimit(world, mainnetParameters, caller, 10n ** 9n, 9_000_000n, now)).toBe(10_000n);
    expect(callerEnergyLimit(world, mainnetParameters, caller, 10n ** 9n, 11_000_000n, now)).toBe(0n);
  });
});
