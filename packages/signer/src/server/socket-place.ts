// Makes the place where the socket will be: a private folder, no live signer there, no remains of a dead one.
import { chmod, chown, lstat, mkdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { errorCode } from '../error-code.ts';
import { OperatorError } from '../operator-error.ts';
import type { SocketAccess } from './socket-access.ts';

const pipePrefix = '\\\\.\\pipe\\';
/** The smallest limit among Linux (107), macOS (103) and the BSDs. */
const maxPathBytes = 103;
const probeTimeoutMs = 2000;

/** Checks and prepares the path. Throws OperatorError 'socket-path', 'socket-group' or 'socket-busy'. */
export async function prepareSocketPlace(path: string, access: SocketAccess): Promise<void> {
  if (process.platform === 'win32') {
    if (!path.startsWith(pipePrefix))
      throw misplaced(`On Windows the socket must be a named pipe: ${pipePrefix}name`);
    return;
  }
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw misplaced(
      `The socket path is longer than ${maxPathBytes} bytes, which systems do not take: ${path}`,
    );
  }
  await prepareFolder(dirname(path), access);
  await removeStale(path);
}

/** Restricts the new socket to the users who may use it. Throws OperatorError 'socket-group'. */
export async function grantSocket(path: string, access: SocketAccess): Promise<void> {
  if (process.platform !== 'win32') await grant(path, access.socketMode, access.groupId);
}

async function prepareFolder(folder: string, access: SocketAccess): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const about = await stat(folder);
  if (about.uid !== process.getuid?.()) throw misplaced(`The folder ${folder} belongs to another user.`);
  // The folder guards the socket in the instant between its creation and the narrowing of its own mode.
  if ((about.mode & 0o777 & ~access.folderMode) !== 0) {
    const mode = access.folderMode.toString(8);
    throw misplaced(`Other users can enter ${folder}. Run: chmod ${mode} ${folder}`);
  }
  if (access.groupId !== null) await grant(folder, access.folderMode, access.groupId);
}

/** Sets the group before the mode. In the other order, the mode would first give access to the wrong group. */
async function grant(path: string, mode: number, groupId: number | null): Promise<void> {
  if (groupId !== null) {
    const { uid } = await stat(path);
    await chown(path, uid, groupId).catch((error: unknown) => {
      if (errorCode(error) !== 'EPERM') throw error;
      throw new OperatorError(
        'socket-group',
        `The user of the signer is not in group ${groupId}, so it cannot give ${path} to it.`,
      );
    });
  }
  await chmod(path, mode);
}

/** Two signers started in the same instant may both pass this check. At worst, no client can then reach one of them. */
async function removeStale(path: string): Promise<void> {
  if (!(await holdsSocket(path))) return;
  if (await answers(path)) throw new OperatorError('socket-busy', `A signer is already running at ${path}.`);
  await rm(path, { force: true });
}

async function holdsSocket(path: string): Promise<boolean> {
  try {
    const about = await lstat(path);
    if (!about.isSocket()) throw misplaced(`${path} exists and is not a socket; it is left alone.`);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a process listens. Anything but a plain refusal counts as yes, because removing a live socket is worse. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const finish = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.setTimeout(probeTimeoutMs, () => finish(true));
    socket.on('connect', () => finish(true));
    socket.on('error', (error) =>
      finish(errorCode(error) !== 'ECONNREFUSED' && errorCode(error) !== 'ENOENT'),
    );
  });
}

function misplaced(message: string): OperatorError {
  return new OperatorError('socket-path', message);
}
