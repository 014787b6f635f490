// Resumes a stopped sender, with the reason for which it was stopped.
import { useState } from 'react';
import { useAct } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { say } from '../../../parts/toasts.tsx';
import { fill, words } from '../../../words/words.ts';
import { ResumeDialog } from '../resume-dialog.tsx';

interface ResumeSenderProps {
  readonly senderId: number;
  readonly reason: string;
}

export function ResumeSender({ senderId, reason }: ResumeSenderProps) {
  const { wallets: text } = words;
  const [open, setOpen] = useState(false);
  const act = useAct('senders.resume', () => {
    say(text.resumed);
    setOpen(false);
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text.resume}</Button>
      {open && (
        <ResumeDialog
          title={text.resumeTitle}
          description={fill(text.resumeUnder, { reason })}
          confirm={text.resume}
          act={act}
          onConfirm={() => act.mutate({ sender_id: senderId, stopped_reason: reason })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
