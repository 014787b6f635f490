// A person's first approval: a key is made in this browser, or stays on another machine.
import { useRef, useState } from 'react';
import { type ApproverKey, makeApproverKey } from '../../api/approver-key.ts';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { words } from '../../words/words.ts';
import { RegisterKey } from './register-key.tsx';

interface ApproverKeyFormProps {
  readonly personId: string;
  readonly onMade: (key: ApproverKey) => void;
  /** Called with the name of a key that is on another machine. */
  readonly onElsewhere: (name: string) => void;
}

export function ApproverKeyForm({ personId, onMade, onElsewhere }: ApproverKeyFormProps) {
  const { approval: text } = words;
  const [made, setMade] = useState<ApproverKey | null>(null);
  const [failed, setFailed] = useState(false);
  const isElsewhere = useRef(false);
  if (made !== null)
    return (
      <>
        <RegisterKey made={made} />
        <Actions>
          <Button tone="primary" onClick={() => onMade(made)}>
            {text.goOn}
          </Button>
        </Actions>
      </>
    );
  const make = (name: string) => {
    if (isElsewhere.current) return onElsewhere(name);
    void makeApproverKey(personId, name).then(setMade, () => setFailed(true));
  };
  return (
    <Form error={null} onSubmit={(typed) => make(typed('approver'))}>
      <p>{text.keyUnder}</p>
      {failed && <Notice tone="error">{text.noKeys}</Notice>}
      <TextField
        label={text.approver}
        hint={text.approverHint}
        name="approver"
        pattern="[a-z][a-z0-9\-]{0,31}"
        maxLength={32}
        mono
      />
      <Actions>
        <Button type="submit" onClick={() => (isElsewhere.current = true)}>
          {text.elsewhere}
        </Button>
        <Button type="submit" tone="primary" onClick={() => (isElsewhere.current = false)}>
          {text.makeKey}
        </Button>
      </Actions>
    </Form>
  );
}
