// How many lines an app gets in the log. Calls beyond that are counted: those that are alike become one line a minute.
import type { EndpointName } from '@ducat/contract/endpoints/registry';
import { addressKey } from '../../../http/address-key.ts';
import { type BucketSize, createRateLimit } from '../../../http/rate-limit.ts';
import type { AnsweredCall } from './answered-call.ts';

type Kind = 'written' | 'read' | 'refused' | 'unproven';

/** Per app and process. Each kind has its own limit, so refused or unproven calls use up nothing of the others. */
const PACES: Readonly<Record<Kind, BucketSize>> = {
  written: { perSecond: 2, burst: 120 },
  // Shops ask for their orders again and again.
  read: { perSecond: 1 / 6, burst: 10 },
  refused: { perSecond: 1 / 4, burst: 60 },
  unproven: { perSecond: 1 / 10, burst: 30 },
};
/** Per network address, for calls that prove no key, over all apps that they name. */
const PER_ADDRESS: BucketSize = { perSecond: 1 / 4, burst: 60 };
const MAX_PACED = 20_000;

const KINDS: Readonly<Record<EndpointName, Kind>> = {
  'create-order': 'written',
  'pre-create': 'written',
  'order-detail': 'read',
  'exchange-rates': 'read',
  'token-list': 'read',
  'app-token-list': 'read',
  'account-balance': 'read',
  'create-payout': 'written',
  'payout-detail': 'read',
  'create-qr-code': 'written',
};

/** Whether the call gets a line of its own. Calls of all unknown apps share the limit of one app. */
export function createCallPaces(): (call: AnsweredCall, isKnown: boolean, nowMs: number) => boolean {
  const limits = {
    written: createRateLimit(PACES.written, MAX_PACED),
    read: createRateLimit(PACES.read, MAX_PACED),
    refused: createRateLimit(PACES.refused, MAX_PACED),
    unproven: createRateLimit(PACES.unproven, MAX_PACED),
  };
  const perAddress = createRateLimit(PER_ADDRESS, MAX_PACED);
  return (call, isKnown, nowMs) => {
    const kind = kindOf(call);
    if (kind === 'unproven' && perAddress.take(addressKey(call.address), nowMs) > 0) return false;
    return limits[kind].take(isKnown ? call.appId : '', nowMs) === 0;
  };
}

function kindOf({ isProven, code, operation }: AnsweredCall): Kind {
  if (!isProven) return 'unproven';
  return code !== 0 || operation === null ? 'refused' : KINDS[operation];
}
