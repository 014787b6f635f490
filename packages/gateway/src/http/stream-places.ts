// Which streams stay open: so many of one subject, and so many of one network address. The oldest goes for a new one.
import type { ServerResponse } from 'node:http';
import { addressKey } from './address-key.ts';
import { createConnectionPlaces } from './connection-places.ts';

export interface StreamLimits {
  /** Streams of one network address. */
  readonly maxStreamsPerAddress: number;
  /** Streams that show the same. */
  readonly maxStreamsPerSubject: number;
}

export interface StreamPlaces {
  take(stream: ServerResponse, of: { readonly subject: string; readonly ip: string }): void;
}

/** A page whose stream was cut looks by itself, and asks for a stream again after so long. */
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

/** A reader that is behind would not read this either. */
function cut(stream: ServerResponse): void {
  if (stream.writableLength > 0) stream.destroy();
  else stream.end(CUT);
}
