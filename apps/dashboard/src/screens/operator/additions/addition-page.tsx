// The page that adds something: a form is filled in, the chain is asked, and what it reported is shown below.
import type { OperationName, RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Actions } from '../../../parts/dialog.tsx';
import { Form, type Typed } from '../../../parts/form.tsx';
import { BackLink, Card, Page, Stack } from '../../../parts/page.tsx';
import { words } from '../../../words/words.ts';

interface AdditionPageProps<Check extends OperationName> {
  readonly title: string;
  readonly under: string;
  /** The operation that checks the wish before anything is kept. */
  readonly check: Check;
  readonly wishOf: (typed: Typed) => RequestOf<Check>;
  /** The fields, given the error of the last check. */
  readonly fields: (error: unknown) => ReactNode;
  /** Shown once a wish was checked. */
  readonly checked: (wish: RequestOf<Check>, answer: ResponseOf<Check>) => ReactNode;
}

export function AdditionPage<Check extends OperationName>(props: AdditionPageProps<Check>) {
  const [wish, setWish] = useState<RequestOf<Check> | null>(null);
  const check = useAct(props.check);
  return (
    <Page
      title={props.title}
      under={props.under}
      narrow
      back={<BackLink to="/operator/chains">{words.chains.title}</BackLink>}
    >
      <Stack>
        <Card>
          <Form
            error={check.error}
            onSubmit={(typed) => {
              const next = props.wishOf(typed);
              setWish(null);
              check.mutate(next, { onSuccess: () => setWish(next) });
            }}
          >
            {props.fields(check.error)}
            <Actions>
              <Button type="submit" tone={wish === null ? 'primary' : 'plain'} busy={check.isPending}>
                {words.additions.check}
              </Button>
            </Actions>
          </Form>
        </Card>
        {wish !== null && check.data !== undefined && props.checked(wish, check.data)}
      </Stack>
    </Page>
  );
}
