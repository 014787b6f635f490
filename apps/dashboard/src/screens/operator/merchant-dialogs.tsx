// What an operator does with a merchant: creates it, sets what it pays and is allowed, suspends or resumes it.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { newRequestId, useAct } from '../../api/queries.ts';
import { percentDigits, ppmOf } from '../../format/percents.ts';
import { ReasonDialog } from '../../parts/data/reason-dialog.tsx';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form, type Typed } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, words } from '../../words/words.ts';
import { UsdField } from '../usd-field.tsx';
import { InvitationDialog } from '../team/invitation-dialog.tsx';

type Merchant = ResponseOf<'merchants.list'>['merchants'][number];

interface CloseProps {
  readonly onClose: () => void;
}

interface MerchantDialogProps extends CloseProps {
  readonly merchant: Merchant;
}

export function CreateMerchantDialog({ onClose }: CloseProps) {
  const { merchants: text } = words;
  const [requestId] = useState(newRequestId);
  const act = useAct('merchants.create', ({ merchant: { name }, invitation }) => {
    // With an invitation, the dialog with its link is shown instead, and says as much.
    if (invitation !== null) return;
    say(fill(text.created, { name }));
    onClose();
  });
  const invitation = act.data?.invitation ?? null;
  if (invitation !== null)
    return (
      <InvitationDialog
        {...{ invitation, onClose }}
        email={act.variables?.owner_email ?? ''}
        role={words.team.roles.owner}
        open
      />
    );
  return (
    <Dialog title={text.create} open onClose={onClose}>
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            request_id: requestId,
            name: typed('name'),
            ...feesOf(typed),
            ...(typed('owner') === '' ? {} : { owner_email: typed('owner') }),
          })
        }
      >
        <TextField label={text.name} name="name" maxLength={64} error={fieldError(act.error, 'name')} />
        <TextField
          label={text.owner}
          hint={text.ownerHint}
          name="owner"
          type="email"
          optional
          error={fieldError(act.error, 'owner_email')}
        />
        <FeeFields error={act.error} />
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {text.createNow}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

export function FeesDialog({ merchant, onClose }: MerchantDialogProps) {
  const { merchants: text } = words;
  const { merchant_id: id, version, name } = merchant;
  const act = useAct('merchants.change-fees', () => {
    say(text.feesChanged);
    onClose();
  });
  return (
    <Dialog title={fill(text.feesTitle, { name })} description={text.feesUnder} open onClose={onClose}>
      <Form
        error={act.error}
        onSubmit={(typed) => act.mutate({ subject_merchant_id: id, version, ...feesOf(typed) })}
      >
        <FeeFields error={act.error} merchant={merchant} />
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {text.feesNow}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

export function LimitsDialog({ merchant, onClose }: MerchantDialogProps) {
  const { merchants: text } = words;
  const { merchant_id: id, version, name, limits } = merchant;
  const act = useAct('merchants.change-limits', () => {
    say(text.limitsChanged);
    onClose();
  });
  const save = (typed: Typed) => {
    const [max, day, open] = [typed('max'), typed('max-day'), typed('open')];
    act.mutate({
      subject_merchant_id: id,
      version,
      limits: {
        payout_max_usd: max === '' ? null : max,
        payout_max_day_usd: day === '' ? null : day,
        max_open_orders: open === '' ? null : Number(open),
      },
    });
  };
  return (
    <Dialog title={fill(text.limitsTitle, { name })} description={text.limitsUnder} open onClose={onClose}>
      <Form error={act.error} onSubmit={save}>
        <UsdField label={text.maxPayout} name="max" value={limits.payout_max_usd} mayChange />
        <UsdField label={text.maxDay} name="max-day" value={limits.payout_max_day_usd} mayChange />
        <TextField
          label={text.maxOpen}
          hint={words.settings.usdHint}
          name="open"
          inputMode="numeric"
          pattern="[0-9]{1,6}"
          optional
          defaultValue={limits.max_open_orders ?? ''}
          error={fieldError(act.error, 'limits')}
        />
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {text.limitsNow}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

function FeeFields({ error, merchant }: { readonly error: unknown; readonly merchant?: Merchant }) {
  const { merchants: text } = words;
  const fees = [
    ['deposit_fee_ppm', text.depositFee, merchant?.deposit_fee_ppm ?? 0],
    ['payout_fee_ppm', text.payoutFee, merchant?.payout_fee_ppm ?? 0],
  ] as const;
  return fees.map(([name, label, now]) => (
    <TextField
      key={name}
      label={label}
      hint={text.feeHint}
      name={name}
      inputMode="decimal"
      pattern="[0-9]{1,2}([.,][0-9]{1,4})?"
      defaultValue={percentDigits(now)}
      error={fieldError(error, name)}
    />
  ));
}

/** The pattern of the fields lets only percentages through. The server checks again. */
function feesOf(typed: Typed) {
  return {
    deposit_fee_ppm: ppmOf(typed('deposit_fee_ppm')) ?? -1,
    payout_fee_ppm: ppmOf(typed('payout_fee_ppm')) ?? -1,
  };
}

export function SwitchDialog({ merchant, onClose }: MerchantDialogProps) {
  const { merchants: text } = words;
  const { merchant_id: id, version, name, is_suspended: isSuspended } = merchant;
  const act = useAct('merchants.switch', () => {
    say(text.done);
    onClose();
  });
  return (
    <ReasonDialog
      title={fill(isSuspended ? text.resumeTitle : text.suspendTitle, { name })}
      description={isSuspended ? text.resumeUnder : text.suspendUnder}
      confirm={fill(isSuspended ? text.resumeNow : text.suspendNow, { name })}
      open
      isBusy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) =>
        act.mutate({ subject_merchant_id: id, version, is_suspended: !isSuspended, reason })
      }
    />
  );
}

/** Deletes a sign-up that never began. The server checks again that the merchant has nothing that has to be kept. */
export function DeleteDialog({ merchant: { merchant_id: id, name }, onClose }: MerchantDialogProps) {
  const { merchants: text } = words;
  const act = useAct('merchants.delete', () => {
    say(fill(text.deleted, { name }));
    onClose();
  });
  return (
    <ReasonDialog
      title={fill(text.deleteTitle, { name })}
      description={text.deleteUnder}
      confirm={fill(text.deleteNow, { name })}
      open
      isBusy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) => act.mutate({ subject_merchant_id: id, reason })}
    />
  );
}
