// The address of the database: one host, or several of which one is the primary, as libpq writes them.

/** Hosts tried for one connection at the most. */
const MAX_HOSTS = 8;
/** What `target_session_attrs` may say: Ducat writes, and reads only what it could also write. */
const WRITING = new Set(['read-write', 'primary']);

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
  if (
    hosts.length > 1 &&
    hosts.some((host) => !/^(?:\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::\d{1,5})?$/.test(host))
  ) {
    return { ok: false, trouble: 'several hosts are written host:port,host:port' };
  }
  const wanted = /[?&]target_session_attrs=([^&]*)/.exec(rest)?.[1];
  if (wanted !== undefined && !WRITING.has(wanted)) {
    return { ok: false, trouble: 'target_session_attrs: Ducat writes, so it must be read-write or primary' };
  }
  const without = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return { ok: true, urls: hosts.map((host) => `${scheme}${authority.slice(0, place)}${host}${without}`) };
}
