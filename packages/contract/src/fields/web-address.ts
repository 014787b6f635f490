// Which addresses of other people's servers are accepted: the form of the URL, its host and its port.

/** The longest URL that a field holds, in characters. */
export const MAX_WEB_ADDRESS = 2048;
/**
 * The longest host name that DNS can hold. A longer host names no server, however short its spelling in another script
 * is.
 */
const MAX_HOST = 253;
const MAX_LABEL = 63;

/** Whether a text is an absolute http or https URL without user info whose host can exist. */
export function isWebAddress(text: string): boolean {
  if (text.length > MAX_WEB_ADDRESS || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  return url.username === '' && url.password === '' && isHost(url.hostname);
}

/**
 * Whether webhooks may be sent to an address. It must be a web address, on a web port or on a port above the range that
 * systems reserve for their own services. Merchants do listen on 3000 or 8080, while ports below 1024 belong to mail,
 * file and remote-login servers. The rule for IP addresses blocks databases and metadata services on high ports; a
 * public one is its owner's responsibility.
 */
export function isWebhookAddress(text: string): boolean {
  if (!isWebAddress(text)) return false;
  const { port } = new URL(text);
  return ['', '80', '443'].includes(port) || Number(port) >= 1024;
}

/** Checks the host as the URL parser wrote it, in ASCII. For other scripts this is several times longer. */
function isHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const labels = name.startsWith('[') ? [] : name.split('.');
  return name.length <= MAX_HOST && labels.every((label) => label !== '' && label.length <= MAX_LABEL);
}
