// How mails are sent: by an SMTP server, to a folder in the demo, or not at all.
import { resolve } from 'node:path';
import { ConfigError } from '../config-error.ts';
import type { ConfigFile } from '../schema.ts';
import { readSecret } from '../secret-file.ts';

export type MailConfig =
  | {
      readonly way: 'smtp';
      readonly host: string;
      readonly port: number;
      readonly tls: 'implicit' | 'starttls' | 'none';
      readonly login: { readonly user: string; readonly password: string } | null;
      readonly sender: string;
    }
  | { readonly way: 'folder'; readonly folder: string };

/** Shorter than other secrets, because mail providers give out short passwords. */
const SHORTEST_PASSWORD = 8;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** The `[mail]` section, null where there is none; paths in it are relative to `from`. Throws ConfigError. */
export function mailConfig({ mail, demo = false }: ConfigFile, from: string): MailConfig | null {
  if (mail === undefined) return null;
  const { folder, host, sender, user, password_file: passwordFile } = mail;
  // A host wins over a folder, so that mails of a real gateway do not end in a folder.
  if (folder !== undefined && host === undefined) {
    if (!demo) throw new ConfigError('mail.folder: the demo alone keeps mails in a folder; name a host');
    return { way: 'folder', folder: resolve(from, folder) };
  }
  if (host === undefined) throw new ConfigError('mail.host: is missing');
  if (sender === undefined) throw new ConfigError('mail.sender: is missing');
  if ((user === undefined) !== (passwordFile === undefined))
    throw new ConfigError(
      `mail.${user === undefined ? 'user' : 'password_file'}: is missing beside the other`,
    );
  const tls = mail.tls ?? 'starttls';
  if (tls === 'none' && !LOOPBACK.test(host))
    throw new ConfigError(`mail.tls: "none" is for this machine alone; ${host} could be read on the way`);
  return {
    way: 'smtp',
    host,
    port: mail.port ?? (tls === 'implicit' ? 465 : 587),
    tls,
    login:
      user === undefined || passwordFile === undefined
        ? null
        : {
            user,
            password: readSecret('mail.password_file', resolve(from, passwordFile), demo, SHORTEST_PASSWORD),
          },
    sender,
  };
}
