// The network side of a connection over TLS: what comes is counted there, before TLS computes anything for it.
import type { Socket } from 'node:net';
import { MeteredStream } from './metered-stream.ts';

/** Until a connection is secure; TLS itself takes 100 KB of certificates, several times what any server has. */
const MAX_HANDSHAKE_BYTES = 128 * 1024;
/**
 * What may come for one webhook beside content: tickets, new keys, 22 bytes and more around each record, and a record
 * that is not complete yet. OpenSSL goes on for ever with records that carry nothing, at 10 µs each.
 */
export const MAX_OVERHEAD_BYTES = 32 * 1024;
/** TLS gets no more at once, so that the bound is looked at in between; the system reads 64 KiB. */
const PIECE_BYTES = 4 * 1024;

/** The receiver sent more than the bounds allow. */
export class TlsFlood extends Error {}

/** A TCP connection that ends the TLS on it when too much of what comes is no content. */
export class TlsMeter extends MeteredStream {
  #tls: Socket | null = null;
  #received = 0;
  #overheadBefore = 0;
  #allowed = MAX_HANDSHAKE_BYTES;

  /** Names the TLS that reads from here. */
  carry(tls: Socket): void {
    this.#tls = tls;
    tls.once('secureConnect', () => this.begin());
    tls.once('close', () => this.destroy());
  }

  /** What comes from now on is for another webhook. */
  begin(): void {
    this.#overheadBefore = this.#overhead();
    this.#allowed = MAX_OVERHEAD_BYTES;
  }

  protected override receive(read: Buffer): boolean {
    let more = true;
    for (let at = 0; at < read.length; at += PIECE_BYTES) {
      const piece = read.subarray(at, at + PIECE_BYTES);
      this.#received += piece.length;
      more = this.push(piece);
      if (this.#overhead() - this.#overheadBefore > this.#allowed) this.#tls?.destroy(new TlsFlood());
      if (this.#tls?.destroyed !== false || this.destroyed) return false;
    }
    return more;
  }

  /** Of what TLS has got. */
  #overhead(): number {
    return this.#received - this.readableLength - (this.#tls?.bytesRead ?? 0);
  }
}
