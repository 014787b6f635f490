// Confirms an act and asks for its reason, which is kept.
import { Dialog, SubmitActions } from '../dialog.tsx';
import { Form } from '../form.tsx';
import { ReasonField } from './reason-field.tsx';

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
        <ReasonField error={error} />
        <SubmitActions onClose={onClose} isBusy={isBusy} tone="dangerous">
          {confirm}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}
