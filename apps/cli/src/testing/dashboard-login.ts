// Signing in to the dashboard over HTTP, as its page does.

/** The session, or the refusal. */
export async function signInOver(url: string, email: string, password: string): Promise<unknown> {
  const ask = (operation: string, body: object, cookie = '') =>
    fetch(`${url}/api/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(body),
    });
  const signedIn = await ask('session.sign-in', { email, password });
  if (!signedIn.ok) return signedIn.json();
  const [cookie = ''] = signedIn.headers.getSetCookie();
  const session = await ask('session.read', {}, cookie.split(';')[0]);
  return session.json();
}
