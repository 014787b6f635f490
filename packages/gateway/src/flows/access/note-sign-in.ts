// Returns whether a person signs in with a new or long unseen browser, and stores the browser as a known device.
import { isNewDevice, MOST_DEVICES } from '@ducat/core/access/known-device';
import type { Tx } from '../../db/postgres/tx.ts';
import { type DeviceSeen, keepNewestDevices, noteDevice } from '../../db/tables/access/known-devices.ts';

export async function noteSignIn(tx: Tx, device: DeviceSeen): Promise<boolean> {
  const seenAtMs = await noteDevice(tx, device);
  await keepNewestDevices(tx, device.personId, MOST_DEVICES);
  return isNewDevice(seenAtMs, device.nowMs);
}
