// An answer that the server keeps up to date: a stream writes each newer answer into the query that the page shows.
import { useQueryClient } from '@tanstack/react-query';
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { useEffect, useState } from 'react';
import { useAnswer } from './queries.ts';

/** Operations that have a stream. */
type LiveName = 'home.read' | 'orders.list' | 'orders.read' | 'payouts.list' | 'payouts.read';

/** The poll interval of a page while it has no stream. */
const ASK_EVERY_MS = 10_000;

export function useLiveAnswer<Name extends LiveName>(
  name: Name,
  request: RequestOf<Name>,
  { keep = false }: { readonly keep?: boolean } = {},
) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const text = JSON.stringify(request);
  useEffect(() => {
    let stream: EventSource | null = null;
    const close = () => {
      stream?.close();
      stream = null;
      setOpen(false);
    };
    // Browsers allow few connections to one host, so a hidden page closes its stream.
    const look = () => {
      close();
      if (document.hidden) return;
      const opened = new EventSource(`/live/${name}?request=${encodeURIComponent(text)}`);
      stream = opened;
      const queryKey = [name, JSON.parse(text)];
      opened.onopen = () => setOpen(true);
      opened.onerror = () => {
        setOpen(false);
        // The stream was refused, not cut. The page asks at once, so that a person who was signed out elsewhere sees it.
        if (opened.readyState === EventSource.CLOSED) void client.invalidateQueries({ queryKey });
      };
      opened.onmessage = ({ data }) => client.setQueryData(queryKey, JSON.parse(String(data)));
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      close();
    };
  }, [name, text, client]);
  return useAnswer(name, request, { keep, ...(isOpen ? {} : { every: ASK_EVERY_MS }) });
}
