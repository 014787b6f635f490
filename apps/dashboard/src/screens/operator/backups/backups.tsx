// For operators: whether the books could be brought back, and from when.
import { useAnswer } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { Answer, Bone } from '../../../parts/data/answer.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Card, Columns, Page, Stack } from '../../../parts/page.tsx';
import { words } from '../../../words/words.ts';
import { ArchiveCard, MarkCard } from './backup-cards.tsx';
import { Marks, Receivers } from './backup-lists.tsx';

export function Backups() {
  const { backups: text } = words;
  const query = useAnswer('backups.read', {}, { every: 15_000 });
  return (
    <Page title={text.title} under={text.under}>
      <Answer query={query} skeleton={<Bone width="100%" height={320} />}>
        {(answer) => (
          <Stack>
            <Columns>
              <MarkCard
                title={text.backup}
                marked={answer.backup}
                never={text.neverBackup}
                command="ducat backup done --kind base"
              />
              <MarkCard
                title={text.restore}
                marked={answer.restore}
                never={text.neverRestore}
                command="ducat backup tested"
              />
              <ArchiveCard archive={answer.archive} />
            </Columns>
            <Receivers receivers={answer.receivers} role={answer.database_role} />
            <Marks marks={answer.marks} />
            <Seed isReady={answer.keys_ready} />
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

/** Whether the signer has its seed. The card says that the gateway cannot know where the words are kept. */
function Seed({ isReady }: { readonly isReady: boolean }) {
  const { backups: text, setup } = words;
  const { data: session } = useSession();
  return (
    <Card title={text.seed}>
      <Notice tone={isReady ? 'paid' : 'part'}>{isReady ? setup.keysReady : text.keysAway}</Notice>
      <p>{text.seedUnder}</p>
      {session !== undefined && (
        <a href={`${session.docs_url}/operate/backup`} target="_blank" rel="noreferrer">
          {text.guide}
        </a>
      )}
    </Card>
  );
}
