// Authenticates a request: headers, app, timestamp, signature and kind of app, in the order of decision A2.
import { isAppOn } from '@ducat/core/access/app-state';
import type { RefusalCode } from '@ducat/contract/codes';
import type { Endpoint } from '@ducat/contract/endpoint';
import { headerNames, isTimestampCurrent, timestampWindowSeconds } from '@ducat/contract/signature';
import type { AppAccess, AppKeys } from '../../../keys/app-keys.ts';
import { unixTime, type World } from '../../../runtime/world.ts';
import { keyThatSigned } from './sign.ts';
import type { ProvenKey } from './signed-answers.ts';
import { singleHeader } from './single-headers.ts';

export interface AuthDeps {
  readonly appKeys: AppKeys;
  readonly world: World;
}

/** Either the app and the key it signed with, or the code to refuse with. */
export type Authenticated =
  | { readonly ok: true; readonly access: AppAccess; readonly proven: ProvenKey }
  | {
      readonly ok: false;
      readonly code: RefusalCode;
      readonly message: string;
      /** The key the app signed with, where that much is proven. */
      readonly proven: ProvenKey | null;
    };

/** The parts of a request that are checked here; `body` has the bytes as they were sent. */
export interface Received {
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
}

/** Keys that were read longer ago than this are read again before a signature is refused. */
const RECHECK_MS = 500;
/** The key for checking an unknown app's signature, so that the check takes as long as with a wrong signature. */
const DUMMY_KEY = 'no app has this key, and no key has this length: 0123456789';
const APP_ID = /^[\x21-\x7e]{1,64}$/;

const appRefused = {
  ok: false,
  code: 10006,
  message: `${headerNames.appId} names no app that is known and enabled`,
  proven: null,
} as const satisfies Authenticated;

const signatureRefused = {
  ok: false,
  code: 10008,
  message: `${headerNames.signature} does not fit the body, the timestamp and the key`,
  proven: null,
} as const satisfies Authenticated;

/** Checks everything about a request but its body's content. */
export async function authenticate(
  request: Received,
  endpoint: Endpoint,
  deps: AuthDeps,
): Promise<Authenticated> {
  const appId = singleHeader(request.rawHeaders, headerNames.appId);
  const timestamp = singleHeader(request.rawHeaders, headerNames.timestamp);
  const signature = singleHeader(request.rawHeaders, headerNames.signature);
  if (appId === null) return headerRefused(headerNames.appId);
  if (timestamp === null) return headerRefused(headerNames.timestamp);
  if (signature === null) return headerRefused(headerNames.signature);
  const access = await accessOf(appId, deps.appKeys);
  if (access === null || !isAppOn(access.app)) {
    keyThatSigned(request.body, timestamp, signature, [DUMMY_KEY]);
    return appRefused;
  }
  if (!isTimestampCurrent(timestamp, unixTime(deps.world))) {
    const message = `${headerNames.timestamp} must be a Unix time in seconds with ten digits, within ${timestampWindowSeconds} seconds of now`;
    return { ok: false, code: 10007, message, proven: null };
  }
  const signed = { body: request.body, timestamp, signature };
  const proven = await proofOf(signed, access, deps.appKeys);
  return proven === null ? signatureRefused : admit(proven, endpoint);
}

/**
 * The key that signed a request, among the keys that were remembered last, however old; null where none of them did. While
 * the database is away, such a key is good enough to sign the answer that says so, and for nothing else.
 */
export function lastProvenKey(request: Received, { appKeys, world }: AuthDeps): ProvenKey | null {
  const { rawHeaders, body } = request;
  const appId = singleHeader(rawHeaders, headerNames.appId);
  const timestamp = singleHeader(rawHeaders, headerNames.timestamp);
  const signature = singleHeader(rawHeaders, headerNames.signature);
  if (appId === null || timestamp === null || signature === null) return null;
  const access = appKeys.lastKnownKeysFor(appId);
  if (access === null || !isTimestampCurrent(timestamp, unixTime(world))) return null;
  const key = keyThatSigned(body, timestamp, signature, access.keys);
  return key === null ? null : { appId, key };
}

/** The app that a request claims to come from, or null. A text that cannot be an AppId is not looked up. */
async function accessOf(appId: string, appKeys: AppKeys): Promise<AppAccess | null> {
  return APP_ID.test(appId) ? appKeys.keysFor(appId) : null;
}

function headerRefused(name: string): Authenticated {
  return { ok: false, code: 10006, message: `${name} must be given exactly once`, proven: null };
}

const appKindNames = { PAYMENT: 'payment', QR_CODE: 'QR code' } as const;

interface Proven {
  readonly access: AppAccess;
  readonly key: string;
}

/** A key that was rotated a moment ago is not yet remembered, so after a mismatch the keys are read again. */
async function proofOf(
  signed: { readonly body: Uint8Array; readonly timestamp: string; readonly signature: string },
  access: AppAccess,
  appKeys: AppKeys,
): Promise<Proven | null> {
  const { body, timestamp, signature } = signed;
  const key = keyThatSigned(body, timestamp, signature, access.keys);
  if (key !== null) return { access, key };
  const fresh = await appKeys.keysFor(access.app.appId, RECHECK_MS);
  if (fresh === null || fresh === access || !isAppOn(fresh.app)) return null;
  const freshKey = keyThatSigned(body, timestamp, signature, fresh.keys);
  return freshKey === null ? null : { access: fresh, key: freshKey };
}

function admit({ access, key }: Proven, endpoint: Endpoint): Authenticated {
  const proven = { appId: access.app.appId, key };
  if (endpoint.appKind !== 'ANY' && endpoint.appKind !== access.app.kind) {
    return {
      ok: false,
      code: 10006,
      message: `${headerNames.appId} must name a ${appKindNames[endpoint.appKind]} app for this operation`,
      proven,
    };
  }
  return { ok: true, access, proven };
}
