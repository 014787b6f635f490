// Bytes as wallets' own libraries write them, for payments from and to the addresses of the tests.

/**
 * Five units of the test token, as @okxweb3/coin-tron 1.1.0 writes them. protobufjs writes zero values too, so the
 * bytes hold a call_value and a call_token_value of zero (1800, 2800).
 */
export const okxTokenTransfer = [
  '0a0229272208939ece39d08a7abe40d8d9ffbfdd33',
  '5ab201081f12ad01',
  '0a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e7472616374',
  '12780a1541aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa121541cccccccccccccccccccccccccccccccccccccccc1800',
  '2244a9059cbb000000000000000000000000bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
  '00000000000000000000000000000000000000000000000000000000000000052800',
  '70f884fcbfdd33900180c2d72f',
].join('');

/** Five sun, by the same library. The bytes hold a fee limit of zero (900100). */
export const okxTransfer = [
  '0a0229272208939ece39d08a7abe40d8d9ffbfdd33',
  '5a6508011261',
  '0a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e7472616374',
  '12300a1541aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa121541bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb1805',
  '70f884fcbfdd33900100',
].join('');
