// English words of what developers look into: the calls of the API, and attempts of webhooks.

export const enDevelopers = {
  attemptOutcomes: {
    unfinished: 'Not finished',
    delivered: 'Delivered',
    'wrong-answer': 'Answered without Success',
    'http-status': 'Another status than 200',
    timeout: 'No answer in time',
    'refused-address': 'Address not allowed',
    unresolved: 'Host name not found',
    'connection-failed': 'No connection',
    'tls-failed': 'TLS failed',
    'bad-http': 'Answer is no HTTP',
    'too-large': 'Answer too large',
    'not-signed': 'Could not be signed',
  },
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
