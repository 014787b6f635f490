// Signs every answer to a known app, errors included (decision A3).
import { headerNames, timestampText } from '@ducat/contract/signature';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppKeys } from '../../../keys/app-keys.ts';
import { unixTime, type World } from '../../../runtime/world.ts';
import { accessOf } from './auth.ts';
import { sign } from './sign.ts';
import { singleHeader } from './single-headers.ts';

export interface SignedAnswers {
  /** The answer to this request is signed with the key the request proved. */
  signWith(request: FastifyRequest, key: string): void;
  /** The answer to this request must not cost a database read. */
  spare(request: FastifyRequest): void;
}

/**
 * Adds the hook. Where no key was proven, the app is taken from the header and its current key signs: an app that
 * sent a wrong signature, or hit a wrong path, can still check who answered.
 */
export function installSignedAnswers(app: FastifyInstance, appKeys: AppKeys, world: World): SignedAnswers {
  const proven = new WeakMap<FastifyRequest, string>();
  const spared = new WeakSet<FastifyRequest>();

  async function keyFor(request: FastifyRequest, appId: string): Promise<string | null> {
    const key = proven.get(request);
    if (key !== undefined) return key;
    const remembered = appKeys.rememberedKeysFor(appId);
    if (remembered !== null || spared.has(request)) return remembered?.keys[0] ?? null;
    try {
      return (await accessOf(appId, appKeys))?.keys[0] ?? null;
    } catch {
      // With the database away an unsigned answer that says so is better than none.
      return null;
    }
  }

  app.addHook('onSend', async (request, reply, payload) => {
    const appId = singleHeader(request.raw.rawHeaders, headerNames.appId);
    if (appId === null || !isOperationPath(request.raw.url ?? '') || typeof payload !== 'string')
      return payload;
    const key = await keyFor(request, appId);
    if (key === null) return payload;
    const timestamp = timestampText(unixTime(world));
    reply.header(headerNames.appId, appId);
    reply.header(headerNames.timestamp, timestamp);
    reply.header(headerNames.signature, sign(Buffer.from(payload), timestamp, key));
    return payload;
  });
  return {
    signWith: (request, key) => void proven.set(request, key),
    spare: (request) => void spared.add(request),
  };
}

/** Only what pretends to be an operation is signed; pages and probes are the same for everybody. */
function isOperationPath(url: string): boolean {
  return url.startsWith('/api/') || url.startsWith('/v1/');
}
