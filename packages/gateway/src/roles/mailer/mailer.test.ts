// Mails leave the outbox once where all goes well, again where it is not known, and without their text afterwards.
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { createTestWorld } from '@ducat/testkit/api/test-world';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { queueMail } from '../../flows/access/queue-mail.ts';
import { createMailSealing } from '../../keys/mail-sealing.ts';
import type { OutgoingMail } from '../../mail/port.ts';
import { Outage } from '../../runtime/outage.ts';
import { clearOldMails, sendDueMails } from './mailer.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
});
afterAll(() => database.drop());
beforeEach(() => database.transact((tx) => tx.write('DELETE FROM mails', [])));

const signal = new AbortController().signal;
const noLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function open() {
  const world = createTestWorld(1_763_626_800_000);
  const sealing = createMailSealing({ masterSecret: Buffer.alloc(32, 1), world });
  const sent: OutgoingMail[] = [];
  let answers: (() => 'sent' | 'refused')[] = [];
  const way = {
    send: async (mail: OutgoingMail) => {
      sent.push(mail);
      return (answers.shift() ?? (() => 'sent' as const))();
    },
  };
  let count = 0;
  const queue = (recipient = 'ada@example.test', fail = false) =>
    database.transact(async (tx) => {
      const mailId = `mai_${++count}`;
      const notice = { kind: 'password-changed', at: 'now', address: '192.0.2.1', userAgent: '' } as const;
      const nowMs = world.nowMs();
      const mail = { mailId, recipient, notice, merchantId: null, nowMs };
      const isQueued = await queueMail(tx, { ...mail, seal: (text) => sealing.seal(mailId, text) });
      if (fail) throw new Error('what it was about failed');
      return isQueued;
    });
  const parts = { ...database, world, way, sealing, log: noLog };
  const send = () => sendDueMails(parts, signal);
  const clear = () => clearOldMails(parts);
  return { world, sent, queue, send, clear, answerWith: (next: typeof answers) => (answers = next) };
}

const rows = () =>
  database.reader.read(
    'SELECT mail_id, outcome, attempts, sealed IS NULL AS is_gone FROM mails ORDER BY 1',
    [],
  );
const away = () => {
  throw new Outage('the mail server is away');
};

it('sends what was committed, once, and forgets its text', async () => {
  const { queue, send, sent } = open();
  await expect(queue('eve@example.test', true)).rejects.toThrow('failed');
  await queue();
  const [waiting] = await database.reader.read<{ sealed: Buffer }>('SELECT sealed FROM mails', []);
  expect(waiting?.sealed.includes('password')).toBe(false);
  expect([await send(), await send()]).toEqual([1, 0]);
  expect(sent).toMatchObject([
    { mailId: 'mai_2', recipient: 'ada@example.test', subject: 'Your password was changed' },
  ]);
  expect(await rows()).toEqual([{ mail_id: 'mai_2', outcome: 'sent', attempts: 1, is_gone: true }]);
});

it('tries again after a while, under the same name, and gives up after three days', async () => {
  const { world, queue, send, clear, sent, answerWith } = open();
  await queue();
  answerWith([away, away]);
  expect([await send(), await send()]).toEqual([1, 0]);
  world.advance(15_000);
  await send();
  world.advance(60_000);
  await send();
  expect(sent.map(({ mailId }) => mailId)).toEqual(['mai_1', 'mai_1', 'mai_1']);
  await queue();
  answerWith([away]);
  await send();
  world.advance(3 * 24 * 3_600_000);
  await send();
  expect(sent).toHaveLength(4);
  expect(await rows()).toMatchObject([
    { mail_id: 'mai_1', outcome: 'sent', is_gone: true },
    { mail_id: 'mai_2', outcome: 'expired', is_gone: true },
  ]);
  await clear();
  expect(await rows()).toEqual([]);
});

it('sends again what a process took and did not end, and leaves a refused one alone', async () => {
  const { world, queue, send, sent, answerWith } = open();
  await queue();
  answerWith([
    () => {
      throw new Error('a bug');
    },
    () => 'refused',
  ]);
  await expect(send()).rejects.toThrow('a bug');
  expect(await send()).toBe(0);
  world.advance(10 * 60_000);
  expect([await send(), await send()]).toEqual([1, 0]);
  expect(sent).toHaveLength(2);
  expect(await rows()).toMatchObject([{ outcome: 'refused', attempts: 2, is_gone: true }]);
});

it('sends five mails of a kind to one address within an hour; the fifth says that no more follow', async () => {
  const { world, queue, send, sent } = open();
  const queued: boolean[] = [];
  for (let each = 0; each < 7; each++) queued.push(await queue());
  expect(queued).toEqual([true, true, true, true, true, false, false]);
  expect(await queue('bob@example.test')).toBe(true);
  while ((await send()) > 0);
  expect(sent.filter(({ text }) => text.includes('No further mail')).map(({ mailId }) => mailId)).toEqual([
    'mai_5',
  ]);
  world.advance(3_600_001);
  expect(await queue()).toBe(true);
});
