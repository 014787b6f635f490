// Limits how many streams of one subject, and of one network address, stay open. The oldest is cut for a new one.
import type { ServerResponse } from 'node:http';
import { addressKey } from './address-key.ts';
import { createConnectionPlaces } from './connection-places.ts';

export interface StreamLimits {
  /** Streams of one network address. */
  readonly maxStreamsPerAddress: number;
  /** Streams that show the same subject. */
  readonly maxStreamsPerSubject: number;
}

export interface StreamPlaces {
  take(stream: ServerResponse, of: { readonly subject: string; readonly ip: string }): void;
}

/** A page whose stream was cut polls by itself, and asks for a stream again after this time. */
const CUT = 'retry: 60000\n\n';

export function createStreamPlaces(limits: StreamLimits): StreamPlaces {
  const maxConnections = Number.POSITIVE_INFINITY;
  const placesOf = (maxConnectionsPerAddress: number) =>
    createConnectionPlaces<ServerResponse>({ maxConnections, maxConnectionsPerAddress });
  const perAddress = placesOf(limits.maxStreamsPerAddress);
  const perSubject = placesOf(limits.maxStreamsPerSubject);
  return {
    take(stream, { subject, ip }) {
      for (const goes of [perAddress.take(stream, addressKey(ip)), perSubject.take(stream, subject)])
        if (goes !== null) cut(goes);
      stream.once('close', () => {
        perAddress.leave(stream);
        perSubject.leave(stream);
      });
    },
  };
}

/** A client with unread data would not read this text either, so its stream is destroyed. */
function cut(stream: ServerResponse): void {
  if (stream.writableLength > 0) stream.destroy();
  else stream.end(CUT);
}
