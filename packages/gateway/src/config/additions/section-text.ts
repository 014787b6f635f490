// Writes additions of the dashboard as lines for ducat.toml. Of the addresses of nodes only the hosts are shown.
import { stringify } from 'smol-toml';
import type { AddedChain, AddedToken } from './with-additions.ts';

export function chainText({ name, section }: AddedChain): string {
  const hosts = section.rpc_urls.map((url) => {
    if (!URL.canParse(url)) return '...';
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}/...`;
  });
  return stringify({ chains: { [name]: { ...section, rpc_urls: hosts } } });
}

export function tokenText({ chain, entry }: AddedToken): string {
  return stringify({ chains: { [chain]: { currencies: [entry] } } });
}
