// An observer that ignores every call, for tests that look at some of the calls or at none.
import type { LeasedChain } from '@ducat/gateway/roles/watcher/parts';

const nothing = (): void => undefined;

export const silentObserver: LeasedChain['observer'] = {
  onLease: nothing,
  onHead: nothing,
  onCursor: nothing,
  onTransfers: nothing,
  onNoted: nothing,
  onReorg: nothing,
  onHalted: nothing,
  onOutage: nothing,
  onProviders: nothing,
  onInternal: nothing,
};
