// The last backup, the last restore that was tried, and the archive of the WAL, each with how old it is.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { sizeText } from '../../../format/sizes.ts';
import { durationText } from '../../../format/times.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Command } from '../../../parts/copyable.tsx';
import { Card, Fact, Facts } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { language, words } from '../../../words/words.ts';

type Answer = ResponseOf<'backups.read'>;
type Archive = Answer['archive'];

const looks = {
  fresh: { tone: 'paid', icon: 'done' },
  old: { tone: 'part', icon: 'late' },
  never: { tone: 'part', icon: 'warning' },
  failing: { tone: 'error', icon: 'failed' },
  off: { tone: 'calm', icon: 'off' },
} as const satisfies Record<Archive['state'], object>;

function State({ state }: { readonly state: Archive['state'] }) {
  return <Badge {...looks[state]}>{words.backups.states[state]}</Badge>;
}

interface MarkCardProps {
  readonly title: string;
  readonly marked: Answer['backup'];
  readonly never: string;
  /** The command that makes the first mark. */
  readonly command: string;
}

export function MarkCard({
  title,
  marked: { state, last, max_age_seconds: most },
  never,
  command,
}: MarkCardProps) {
  const { backups: text } = words;
  return (
    <Card title={title} action={<State state={state} />}>
      {last === null ? (
        <>
          <p>{never}</p>
          <Command text={command} label={text.command} />
        </>
      ) : (
        <Facts>
          <Fact name={text.when}>
            <Time at={last.at} form="relative" />
          </Fact>
          {last.kind !== 'restore' && <Fact name={text.kind}>{text.kinds[last.kind]}</Fact>}
          {last.bytes !== null && <Fact name={text.size}>{sizeText(last.bytes, language)}</Fact>}
          <Fact name={text.by}>
            <bdi>{last.marked_by}</bdi>
          </Fact>
          {last.note !== '' && (
            <Fact name={text.note}>
              <bdi>{last.note}</bdi>
            </Fact>
          )}
          <Fact name={text.freshUpTo}>{durationText(most, language)}</Fact>
        </Facts>
      )}
    </Card>
  );
}

export function ArchiveCard({ archive }: { readonly archive: Archive }) {
  const { backups: text } = words;
  const { state, archived_at: archivedAt, failed_at: failedAt, counted_since: since } = archive;
  return (
    <Card title={text.archive} action={<State state={state} />}>
      {state === 'off' ? (
        <p>{text.archiveOff}</p>
      ) : (
        <Facts>
          <Fact name={text.archived}>
            {archivedAt === null ? text.states.never : <Time at={archivedAt} form="relative" />}
          </Fact>
          {archive.archived_file !== '' && (
            <Fact name={text.file}>
              <code>{archive.archived_file}</code>
            </Fact>
          )}
          <Fact name={text.failures}>{archive.failures}</Fact>
          {failedAt !== null && (
            <Fact name={text.lastFailure}>
              <Time at={failedAt} form="relative" /> <code>{archive.failed_file}</code>
            </Fact>
          )}
          {since !== null && (
            <Fact name={text.countedSince}>
              <Time at={since} />
            </Fact>
          )}
          <Fact name={text.freshUpTo}>{durationText(archive.max_age_seconds, language)}</Fact>
        </Facts>
      )}
    </Card>
  );
}
