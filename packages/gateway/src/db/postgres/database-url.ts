// The address of the database: one host, or several of which one is the primary, as libpq writes them.

/** Hosts tried for one connection at the most. */
const MAX_HOSTS = 8;
/** The allowed values of `target_session_attrs`. Ducat writes, and reads only from a server that takes writes. */
const WRITING = new Set(['read-write', 'primary']);
/** The form of one of several hosts: a name or an address, in brackets if it has colons itself, and a port. */
const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:[\]]+)(?::\d{1,5})?$/;

/** An address for each host, in the order they are written; or what is wrong, in words that hold no password. */
export function hostUrls(
  url: string,
):
  | { readonly ok: true; readonly urls: readonly string[] }
  | { readonly ok: false; readonly trouble: string } {
  const parts = /^(postgres(?:ql)?:\/\/)([^/?]*)(.*)$/s.exec(url);
  if (parts === null || url.length <= (parts[1]?.length ?? 0)) {
    return { ok: false, trouble: 'must be an address that begins with postgres://' };
  }
  const [, scheme = '', authority = '', rest = ''] = parts;
  const place = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(place).split(',');
  if (hosts.length > MAX_HOSTS) return { ok: false, trouble: `names more than ${MAX_HOSTS} hosts` };
  if (hosts.length > 1 && hosts.some((host) => !HOST.test(host))) {
    return { ok: false, trouble: 'several hosts are written host:port,host:port' };
  }
  if (hosts.some(hasImpossiblePort)) return { ok: false, trouble: 'a host has a port of 1 to 65535' };
  // The driver would use this parameter instead of all hosts of the address.
  if (/[?&](?:host|hostaddr|port)=/.test(rest)) {
    return {
      ok: false,
      trouble: 'the host stands before the path, a folder with a socket as %2Frun%2Fpostgresql',
    };
  }
  const wanted = /[?&]target_session_attrs=([^&]*)/.exec(rest)?.[1];
  if (wanted !== undefined && !WRITING.has(wanted)) {
    return { ok: false, trouble: 'target_session_attrs: Ducat writes, so it must be read-write or primary' };
  }
  const without = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  const urls = hosts.map((host) => `${scheme}${authority.slice(0, place)}${host}${without}`);
  // A host that cannot even be tried would be found at the first failover, when it is too late.
  if (!urls.every((one) => URL.canParse(one) && isDecodable(one))) {
    return {
      ok: false,
      trouble: 'cannot be read: reserved characters in names and passwords are written as %40',
    };
  }
  return { ok: true, urls };
}

function hasImpossiblePort(host: string): boolean {
  const port = /:(\d+)$/.exec(host)?.[1];
  return port !== undefined && (Number(port) < 1 || Number(port) > 65_535);
}

/** Whether every part that the driver decodes can be. */
function isDecodable(url: string): boolean {
  const { hostname, username, password, pathname } = new URL(url);
  try {
    for (const part of [hostname, username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
