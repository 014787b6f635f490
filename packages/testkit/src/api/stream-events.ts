// The messages of a page's stream as its script gets them, without the heartbeats.

export async function* streamEvents(response: Response): AsyncGenerator<unknown> {
  let text = '';
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(bytes);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length));
    }
  }
}
