// TLS on a connection to a receiver of webhooks, such that the receiver cannot make it cost much.
import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect, createSecureContext, type TLSSocket } from 'node:tls';
import { TlsMeter } from './tls-meter.ts';

/**
 * No DHE, for which the receiver chooses numbers so large that each handshake takes a third of a second, before it
 * has proved who it is; nor key exchanges that nothing else needs.
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

/** Tickets to go on with a TLS session that a receiver may send on one connection; servers send two or so. */
export const MAX_TICKETS = 16;

/** Added to what TLS gets. */
export interface SecureOptions extends ConnectionOptions {
  /** Gets each ticket with which another connection may go on with this session. */
  readonly onTicket?: (ticket: Buffer) => void;
}

/** Begins TLS with this host, named or numbered, on a connection that is open. */
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
    // Each costs more than its bytes, which are counted beneath.
    if (tickets > MAX_TICKETS) tls.destroy();
    else onTicket?.(ticket);
  });
  return { tls, beneath };
}
