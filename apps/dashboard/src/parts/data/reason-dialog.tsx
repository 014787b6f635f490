// Confirms an act that is kept with its reason.
import { words } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Actions, Dialog } from '../dialog.tsx';
import { TextField } from '../field.tsx';
import { fieldError, Form } from '../form.tsx';

interface ReasonDialogProps {
  readonly title: string;
  readonly description: string;
  /** What the button says: the effect. */
  readonly confirm: string;
  readonly open: boolean;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

export function ReasonDialog(props: ReasonDialogProps) {
  const { title, description, confirm, open, isBusy, error, onClose, onConfirm } = props;
  return (
    <Dialog title={title} description={description} open={open} onClose={onClose}>
      <Form error={error} onSubmit={(typed) => onConfirm(typed('reason'))}>
        <TextField
          label={words.reason}
          hint={words.reasonHint}
          name="reason"
          maxLength={64}
          error={fieldError(error, 'reason')}
        />
        <Actions>
          <Button onClick={onClose}>{words.back}</Button>
          <Button type="submit" tone="dangerous" busy={isBusy}>
            {confirm}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
