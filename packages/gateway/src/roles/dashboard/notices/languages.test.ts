// Which language a mail is written in: that of its reader, of a stranger that of the inviter.
import { dashboardLanguages } from '@ducat/contract/dashboard/session';
import { mailLanguages, mailWords } from '@ducat/core/access/mail/languages';
import { masterSecret, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { startTestDashboard, type TestDashboard } from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createMailSealing } from '../../../keys/mail-sealing.ts';

let api: TestApi;
let dashboard: TestDashboard;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(api);
});
afterAll(async () => {
  await dashboard?.close();
  await api?.close();
});

async function newestMailTo(recipient: string) {
  const [row] = await api.database.reader.read<{ mail_id: string; sealed: Buffer }>(
    'SELECT mail_id, sealed FROM mails WHERE recipient = $1 ORDER BY created_at_ms DESC LIMIT 1',
    [recipient],
  );
  const sealing = createMailSealing({ masterSecret, world: api.world });
  return row === undefined ? null : sealing.unseal(row.mail_id, row.sealed);
}

it('is any that the dashboard has', () => {
  expect(mailLanguages).toEqual(dashboardLanguages);
});

it('of an invitation is that of the inviter, and then that of the account which it opened', async () => {
  const owner = await dashboard.addPerson({ role: 'owner' });
  const invite = { merchant_id: 'mer_1', email: 'ada@example.test', role: 'finance' } as const;
  await owner.call('team.invite', invite);
  expect((await newestMailTo(invite.email))?.subject).toBe(mailWords.en.subjects.invitation);
  await owner.call('session.choose-language', { language: 'ar' });
  api.world.advance(1_000);
  await owner.call('team.invite', invite);
  const mail = await newestMailTo(invite.email);
  expect(mail?.subject).toBe(mailWords.ar.subjects.invitation);
  expect(mail?.text).toContain(mailWords.ar.roles.finance);
  const token = /\/invitation#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const ada = dashboard.visitor();
  const accept = { token, name: 'Ada', password: 'a long and winding road' };
  expect((await ada.send('invitation.accept', { ...accept, language: 'xx' })).status).toBe(400);
  await ada.call('invitation.accept', { ...accept, language: 'de' });
  api.world.advance(1_000);
  await owner.call('team.invite', { ...invite, role: 'viewer' });
  expect((await newestMailTo(invite.email))?.subject).toBe(mailWords.de.subjects.invitation);
});

it('is the one that the reader last used, whoever did it', async () => {
  const operator = await dashboard.addPerson({ isOperator: true });
  const { email, personId } = await dashboard.addPerson({ role: 'viewer' });
  await operator.call('session.choose-language', { language: 'fr' });
  const write = (sql: string) => api.database.transact((tx) => tx.write(sql, [personId]));
  await write("UPDATE credentials SET totp_secret = '\\x00' WHERE person_id = $1");
  await write("UPDATE people SET language = 'zh' WHERE person_id = $1");
  await operator.call('people.reset', { person_id: personId, reason: 'she came by' });
  expect((await newestMailTo(email))?.subject).toBe(mailWords.zh.subjects['sign-in-reset']);
  // One that a later build spoke, and this one does not.
  await write("UPDATE people SET language = 'xx' WHERE person_id = $1");
  await write("UPDATE credentials SET totp_secret = '\\x00' WHERE person_id = $1");
  api.world.advance(1_000);
  await operator.call('people.reset', { person_id: personId, reason: 'she came by again' });
  expect((await newestMailTo(email))?.subject).toBe(mailWords.en.subjects['sign-in-reset']);
});
