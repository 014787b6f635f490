// An observer that hears everything and does nothing, for tests that listen to some of it or to none.
import type { LeasedChain } from '@ducat/gateway/roles/watcher/parts';

const nothing = (): void => undefined;

export const silentObserver: LeasedChain['observer'] = {
  onLease: nothing,
  onHead: nothing,
  onCursor: nothing,
  onAccepted: nothing,
  onUntraced: nothing,
  onReorg: nothing,
  onHalted: nothing,
  onOutage: nothing,
  onEndpoints: nothing,
};
