// The network side of a connection over TLS: incoming bytes are counted here, before TLS computes anything for them.
import type { Socket } from 'node:net';
import { MeteredStream } from './metered-stream.ts';

/** The most bytes of a handshake. TLS itself accepts 100 KB of certificates, several times what any server has. */
const MAX_HANDSHAKE_BYTES = 128 * 1024;
/**
 * The most bytes for one webhook that are no content: tickets, new keys, 22 bytes and more around each record, and a record
 * that is not complete yet. OpenSSL accepts empty records without end, at 10 µs each.
 */
export const MAX_OVERHEAD_BYTES = 32 * 1024;
/** TLS gets no more bytes at once, so that the bound is checked in between; the system reads 64 KiB at once. */
const PIECE_BYTES = 4 * 1024;

/** The receiver sent more than the bounds allow. */
export class TlsFlood extends Error {}

/** A TCP connection that ends the TLS on it when too much of what comes is no content. */
export class TlsMeter extends MeteredStream {
  #tls: Socket | null = null;
  #received = 0;
  #overheadBefore = 0;
  #allowed = MAX_HANDSHAKE_BYTES;

  /** Sets the TLS socket that reads from this stream. */
  carry(tls: Socket): void {
    this.#tls = tls;
    tls.once('secureConnect', () => this.begin());
    tls.once('close', () => this.destroy());
  }

  /** The bytes that come from now on are for another webhook. */
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

  /** How many bytes TLS has got that were no content. */
  #overhead(): number {
    return this.#received - this.readableLength - (this.#tls?.bytesRead ?? 0);
  }
}
