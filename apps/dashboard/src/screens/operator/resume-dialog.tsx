// Confirms that something is resumed, with the reason for which it was stopped.
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';

interface ResumeDialogProps {
  readonly title: string;
  readonly description: string;
  readonly confirm: string;
  readonly act: { readonly error: Error | null; readonly isPending: boolean };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ResumeDialog({ title, description, confirm, act, onConfirm, onClose }: ResumeDialogProps) {
  return (
    <Dialog title={title} description={description} open onClose={onClose}>
      <Form error={act.error} onSubmit={onConfirm}>
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {confirm}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}
