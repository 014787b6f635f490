// Who pays for the bytes of a transaction: staked bandwidth, the free allowance, or burned TRX; never a mixture.
import { toBase58 } from '../protocol/address.ts';
import { invalid, Rejection } from '../protocol/rejection.ts';
import type { Parameters } from './parameters.ts';
import { slotAt, stakedLimit, use, usedAt } from './usage.ts';
import type { World } from './world.ts';

/** java-tron adds this to the size of every transaction, for its result. */
const resultBytes = 64n;

export interface BandwidthBill {
  /** Bytes paid by stake or allowance. */
  readonly usage: bigint;
  /** Sun burned. */
  readonly fee: bigint;
}

/**
 * Charges `payer` for a transaction of `sizeBytes` (protobuf without results). A transaction that makes an account
 * cannot use the free allowance. Where the payer's stake is not enough, it costs a flat fee. `now` is milliseconds.
 */
export function chargeBandwidth(
  world: World,
  parameters: Parameters,
  payer: string,
  sizeBytes: number,
  createsAccount: boolean,
  now: bigint,
): BandwidthBill {
  const account = world.account(payer);
  if (account === undefined) {
    throw invalid(`account [${toBase58(payer)}] does not exist`);
  }
  const size = BigInt(sizeBytes) + resultBytes;
  const slot = slotAt(now);
  const stakedLeft = stakedLimit(world, parameters, account, 'BANDWIDTH') - usedAt(account.bandwidth, slot);
  if (size <= stakedLeft) {
    world.updateAccount(payer, now, (old) => ({ bandwidth: use(old.bandwidth, size, slot) }));
    return { usage: size, fee: 0n };
  }
  const freeLeft = parameters.getFreeNetLimit - usedAt(account.freeBandwidth, slot);
  if (!createsAccount && size <= freeLeft) {
    world.updateAccount(payer, now, (old) => ({ freeBandwidth: use(old.freeBandwidth, size, slot) }));
    return { usage: size, fee: 0n };
  }
  const fee = createsAccount ? parameters.getCreateAccountFee : size * parameters.getTransactionFee;
  burn(world, payer, fee, now);
  return { usage: 0n, fee };
}

/** Takes `fee` sun from the payer for good. */
export function burn(world: World, payer: string, fee: bigint, now: bigint): void {
  const balance = world.account(payer)?.balance ?? 0n;
  if (balance < fee) throw new Rejection('BANDWITH_ERROR', 'Account resource insufficient error.');
  world.updateAccount(payer, now, (old) => ({ balance: old.balance - fee }));
}
