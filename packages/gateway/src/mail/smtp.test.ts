// Mails as a server receives them over SMTP, and what becomes of those that it does not take.
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Outage } from '../runtime/outage.ts';
import { createSmtp, type SmtpServer } from './smtp.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Answers each command by its first word; the mail itself with `taken`. */
async function mailServer(answers: Readonly<Record<string, string>>, taken = '250 taken') {
  const commands: string[] = [];
  const mails: string[] = [];
  const serve = (socket: Socket) => {
    let [text, isMail] = ['', false];
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString();
      for (;;) {
        const end = isMail ? '\r\n.\r\n' : '\r\n';
        const at = text.indexOf(end);
        if (at < 0) return;
        const part = text.slice(0, at);
        text = text.slice(at + end.length);
        const [word = ''] = part.split(' ');
        (isMail ? mails : commands).push(part);
        const answer = isMail ? taken : (answers[word] ?? (word === 'DATA' ? '354 go on' : '250 ok'));
        isMail = !isMail && word === 'DATA' && answer.startsWith('354');
        socket.write(`${answer}\r\n`);
      }
    });
    socket.write('220 mail.test\r\n');
  };
  const server = createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  stops.push(() => server.close());
  // Listening on TCP gives an address with a port.
  const { port } = server.address() as AddressInfo;
  const way = (more: Partial<SmtpServer> = {}) =>
    createSmtp({ host: '127.0.0.1', port, tls: 'none', login: null, sender: 'ducat@shop.test', ...more });
  return { way, commands, mails };
}

const mail = {
  mailId: 'mai_1',
  recipient: 'ada@example.test',
  subject: 'Hi',
  text: 'One\n.\nRCPT TO:<eve@evil.test>\n',
};

it('sends plain text with a name of its own, to one recipient, whatever stands in the text', async () => {
  const { way, commands, mails } = await mailServer({});
  expect(await way().send(mail)).toBe('sent');
  expect(commands.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.test>']);
  const [sent = ''] = mails;
  expect(sent).toContain('Message-ID: <mai_1@shop.test>');
  expect(sent).toContain('Content-Type: text/plain; charset=utf-8');
  expect(sent).toContain('\r\n..\r\nRCPT TO:');
});

it('sends every script whole, with the marks of its direction', async () => {
  const { way, mails } = await mailServer({});
  const text = '\u200fأنت مدعو إلى \u2068Northwind\u2069.\n\nhttps://dashboard.test/invitation#token\n';
  expect(await way().send({ ...mail, subject: 'أنت مدعو إلى لوحة مدفوعات', text })).toBe('sent');
  const [head = '', ...paragraphs] = mails[0]?.split('\r\n\r\n') ?? [];
  expect(head).toMatch(/^[\x20-\x7e\r\n]+$/);
  expect(head).toContain('Content-Transfer-Encoding: quoted-printable');
  const bytes = paragraphs
    .join('\n\n')
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, '%$1');
  expect(decodeURIComponent(bytes).trim()).toBe(text.trim());
});

it('gives up what is refused for good, and nothing else', async () => {
  const refused = await mailServer({ RCPT: '550 no such person' });
  expect(await refused.way().send(mail)).toBe('refused');
  const ofText = await mailServer({}, '554 looks like spam');
  expect(await ofText.way().send(mail)).toBe('refused');
  // Our own address or login is wrong, which an operator mends: the recipient is not the reason.
  const sender = await mailServer({ MAIL: '553 not your address' });
  await expect(sender.way().send(mail)).rejects.toThrow(Outage);
  const stranger = await mailServer({ MAIL: '530 sign in first' });
  await expect(stranger.way().send(mail)).rejects.toThrow(Outage);
  for (const answer of ['553 5.7.1 sender rejected', '554 5.7.1 relay access denied', '530 sign in first']) {
    const ours = await mailServer({ RCPT: answer });
    await expect(ours.way().send(mail)).rejects.toThrow(Outage);
  }
  const unknown = await mailServer({ RCPT: '550 5.1.1 no such person' });
  expect(await unknown.way().send(mail)).toBe('refused');
  const later = await mailServer({ RCPT: '451 try again' });
  await expect(later.way().send(mail)).rejects.toThrow(Outage);
  const cutOff = await mailServer({}, '421 going down');
  await expect(cutOff.way().send(mail)).rejects.toThrow(Outage);
});

it('names no user and sends nothing to a server that offers no TLS, where TLS was wanted', async () => {
  const { way, commands, mails } = await mailServer({ STARTTLS: '502 not here' });
  const login = { user: 'ducat', password: 'canary-password' };
  // hits mark: mail-never-falls-back
  await expect(way({ tls: 'starttls', login }).send(mail)).rejects.toThrow(Outage);
  expect(commands.filter((line) => /^(?:AUTH|MAIL)/.test(line))).toEqual([]);
  expect(mails).toEqual([]);
});
