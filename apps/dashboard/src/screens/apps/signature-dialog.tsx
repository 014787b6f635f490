// The debugger of signatures: the server signs a request with the app's key, and reports why the signatures differ.
import { signedDifference } from '../../format/signed-difference.ts';
import { useParams } from 'react-router';
import { useState } from 'react';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { TextAreaField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Fact, Facts, Stack } from '../../parts/page.tsx';
import { fill, words } from '../../words/words.ts';

interface SignatureDialogProps {
  readonly appId: string;
  /** A request that the API received, with which the form begins. */
  readonly sent?: { readonly timestamp: string; readonly signature: string; readonly body: string };
  readonly onClose: () => void;
}

interface Tried {
  readonly body: string;
  readonly timestamp: string;
  /** What the shop's code hashed, up to the key; compared in this page and sent nowhere. */
  readonly hashed: string;
}

export function SignatureDialog({ appId, sent, onClose }: SignatureDialogProps) {
  const { merchantId = '' } = useParams();
  const { signatures: text } = words;
  const [tried, setTried] = useState<Tried | null>(null);
  const act = useAct('apps.check-signature');
  return (
    <Dialog title={text.title} description={text.under} open onClose={onClose} wide>
      <Form
        error={act.error}
        onSubmit={(typed, exact) => {
          const [timestamp, pasted] = [typed('timestamp'), exact('body')];
          // A text field turns each line end into one character. So a body that was not changed is sent as the API received
          // it.
          const body = pasted === sent?.body.replaceAll('\r\n', '\n') ? sent.body : pasted;
          setTried({ body, timestamp, hashed: exact('hashed') });
          act.mutate({
            merchant_id: merchantId,
            app_id: appId,
            timestamp,
            signature: typed('signature'),
            body,
          });
        }}
      >
        <TextField
          label="X-Timestamp"
          name="timestamp"
          mono
          defaultValue={sent?.timestamp}
          error={fieldError(act.error, 'timestamp')}
        />
        <TextField
          label="X-Sign"
          name="signature"
          mono
          defaultValue={sent?.signature}
          error={fieldError(act.error, 'signature')}
        />
        <TextAreaField
          label={text.body}
          hint={text.bodyHint}
          name="body"
          rows={5}
          defaultValue={sent?.body}
          optional
        />
        <TextAreaField label={text.hashed} hint={text.hashedHint} name="hashed" rows={3} optional />
        <Actions>
          <Button type="submit" tone="primary" busy={act.isPending}>
            {text.check}
          </Button>
        </Actions>
      </Form>
      {act.data !== undefined && tried !== null && <Findings found={act.data} tried={tried} />}
    </Dialog>
  );
}

interface FindingsProps {
  readonly found: ResponseOf<'apps.check-signature'>;
  readonly tried: Tried;
}

function Findings({ found, tried }: FindingsProps) {
  const { signatures: text } = words;
  const { fits_key: key, mistakes } = found;
  const difference =
    tried.hashed === '' ? null : signedDifference(tried.hashed, tried.body + tried.timestamp);
  return (
    <Stack>
      {key !== null && (
        <Notice tone={key === 'current' ? 'paid' : 'part'} live>
          {text.fits[key]}
        </Notice>
      )}
      {key === null && mistakes.length === 0 && (
        <Notice tone="error" live>
          {text.noneFound}
        </Notice>
      )}
      {mistakes.map((mistake) => (
        <Notice key={mistake} tone="part" live>
          {text.mistakes[mistake]}
        </Notice>
      ))}
      {difference !== null && (
        <Notice tone="part">
          {fill(text.differsAt, {
            place: difference.place,
            yours: difference.left,
            ours: difference.right,
          })}
        </Notice>
      )}
      <Facts>
        <Fact name={text.bytesHashed} stacked>
          <pre dir="ltr" tabIndex={0}>
            {tried.body}
            <mark>{tried.timestamp}</mark>
            <mark>{fill(text.keyHere, { length: found.key_length })}</mark>
          </pre>
        </Fact>
        <Fact name={text.bodyLength}>{found.body_bytes}</Fact>
        <Fact name={text.bodyHash} stacked>
          <Copyable text={found.body_hash} label={text.bodyHash} form="groups" />
        </Fact>
      </Facts>
    </Stack>
  );
}
