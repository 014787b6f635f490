// A card with one form about an app. A person who may not change the app sees it without a button.
import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { Form, type Typed } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import type { AppAnswer } from './app-answer.ts';

export interface AppCardProps {
  readonly app: AppAnswer;
  readonly mayChange: boolean;
}

interface FormCardProps extends AppCardProps {
  readonly title: string;
  /** Above the form. */
  readonly note?: ReactNode;
  /** On the button. */
  readonly save: string;
  readonly onSave: (typed: Typed) => void;
  readonly act: { readonly error: unknown; readonly isPending: boolean };
  readonly children: ReactNode;
}

/** Each version of the app has a form of its own, filled in anew. */
export function AppCard({ app, mayChange, title, note, save, onSave, act, children }: FormCardProps) {
  return (
    <Card title={title}>
      {note}
      <Form key={app.version} error={act.error} onSubmit={onSave}>
        {children}
        {mayChange && (
          <Actions>
            <Button type="submit" tone="primary" busy={act.isPending}>
              {save}
            </Button>
          </Actions>
        )}
      </Form>
    </Card>
  );
}
