// Chains that are always in use, so that roles keep their pace, for tests that are not about rests.
import type { IdleChains } from '@ducat/gateway/runtime/idle-chains';

export const chainsInUse: IdleChains = {
  idleMs: () => Promise.resolve(null),
  rest: () => Promise.resolve(false),
};
