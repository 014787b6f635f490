// A webhook in a timeline: every attempt, and the exact bytes that were sent.
import { Webhook } from 'lucide-react';
import { millisecondsText } from '../../format/times.ts';
import { CopyButton } from '../../parts/copyable.tsx';
import { Time } from '../../parts/time.tsx';
import { fill, language, words } from '../../words/words.ts';
import { Bytes, Entry, Rows } from './entry.tsx';
import type { EntryOf } from './money-entries.tsx';

type WebhookStory = EntryOf<'webhook'>;

export function WebhookEntry({ entry }: { readonly entry: WebhookStory }) {
  const { timeline: text, webhookStates, attemptOutcomes: outcomes } = words;
  const tone = entry.state === 'delivered' ? 'paid' : entry.state === 'dead' ? 'error' : 'seen';
  return (
    <Entry
      at={entry.at}
      icon={Webhook}
      tone={tone}
      title={`${text.webhook} ${entry.status}: ${webhookStates[entry.state]}`}
      line={
        <>
          {[...entry.attempts]
            .reverse()
            .map(({ attempt, http_status: status, outcome }) => `${attempt}: ${status ?? outcomes[outcome]}`)
            .join(' · ')}
          {entry.next_attempt_at !== null && (
            <>
              {entry.attempts.length > 0 && ' · '}
              {text.next} <Time at={entry.next_attempt_at} form="relative" />
            </>
          )}
        </>
      }
      moreLabel={text.exactBytes}
      more={
        <>
          <Bytes text={entry.body} />
          <CopyButton text={entry.body} label={text.exactBytes} />
          <Attempts attempts={entry.attempts} />
        </>
      }
    />
  );
}

export function Attempts({ attempts }: { readonly attempts: WebhookStory['attempts'] }) {
  const { timeline: text } = words;
  return (
    <Rows
      rows={attempts.map(({ attempt, started_at_ms: at, duration_ms: ms, http_status: status, outcome }) => [
        String(attempt),
        <>
          {fill(text.attempt, { n: attempt })} · <Time at={Math.floor(at / 1_000)} form="exact" />
        </>,
        [status ?? '', words.attemptOutcomes[outcome], ms === null ? '' : millisecondsText(ms, language)]
          .filter((part) => part !== '')
          .join(' · '),
      ])}
    />
  );
}
