// English words of what developers look into: the calls of the API, and attempts of webhooks.

export const enDevelopers = {
  attemptsCompared: {
    title: 'Two attempts compared',
    one: 'This attempt',
    other: 'And this one',
    same: 'Nothing differs but the time and the signature.',
    differ: 'These differ: {parts}.',
    part: 'What',
    sent: 'Sent',
    parts: { outcome: 'Outcome', http_status: 'HTTP status', duration_ms: 'Took' },
    bytes: 'Body and other headers',
    sameBytes: 'the same bytes',
    ofItsOwn: 'of its own',
  },
} as const;
