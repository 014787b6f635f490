// Seals mails that wait in the database. A mail may hold a link that opens an account, and a copied table must not.
import type { World } from '../runtime/world.ts';
import { openSealing } from './sealing.ts';

export interface MailSealing {
  seal(mailId: string, mail: { readonly subject: string; readonly text: string }): Buffer;
  /** Throws an Error where the bytes were not sealed for this mail and this master secret. */
  unseal(mailId: string, sealed: Buffer): { readonly subject: string; readonly text: string };
}

const PURPOSE = 'ducat mail sealing v1';

export function createMailSealing({
  masterSecret,
  world,
}: {
  readonly masterSecret: Uint8Array;
  readonly world: Pick<World, 'random'>;
}): MailSealing {
  const sealing = openSealing(masterSecret, PURPOSE);
  return {
    seal: (mailId, { subject, text }) => sealing.seal(mailId, `${subject}\n${text}`, world),
    unseal: (mailId, sealed) => {
      const [subject = '', ...lines] = sealing.unseal(mailId, sealed).split('\n');
      return { subject, text: lines.join('\n') };
    },
  };
}
