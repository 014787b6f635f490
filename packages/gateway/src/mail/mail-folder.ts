// The way of mails in the demo: each becomes a text file that is opened and read. Nothing is sent anywhere.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Outage } from '../runtime/outage.ts';
import type { MailWay } from './port.ts';

/** Names of mails begin with their time, so files stand in the order in which mails were written. */
export function createMailFolder(folder: string): MailWay {
  return {
    send: async ({ mailId, recipient, subject, text }) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(join(folder, `${mailId}.txt`), `To: ${recipient}\nSubject: ${subject}\n\n${text}`, {
          mode: 0o600,
        });
        return 'sent';
      } catch (error) {
        throw new Outage(`the folder of mails ${folder} cannot be written`, { cause: error });
      }
    },
  };
}
