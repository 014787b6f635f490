// A dialog: in the middle of a wide window, from below on a phone. It takes the focus to its first field and returns it.
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';

/** The fields that a person fills in. */
const FIELDS = 'input:enabled:not([readonly]), select:enabled, textarea:enabled:not([readonly])';

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

export function Dialog({ title, description, open, onClose, children, wide }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup
          className={classNames(styles['popup'], wide && styles['wide'])}
          // With touch, the on-screen keyboard would cover the dialog, so no field gets the focus.
          initialFocus={(by) => by === 'touch' || (body.current?.querySelector<HTMLElement>(FIELDS) ?? true)}
        >
          <div className={styles['head']}>
            <Base.Title className={styles['title']}>{title}</Base.Title>
            <Base.Close
              render={
                <Button tone="quiet" square aria-label={words.close} icon={<X size={16} aria-hidden />} />
              }
            />
          </div>
          {description !== undefined && (
            <Base.Description className={styles['description']}>{description}</Base.Description>
          )}
          <div ref={body} className={styles['body']}>
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons below what a dialog or a form asks. */
export function Actions({ children }: { readonly children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>;
}

interface SubmitActionsProps extends Pick<ComponentProps<typeof Button>, 'tone' | 'disabled'> {
  readonly onClose: () => void;
  readonly isBusy: boolean;
  /** The text of the submit button: the effect. */
  readonly children: ReactNode;
}

/**
 * The buttons at the end of a form in a dialog. The button that leaves says "Back", because "cancel" is said of payouts
 * here.
 */
export function SubmitActions({ onClose, isBusy, children, ...submit }: SubmitActionsProps) {
  return (
    <Actions>
      <Button onClick={onClose}>{words.back}</Button>
      <Button type="submit" tone="primary" busy={isBusy} {...submit}>
        {children}
      </Button>
    </Actions>
  );
}
