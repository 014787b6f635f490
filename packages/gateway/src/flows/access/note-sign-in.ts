// Whether a person signs in with a browser that was not seen for long, or never; it is known from now on.
import { isNewDevice, MOST_DEVICES } from '@ducat/core/access/known-device';
import type { Tx } from '../../db/postgres/tx.ts';
import { type DeviceSeen, keepNewestDevices, noteDevice } from '../../db/tables/access/known-devices.ts';

export async function noteSignIn(tx: Tx, device: DeviceSeen): Promise<boolean> {
  const seenAtMs = await noteDevice(tx, device);
  await keepNewestDevices(tx, device.personId, MOST_DEVICES);
  return isNewDevice(seenAtMs, device.nowMs);
}
