// Approving as the second person: exactly what is signed, and by which key. The signer alone decides whether it is good.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { approvedBytes } from '../../api/approved-bytes.ts';
import { type ApproverKey, readApproverKey } from '../../api/approver-key.ts';
import { useCurrencies } from '../../api/currencies.ts';
import { saveFile } from '../../api/download.ts';
import { useAct, useAnswer } from '../../api/queries.ts';
import { usePerson } from '../../api/session.ts';
import { groupDigits, trimZeros } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { ReasonDialog } from '../../parts/data/reason-dialog.tsx';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Stack } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, language, words } from '../../words/words.ts';
import { ApprovalFacts } from './approval-facts.tsx';
import { ApproverKeyForm } from './approver-key-form.tsx';
import { RegisterKey } from './register-key.tsx';

interface ApproveDialogProps {
  readonly tradeNo: string;
  /** False while an approval holds, because the payout is decided then. */
  readonly canDecline: boolean;
  readonly onClose: () => void;
}

export function ApproveDialog({ tradeNo, canDecline, onClose }: ApproveDialogProps) {
  const { approval: text } = words;
  const { person_id: personId } = usePerson();
  const [elsewhere, setElsewhere] = useState<string | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [isDeclining, setDeclining] = useState(false);
  const client = useQueryClient();
  const queryKey = ['approver key', personId];
  const kept = useQuery({ queryKey, queryFn: () => readApproverKey(personId), staleTime: Infinity });
  const chosen = (name: string | null) => {
    setElsewhere(name);
    setChoosing(false);
  };
  const name = elsewhere ?? kept.data?.name ?? null;
  if (isDeclining) return <DeclineDialog tradeNo={tradeNo} onClose={onClose} />;
  return (
    <Dialog title={text.title} open onClose={onClose} wide>
      {name !== null && !isChoosing ? (
        <>
          <Approval
            tradeNo={tradeNo}
            approver={name}
            approverKey={elsewhere === null ? (kept.data ?? null) : null}
            onClose={onClose}
          />
          {elsewhere === null && kept.data && (
            <details>
              <summary>{text.publicKey}</summary>
              <RegisterKey made={kept.data} />
            </details>
          )}
          {/* The kept key stays until another one is made in its place. */}
          <Button tone="quiet" onClick={() => setChoosing(true)}>
            {text.otherKey}
          </Button>
        </>
      ) : (
        <ApproverKeyForm
          personId={personId}
          onMade={(made) => {
            client.setQueryData(queryKey, made);
            chosen(null);
          }}
          onElsewhere={chosen}
        />
      )}
      {canDecline && (
        <Button tone="danger" onClick={() => setDeclining(true)}>
          {text.decline}
        </Button>
      )}
    </Dialog>
  );
}

function DeclineDialog({ tradeNo, onClose }: Omit<ApproveDialogProps, 'canDecline'>) {
  const { merchantId = '' } = useParams();
  const { approval: text } = words;
  const act = useAct('payouts.decline', () => {
    say(text.declined);
    onClose();
  });
  return (
    <ReasonDialog
      title={text.decline}
      description={text.declineUnder}
      confirm={text.decline}
      open
      isBusy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) => act.mutate({ merchant_id: merchantId, trade_no: tradeNo, reason })}
    />
  );
}

interface ApprovalProps {
  readonly tradeNo: string;
  readonly approver: string;
  /** Null where the key is on another machine. */
  readonly approverKey: ApproverKey | null;
  readonly onClose: () => void;
}

const HOURS = 24;

function Approval({ tradeNo, approver, approverKey, onClose }: ApprovalProps) {
  const { merchantId = '' } = useParams();
  const wanted = { merchant_id: merchantId, trade_no: tradeNo, approver, hours: HOURS };
  const query = useAnswer('payouts.approval', wanted, { once: true });
  return (
    <Answer query={query} skeleton={<Bone width="100%" height={240} />}>
      {(shown) => <Shown shown={shown} approverKey={approverKey} onClose={onClose} />}
    </Answer>
  );
}

interface ShownProps {
  readonly shown: ResponseOf<'payouts.approval'>;
  readonly approverKey: ApproverKey | null;
  readonly onClose: () => void;
}

function Shown({ shown, approverKey, onClose }: ShownProps) {
  const { merchantId = '' } = useParams();
  const { approval: text } = words;
  const currencies = useCurrencies();
  const { payout, signed } = shown;
  const approved = approvedBytes(shown, currencies);
  const act = useAct('payouts.approve', () => {
    say(text.done);
    onClose();
  });
  const approve = (signature: string) =>
    act.mutate({
      merchant_id: merchantId,
      trade_no: payout.trade_no,
      approver: signed.approver,
      until: signed.expiry,
      fee_cap: signed.fee_cap,
      bytes_hash: shown.bytes_hash,
      signature,
    });
  const amount = `${groupDigits(trimZeros(payout.receipt, 2), language)} ${currencies.symbol(payout.currency_id)}`;
  if (approved.outcome === 'other-network') {
    const { signed: named, configured } = approved;
    const chain = currencies.find(payout.currency_id)?.chain ?? '';
    return <Notice tone="error">{fill(text.otherNetwork, { named, chain, configured })}</Notice>;
  }
  if (approved.outcome === 'disagrees') return <Notice tone="error">{text.disagrees}</Notice>;
  const { bytes } = approved;
  return (
    <Stack>
      <ApprovalFacts shown={shown} currencies={currencies} />
      <Form
        error={act.error}
        onSubmit={(typed) => {
          if (approverKey === null) approve(typed('signature').toLowerCase());
          else void approverKey.sign(bytes).then(approve, () => say(text.keyFailed));
        }}
      >
        {approverKey === null && <SignatureField bytes={bytes} error={act.error} />}
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {fill(text.approve, { amount })}
        </SubmitActions>
      </Form>
    </Stack>
  );
}

interface SignatureFieldProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly error: unknown;
}

function SignatureField({ bytes, error }: SignatureFieldProps) {
  const { approval: text } = words;
  return (
    <>
      <p>{text.signElsewhere}</p>
      <pre tabIndex={0}>{text.command}</pre>
      <div>
        <Button onClick={() => saveFile('approval.bin', new Blob([bytes]))}>{text.saveBytes}</Button>
      </div>
      <TextField
        label={text.signature}
        name="signature"
        pattern="[0-9a-fA-F]{128}"
        maxLength={128}
        mono
        error={fieldError(error, 'signature')}
      />
    </>
  );
}
