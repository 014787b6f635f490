// Signs every answer to a caller who has proven a key, errors included (decision A3).
import { headerNames, timestampText } from '@ducat/contract/signature';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unixTime, type World } from '../../../runtime/world.ts';
import { sign } from './sign.ts';

/** The app of a request, and the key that it was signed with. */
export interface ProvenKey {
  readonly appId: string;
  readonly key: string;
}

export interface SignedAnswers {
  /** The answer to this request is signed with the key that the request proved. */
  signWith(request: FastifyRequest, proven: ProvenKey): void;
}

/**
 * Adds the hook. Where no key was proven, nothing is signed: anybody can cause such an answer, and a signed one could be
 * sent back to us as a request.
 */
export function installSignedAnswers(app: FastifyInstance, world: World): SignedAnswers {
  const provenKeys = new WeakMap<FastifyRequest, ProvenKey>();
  app.addHook('onSend', async (request, reply, payload) => {
    const proven = provenKeys.get(request);
    if (proven === undefined || typeof payload !== 'string') return payload;
    const timestamp = timestampText(unixTime(world));
    reply.header(headerNames.appId, proven.appId);
    reply.header(headerNames.timestamp, timestamp);
    reply.header(headerNames.signature, sign(payload, timestamp, proven.key));
    return payload;
  });
  return { signWith: (request, proven) => void provenKeys.set(request, proven) };
}
