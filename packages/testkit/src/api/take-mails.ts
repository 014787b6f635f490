// Takes the mails that a gateway has queued, unsealed, as their recipients would read them.
import { createMailSealing } from '@ducat/gateway/keys/mail-sealing';
import { masterSecret, type TestApi } from './test-api.ts';

export interface TakenMail {
  readonly recipient: string;
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
}

/** Mails that were queued since the last call, ordered by recipient and kind. All of them are marked as sent. */
export async function takeMails({ database, world }: TestApi): Promise<readonly TakenMail[]> {
  const sealing = createMailSealing({ masterSecret, world });
  const rows = await database.transact((tx) =>
    tx.write<{ mail_id: string; recipient: string; kind: string; sealed: Buffer }>(
      `UPDATE mails SET sealed = NULL, due_at_ms = NULL, outcome = 'sent' FROM (SELECT mail_id, sealed FROM mails) before
       WHERE mails.mail_id = before.mail_id AND outcome IS NULL RETURNING mails.mail_id, recipient, kind, before.sealed`,
      [],
    ),
  );
  return rows
    .map(({ mail_id, recipient, kind, sealed }) => ({ recipient, kind, ...sealing.unseal(mail_id, sealed) }))
    .toSorted((one, other) => (`${one.recipient} ${one.kind}` < `${other.recipient} ${other.kind}` ? -1 : 1));
}
