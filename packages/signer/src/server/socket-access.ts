// Which users besides the signer's own may reach the socket: none, or one group.
import { readFile } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';

/** Modes of the folder and of the socket in it, and the group that both are given to; null keeps the user's own. */
export interface SocketAccess {
  readonly folderMode: number;
  readonly socketMode: number;
  readonly groupId: number | null;
}

export const ownerOnly: SocketAccess = { folderMode: 0o700, socketMode: 0o600, groupId: null };

/** The group may pass through the folder and talk to the socket; it can neither list nor change the folder. */
export function groupAccess(groupId: number): SocketAccess {
  return { folderMode: 0o710, socketMode: 0o660, groupId };
}

const groupsFile = '/etc/group';
const maxGroupId = 2 ** 32 - 2;

/** The number of a group that is given as a number or by its name. Throws OperatorError 'socket-group'. */
export async function groupIdOf(group: string): Promise<number> {
  if (process.platform === 'win32') throw wrong('On Windows there is no --socket-group.');
  const id = /^\d{1,10}$/.test(group) ? Number(group) : await namedGroupId(group);
  if (id === undefined || id > maxGroupId) {
    throw wrong(`There is no group ${group} in ${groupsFile}. Give its number: --socket-group <gid>`);
  }
  return id;
}

async function namedGroupId(name: string): Promise<number | undefined> {
  // A system without the file has groups too; they are then given by number.
  const text = await readFile(groupsFile, 'utf8').catch(() => '');
  const entry = text.split('\n').map((line) => line.split(':'));
  const id = entry.find(([known]) => known === name)?.[2];
  return id !== undefined && /^\d{1,10}$/.test(id) ? Number(id) : undefined;
}

function wrong(message: string): OperatorError {
  return new OperatorError('socket-group', message);
}
