// Opens one connection for webhooks: to addresses that were vetted, and over TLS where the URL asks for it.
import { connect, type Socket } from 'node:net';
import type { PostOutcome } from '../port.ts';
import { AnswerStream } from './answer-stream.ts';
import type { GuardedAddress } from './guarded-address.ts';
import { openTls, type SecureOptions } from './open-tls.ts';
import { pinnedLookup } from './pinned-lookup.ts';
import { canonicalAddress } from './routable-address.ts';

/** With several addresses, how long one is tried before the next. */
const CONNECT_ATTEMPT_MS = 2_000;

/** Why there is no connection. */
export class OpenFailure extends Error {
  readonly outcome: PostOutcome;

  constructor(outcome: PostOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** Calls `opened` once. To end the attempt before that, destroy the socket that is returned. */
export function openConnection(
  { url, addresses }: GuardedAddress,
  opened: (result: AnswerStream | OpenFailure) => void,
  secure: SecureOptions = {},
): Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = url.protocol === 'https:';
  const network = connect({
    host,
    port: Number(url.port) || (isSecure ? 443 : 80),
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS,
  });
  let failure: PostOutcome = 'connection-failed';
  const fail = () => opened(new OpenFailure(failure));
  // After `error` comes `close`, which reports the failure.
  network.on('error', () => undefined).once('close', fail);
  const succeed = (connection: AnswerStream) => {
    network.off('close', fail);
    opened(connection);
  };
  network.once('connect', () => {
    // The last check of the address, on the connection itself, whatever chose the address. A reset connection has none.
    const { remoteAddress } = network;
    if (remoteAddress === undefined) return network.destroy();
    if (!addresses.includes(canonicalAddress(remoteAddress))) {
      failure = 'refused-address';
      return network.destroy();
    }
    if (!isSecure) return succeed(new AnswerStream(network, null));
    failure = 'tls-failed';
    const { tls, beneath } = openTls(network, host, secure);
    tls.on('error', () => undefined);
    return tls.once('secureConnect', () => succeed(new AnswerStream(tls, beneath)));
  });
  return network;
}
