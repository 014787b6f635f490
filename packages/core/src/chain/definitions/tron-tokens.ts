// Tokens on Tron, beside its own coin; behind each its contract as people write it.
import type { Currency } from '../currency.ts';
import { token } from './token.ts';

export const tronTokens: readonly Currency[] = [
  token(3001, 'USDT', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 6, 2), // TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t
  token(3002, 'USDC', '413487b63d30b5b2c87fb7ffa8bcfade38eaac1abe', 6, 2, {
    off: 'its issuer has ended support for Tron',
    rateAsset: 'USDC@Tron',
  }), // TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8
  token(3003, 'USDD', '41e91a7411e56ce79e83570570f49b9fc35b7727c5', 18, 2), // TXDk8mbtRbXeYuMNS83CfKPaYYT8XWv9Hz
  token(3004, 'USDDOLD', '4194f24e992ca04b49c6f2a2753076ef8938ed4daa', 18, 2, {
    off: 'migrated to USDD 2.0, which is 3003',
  }), // TPYmHEhy5n8TCEfYGqW2rPxsghSfzghPDn
  token(3005, 'TUSD', '41cebde71077b830b958c8da17bcddeeb85d0bcf25', 18, 2), // TUpMhErZL2fhh4sVNULAbNKLokS4GjC1F4
  token(3006, 'USDJ', '41834295921a488d9d42b4b3021ed1a3c39fb0f03e', 18, 2), // TMwFHYXLJaRUPeW6421aqXL4ZEzPRFGkGT
  token(3007, 'USD1', '4191bed8e784249c91611e61c4585c40e21fd0ace2', 18, 2), // TPFqcBAaaUMCSVRCqPaQ9QnzKhmuoLR6Rc
  token(3008, 'WTRX', '41891cdb91d149f23b1a45d9c5ca78a88d0cb44c18', 6, 6), // TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR
  token(3009, 'SUN', '41b4a428ab7092c2f1395f376ce297033b3bb446c1', 18, 6), // TSSMHYeV2uE9qYH95DqyoCuNCzEL1NvU3S
  token(3010, 'JST', '4118fd0626daf3af02389aef3ed87db9c33f638ffa', 18, 6), // TCFLL5dx5ZJdKnWuesXxi1VPwjLVmWZZy9
  token(3011, 'BTT', '41032017411f4663b317fe77c257d28d5cd1b26e3d', 18, 2), // TAFjULxiVgT4qWk6UZwjqwZXTSaGaqnVp4
  token(3012, 'WIN', '4174472e7d35395a6b5add427eecb7f4b62ad2b071', 6, 2), // TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7
  token(3013, 'NFT', '413dfe637b2b9ae4190a458b5f3efc1969afe27819', 6, 2), // TFczxzPhnThNSqr5by8tvxsdCFRRz6cPNq
  token(3014, 'sTRX', '41c64e69acde1c7b16c2a3efcdbbdaa96c3644c2b3', 18, 6), // TU3kjFuhtEo42tsCBtfYUAZxoqQ4yuSLQ5
  token(3015, 'HTX', '41ca0303e8b9a738121777116dcea419fe524f271a', 18, 2, {
    off: 'its contract stands in one list alone, of which only a copy was seen',
  }), // TUPM7K8REVzD2UdV4R5fe5M8XbnR2DdoJ6
  token(3016, 'HT', '412c036253e0c053188c621b81b7cd40a99b828400', 18, 6, { off: 'superseded by HTX' }), // TDyvndWuvX5xTBwHPYJi7J3Yq8pq8yh62h
  token(3017, 'BTC', '4184716914c0fdf7110a44030d04d0c4923504d9cc', 8, 8, { rateAsset: 'BTC@Tron' }), // TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9
  token(3018, 'WBTC', '41f95335a4d42db4b70a9688a393279f2c90fa1025', 8, 8, { rateAsset: 'WBTC@Tron' }), // TYhWwKpw43ENFWBTGpzLHn3882f2au7SMi
  token(3019, 'ETH', '4153908308f4aa220fb10d778b5d1b34489cd6edfc', 18, 8, {
    off: 'superseded: markets on Tron list it as ETHOLD',
    rateAsset: 'ETH@Tron',
  }), // THb4CqiFdwNHsWsQCs4JhzwjMWys4aqCbF
  token(3020, 'LTC', '41a54bd6077b2eb012d92d9563ff15d2199d8123de', 8, 6, { rateAsset: 'LTC@Tron' }), // TR3DLthpnDdCGabhVDbD3VMsiJoCXY3bZd
  token(3021, 'DOGE', '4153a58d995ef4937017a8ab47722186a12a27905e', 8, 6, { rateAsset: 'DOGE@Tron' }), // THbVQp8kMjStKNnf2iCY6NEzThKMK5aBHg
  token(3022, 'WBTT', '416a6337ae47a09aea0bbd4faeb23ca94349c7b774', 6, 2, {
    off: 'wraps the BTT of before its redenomination',
  }), // TKfjV9RNKJJCqPvBtK8L7Knykh7DNWvnYt
];
