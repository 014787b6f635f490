// The network side of a connection over TLS: what comes is counted there, before TLS computes anything for it.
import { Socket } from 'node:net';

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
export class BeneathTls extends Socket {
  #tls: Socket | null = null;
  #received = 0;
  #overheadBefore = 0;
  #allowed = MAX_HANDSHAKE_BYTES;

  /** Names the TLS that reads from here. Called before it is connected. */
  carry(tls: Socket): void {
    this.#tls = tls;
    beneath.set(tls, this);
    tls.once('secureConnect', () => this.begin());
    tls.once('close', () => this.destroy());
    // An end in peace waits for the network, and a change of keys that asks for an answer meanwhile ends the process.
    tls.destroySoon = () => void tls.destroy();
  }

  /** What comes from now on is for another webhook. */
  begin(): void {
    this.#overheadBefore = this.#overhead();
    this.#allowed = MAX_OVERHEAD_BYTES;
  }

  /** All that the system has read comes through here. */
  override push(read: unknown, encoding?: BufferEncoding): boolean {
    if (!Buffer.isBuffer(read)) return super.push(read, encoding);
    let more = true;
    for (let at = 0; at < read.length; at += PIECE_BYTES) {
      const piece = read.subarray(at, at + PIECE_BYTES);
      this.#received += piece.length;
      more = super.push(piece);
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

const beneath = new WeakMap<Socket, BeneathTls>();

/** The TCP connection under one over TLS: only that one knows the other end's address. */
export function beneathTls(socket: Socket): BeneathTls | undefined {
  return beneath.get(socket);
}
