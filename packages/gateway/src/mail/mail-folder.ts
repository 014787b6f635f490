// How the demo sends mails: each mail is written to a text file for people to read. Nothing is sent anywhere.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Outage } from '../runtime/outage.ts';
import type { CaughtMail, CaughtMails, MailWay } from './port.ts';

/** Mail ids are time-ordered, so sorting the file names gives the order in which the mails were written. */
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

/** Reads the mails that `createMailFolder` has written. */
export function openMailFolder(folder: string): CaughtMails {
  return {
    list: async (limit) => {
      try {
        const names = await readdir(folder).catch(noneYet);
        const newest = names.filter((name) => MAIL_FILE.test(name)).toSorted();
        return await Promise.all(
          newest
            .reverse()
            .slice(0, limit)
            .map((name) => readMail(folder, name)),
        );
      } catch (error) {
        throw new Outage(`the folder of mails ${folder} cannot be read`, { cause: error });
      }
    },
  };
}

const MAIL_FILE = /^mai_[0-9a-z]+\.txt$/;

/** The folder does not exist before the first mail. */
function noneYet(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

async function readMail(folder: string, name: string): Promise<CaughtMail> {
  const path = join(folder, name);
  const [file, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
  const [, recipient = '', subject = '', text = ''] = /^To: (.*)\nSubject: (.*)\n\n([^]*)$/.exec(file) ?? [];
  return { mailId: name.slice(0, -'.txt'.length), atMs: Math.round(mtimeMs), recipient, subject, text };
}
