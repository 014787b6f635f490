// The signature of a request, by the WebCrypto of a browser or of Node.
import { signedBytes } from '@ducat/contract/signature';

/** HMAC-SHA256 with the AppKey as key over body + timestamp + AppKey, as 64 lower-case hexadecimal characters. */
export async function sign(body: string, timestamp: string, appKey: string): Promise<string> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const how = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(appKey), how, false, ['sign']);
  // The copy has an ArrayBuffer of its own, which the type of WebCrypto's argument needs.
  const message = Uint8Array.from(signedBytes(bytes(body), timestamp, appKey));
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, message));
  return [...signature].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
