// Published test vectors of the signature; docs/integrate/signature-vectors.json holds the same list.

/** One vector: with `appKey` and `timestamp`, the bytes of `body` (UTF-8) must sign to `signature`. */
export interface SignatureVector {
  readonly name: string;
  readonly appKey: string;
  readonly timestamp: string;
  readonly body: string;
  readonly signature: string;
}

/** Vectors for requests, responses and webhooks, which share one formula. Never change a vector; add new ones. */
export const signatureVectors: readonly SignatureVector[] = [
  {
    name: 'order/create, plain',
    appKey: 'demo-key-0123456789abcdef',
    timestamp: '1763626800',
    body: '{"out_trade_no":"order-1001","currency_id":1001,"fiat_name":"USD","fiat_amount":"12.50"}',
    signature: 'd13b9e51f5f3fb2e9ff396907e14df7565c83a928f9964ac21568bb1229e90e7',
  },
  {
    name: 'empty body',
    appKey: 'demo-key-0123456789abcdef',
    timestamp: '1763626800',
    body: '',
    signature: 'cdbebb0ac22683071f4419b2f1ec707f5f4a1a397d4d358b5200e57d302c670f',
  },
  {
    name: 'empty object',
    appKey: 'demo-key-0123456789abcdef',
    timestamp: '1763626800',
    body: '{}',
    signature: '6d259654a5452a8a90383c537da0fdc298c3b39450ce4822df58dfc49a296833',
  },
  {
    name: 'white space is signed as sent',
    appKey: 'demo-key-0123456789abcdef',
    timestamp: '1763626800',
    body: '{ "trade_no" :\n\t"01K9VYT5QZ4X8M2N7C3B6D1F0G" }',
    signature: '8ea6229e20eae521f085de55087ad1bd41856325019dd583cbb1ad9ca7a8e34e',
  },
  {
    name: 'text beyond ASCII, as UTF-8',
    appKey: 'demo-key-0123456789abcdef',
    timestamp: '1763626801',
    body: '{"out_trade_no":"Bestellung-Äöü-注文-🛒","currency_id":3001,"token_amount":"0.000001"}',
    signature: '411ae3f3c89f1e9d9fbbc69541d5351f562a86df683ed2a098cf4dc3813de4cc',
  },
  {
    name: 'the same text in escapes signs differently',
    appKey: 'demo-key-0123456789abcdef',
    timestamp: '1763626801',
    body: '{"out_trade_no":"Bestellung-\\u00c4\\u00f6\\u00fc-\\u6ce8\\u6587-\\ud83d\\uded2","currency_id":3001,"token_amount":"0.000001"}',
    signature: 'd2ff8259a4200ef7ab2a016e2e2e531e81535f9ac7de90d35da27f9232660042',
  },
  {
    name: 'escaped quotes, slashes and line breaks',
    appKey: 'demo-key-0123456789abcdef',
    timestamp: '1763626802',
    body: '{"out_trade_no":"a\\"b\\\\c\\/d\\n","currency_id":1000,"token_amount":"1"}',
    signature: '1bdea62ab85175736f923029ae84fb641b017bbc80cef9975dcf74932b9ff654',
  },
  {
    name: 'key beyond ASCII, as UTF-8',
    appKey: 'clé-ключ-鍵',
    timestamp: '1763626800',
    body: '{}',
    signature: '61bfa91bb8e6e6142d84ed5b460bc9f48c6df528fa45a49adb44f201abba6559',
  },
  {
    name: 'response',
    appKey: 'demo-key-0123456789abcdef',
    timestamp: '1763626803',
    body: '{"code":10003,"msg":"fiat_amount must be a plain decimal string above zero","data":{}}',
    signature: '31d2cebe35aaa32120d446b271fb5f7801198cba4c4fb3c32d40ff7b11498638',
  },
  {
    name: 'key longer than a hash block',
    appKey: '0123456789012345678901234567890123456789012345678901234567890123456789',
    timestamp: '1763626804',
    body: '{"currency_id":1001}',
    signature: 'db0dd90b400929f0fad6f9f2c995b3c3e2861a8761b861092e530a0e146a28bb',
  },
];
