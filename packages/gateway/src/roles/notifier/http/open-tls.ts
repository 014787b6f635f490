// TLS on a connection to a receiver of webhooks, such that the receiver cannot make it cost much.
import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from 'node:tls';
import { TlsMeter } from './tls-meter.ts';

/**
 * No DHE: the receiver could choose numbers so large that each handshake takes a third of a second, before the receiver has
 * proved its identity. Other key exchanges that nothing needs are left out, too.
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');
const secureContext = createSecureContext({
  ciphers: CIPHERS,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
});

/** Most tickets for resuming a TLS session that a receiver may send on one connection; servers send two or so. */
export const MAX_TICKETS = 16;

/** Added to the usual options of TLS. */
export interface SecureOptions extends ConnectionOptions {
  /** Gets each ticket with which another connection may resume this session. */
  readonly onTicket?: (ticket: Buffer) => void;
}

/** Begins TLS with this host, a name or an IP address, on an open connection. */
export function openTls(
  network: Socket,
  host: string,
  { onTicket, ...secure }: SecureOptions = {},
): { readonly tls: TLSSocket; readonly beneath: TlsMeter } {
  const beneath = new TlsMeter(network);
  const named = isIP(host) === 0 ? { servername: host } : {};
  const asUsual = { host, ...named, ALPNProtocols: ['http/1.1'], secureContext };
  const tls = connect({ ...asUsual, ...secure, socket: beneath });
  beneath.carry(tls);
  let tickets = 0;
  tls.on('session', (ticket: Buffer) => {
    tickets += 1;
    // A ticket costs more than its bytes, and the meter beneath counts only the bytes.
    if (tickets > MAX_TICKETS) tls.destroy();
    else onTicket?.(ticket);
  });
  return { tls, beneath };
}
