// Brings each operation of the registry to its handler: session, scope, permission and step-up are decided here alone.
import { Readable } from 'node:stream';
import type { DashboardOperation } from '@ducat/contract/dashboard/operation';
import { type DashboardRefusalBody, dashboardStatus } from '@ducat/contract/dashboard/refusal';
import { dashboardOperations, type OperationName } from '@ducat/contract/dashboard/registry';
import { bodyLimits, parseStrictJson } from '@ducat/contract/requests/strict-json';
import { checkFields } from '@ducat/contract/requests/validate';
import { assert } from '@ducat/core/assert';
import { isPermitted, type MemberRole } from '@ducat/core/access/permissions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { walledReader } from '../../db/tables/access/walls.ts';
import { newToken } from '../../keys/tokens.ts';
import type { LimitedConnections } from '../../http/connection-limit.ts';
import { findStanding } from '../../db/tables/access/memberships.ts';
import { type Answer, type DashboardRefusal, refusal, type SentFile, type Session, unknown } from './call.ts';
import { isFromHere } from './sign-up/from-here.ts';
import { mountLive } from './live/mount-live.ts';
import { createRecorder } from './record.ts';
import { handlers } from './handlers.ts';
import { createOperatorLooks, type OperatorLooks } from './operator-looks.ts';
import { createExportPace, type ExportPace } from './orders/export-pace.ts';
import type { DashboardDeps } from './port.ts';
import { readDevice, writeDevice, writeToken } from './session-cookie.ts';
import { readSession } from './session/read-session.ts';

/** The handler of any operation. */
type AnyHandler = (call: object, request: object) => Promise<Answer<object>>;

export function mountOperations(
  app: FastifyInstance,
  deps: DashboardDeps,
  connections: LimitedConnections,
): void {
  const looks = createOperatorLooks();
  const exports = createExportPace(deps.limits.exports);
  const byName = new Map<string, Performing>();
  // The cast is needed because the literal types leave out `maxBodyBytes` where an operation has none.
  for (const operation of dashboardOperations as readonly DashboardOperation[]) {
    // The record's types bind each name to its handler. The name may be any of them here, so all handlers get one type.
    const handle = handlers[operation.name as OperationName] as unknown as AnyHandler;
    byName.set(operation.name, { deps, looks, exports, operation, handle });
    const { maxBodyBytes: bodyLimit = bodyLimits.maxBytes } = operation;
    app.post(`/api/${operation.name}`, { bodyLimit }, async (request, reply) => {
      const files: SentFile[] = [];
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
      const result = await perform({ deps, looks, exports, operation, handle, request, reply, body, files });
      if (!result.ok) return sendRefusal(reply, result.refusal);
      const [file] = files;
      return file === undefined ? reply.send(result.value) : sendFile(reply, file);
    });
  }
  mountLive(app, {
    deps,
    connections,
    sendRefusal,
    ask: async (name, exchange) => {
      const performing = byName.get(name);
      assert(performing !== undefined, `there is the operation ${name}`);
      return perform({ ...performing, ...exchange, files: [] });
    },
  });
}

export function sendRefusal(reply: FastifyReply, { code, field, message, retryAfterS }: DashboardRefusal) {
  if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
  const body: DashboardRefusalBody = { code, ...(field === undefined ? {} : { field }), message };
  return reply.code(dashboardStatus[code]).send(body);
}

function sendFile(reply: FastifyReply, { name, type, parts }: SentFile) {
  reply.header('content-type', type).header('content-disposition', `attachment; filename="${name}"`);
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  return reply.send(Readable.from(parts(left.signal)));
}

interface Performing {
  readonly deps: DashboardDeps;
  readonly looks: OperatorLooks;
  readonly exports: ExportPace;
  readonly operation: DashboardOperation;
  readonly handle: AnyHandler;
}

interface Performed extends Performing {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The request, as JSON. */
  readonly body: Buffer;
  /** Filled by a handler that answers with a file instead of JSON. */
  readonly files: SentFile[];
}

async function perform({
  deps,
  looks,
  exports,
  operation,
  handle,
  request,
  reply,
  body,
  files,
}: Performed): Promise<Answer<object>> {
  const nowMs = deps.world.nowMs();
  const address = request.ip;
  const session = await readSession(deps, request, nowMs);
  const isSignedIn = session?.session.stage === 'signed-in';
  if (operation.scope !== 'anyone' && !isSignedIn) return refusal('signed-out', 'sign in first');
  const read = parseStrictJson(body, operation.maxBodyBytes);
  if (!read.ok) return refusal('field-invalid', read.message, { field: read.field });
  const standing = await standingOf(deps, operation, session, read.value);
  if (!standing.ok) {
    const { code } = standing.refusal;
    const personId = session?.person.personId;
    deps.logger.warn({ operation: operation.name, code, personId, address }, 'refused on the dashboard');
    return standing;
  }
  const { merchantId, role } = standing.value;
  if (operation.stepUp && (session?.session.stepUpUntilMs ?? 0) <= nowMs)
    return refusal('step-up-needed', 'show the second factor again');
  // Checked last, so that the refusals above do not depend on the other fields of the request.
  const unfit = checkFields(operation.request, read.value);
  if (unfit !== undefined) return refusal('field-invalid', unfit.message, { field: unfit.field });
  const tooMany = exports(operation.name, merchantId, nowMs);
  if (tooMany !== null) return tooMany;
  const record = createRecorder(deps, { operation: operation.name, session, merchantId, nowMs, address });
  if (merchantId !== null && role === null && session !== null)
    await looks.note(deps, record, `${session.session.sessionId} ${merchantId}`, merchantId);
  const device = readDevice(request, deps.url) ?? newToken(deps.world);
  const call = {
    deps,
    nowMs,
    address,
    isFromHere: isFromHere(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 256),
    device,
    session,
    merchantId,
    role,
    reader: merchantId === null ? deps.reader : walledReader(deps.transact, merchantId),
    record,
    setToken: (token: string | null) => {
      writeToken(reply, deps.url, token);
      if (token !== null) writeDevice(reply, deps.url, device);
    },
    sendFile: (file: SentFile) => void files.push(file),
  };
  return handle(call, read.value);
}

interface Standing {
  readonly merchantId: string | null;
  readonly role: MemberRole | null;
}

/** Checks the membership first, so that another merchant's id cannot be distinguished from an unknown one. */
async function standingOf(
  { reader }: DashboardDeps,
  { scope, permission }: DashboardOperation,
  session: Session | null,
  request: Readonly<Record<string, unknown>>,
): Promise<Answer<Standing>> {
  const none = { ok: true, value: { merchantId: null, role: null } } as const;
  if (scope === 'anyone' || scope === 'person' || session === null) return none;
  const { personId, isOperator } = session.person;
  if (scope === 'operator') return isOperator ? none : refusal('not-permitted', 'this is for operators');
  const { merchant_id: merchantId } = request;
  if (typeof merchantId !== 'string')
    return refusal('field-invalid', 'merchant_id is required', { field: 'merchant_id' });
  const found = await findStanding(reader, merchantId, personId);
  if (found === null || (found.role === null && !isOperator)) return unknown('merchant');
  if (
    permission === null ||
    permission === 'operate' ||
    !isPermitted({ role: found.role, isOperator }, permission)
  )
    return refusal('not-permitted', `this needs a role with the permission ${permission}`);
  return { ok: true, value: found };
}
