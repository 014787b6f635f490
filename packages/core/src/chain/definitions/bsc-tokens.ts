// Tokens on BNB Smart Chain, beside its own coin. Nearly all have 18 decimals, USDT and USDC too.
import type { Currency } from '../currency.ts';
import { token } from './token.ts';

export const bscTokens: readonly Currency[] = [
  token(2001, 'USDT', '0x55d398326f99059ff775485246999027b3197955', 18, 2),
  token(2002, 'USDC', '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', 18, 2),
  token(2003, 'DAI', '0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3', 18, 2, { rateAsset: 'DAI@BSC' }),
  token(2004, 'FDUSD', '0xc5f0f7b66764f6ec8c8dff7ba683102295e16409', 18, 2),
  token(2005, 'USD1', '0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d', 18, 2),
  token(2006, 'TUSD', '0x40af3827f39d0eacbf4a168f8d4ee67c121d11c9', 18, 2),
  token(2007, 'BUSD', '0xe9e7cea3dedca5984780bafc599bd69add087d56', 18, 2, {
    off: 'wound down by its issuer',
    rateAsset: 'BUSD@BSC',
  }),
  token(2008, 'lisUSD', '0x0782b6d8c4551b9760e74c0545a9bcd90bdc41e5', 18, 2),
  token(2009, 'WBNB', '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', 18, 8),
  token(2010, 'BTCB', '0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c', 18, 8),
  token(2011, 'ETH', '0x2170ed0880ac9a755fd29b2688956bd959f933f8', 18, 8, { rateAsset: 'ETH@BSC' }),
  token(2012, 'XRP', '0x1d2f0da169ceb9fc7b3144628db156f3f6c60dbe', 18, 6, { rateAsset: 'XRP@BSC' }),
  token(2013, 'ADA', '0x3ee2200efb3400fabb9aacf31297cbdd1d435d47', 18, 6, { rateAsset: 'ADA@BSC' }),
  token(2014, 'DOGE', '0xba2ae424d960c26247dd6c32edc70b295c744c43', 8, 6, { rateAsset: 'DOGE@BSC' }),
  token(2015, 'LTC', '0x4338665cbb7b2485a8855a139b75d5e34ab0db94', 18, 6, { rateAsset: 'LTC@BSC' }),
  token(2016, 'DOT', '0x7083609fce4d1d8dc0c979aab8c869ea2c873402', 18, 6, { rateAsset: 'DOT@BSC' }),
  token(2017, 'BCH', '0x8ff795a6f4d97e7887c79bea79aba5cc76444adf', 18, 6, { rateAsset: 'BCH@BSC' }),
  token(2018, 'ATOM', '0x0eb3a705fc54725037cc9e008bdede697f62f335', 18, 6, { rateAsset: 'ATOM@BSC' }),
  token(2019, 'FIL', '0x0d8ce2a99bb6e3b7db580ed848240e4a0f9ae153', 18, 6, { rateAsset: 'FIL@BSC' }),
  token(2020, 'EOS', '0x56b6fb708fc5732dec1afc8d8556423a2edccbd6', 18, 6, {
    off: 'the EOS network has given up this coin for another one',
    rateAsset: 'EOS@BSC',
  }),
  token(2021, 'SOL', '0x570a5d26f7765ecb712c0924e4de545b89fd43df', 18, 6, { rateAsset: 'SOL@BSC' }),
  token(2022, 'AVAX', '0x1ce0c2827e2ef14d5c4f29a091d735a204794041', 18, 6, { rateAsset: 'AVAX@BSC' }),
  token(2023, 'MATIC', '0xcc42724c6683b7e57334c4e856f4c9965ed682bd', 18, 6, {
    off: 'superseded by POL',
    rateAsset: 'MATIC@BSC',
  }),
  token(2024, 'TRX', '0xce7de646e7208a4ef112cb6ed5038fa6cc6b12e3', 6, 6, { rateAsset: 'TRX@BSC' }),
  token(2025, 'BTT', '0x352cb5e19b12fc216548a2677bd0fce83bae434b', 18, 2, { rateAsset: 'BTT@BSC' }),
  token(2026, 'LINK', '0xf8a0bf9cf54bb92f17374d9e9a321e6a111a51bd', 18, 6, { rateAsset: 'LINK@BSC' }),
  token(2027, 'UNI', '0xbf5140a22578168fd562dccf235e5d43a02ce9b1', 18, 6, { rateAsset: 'UNI@BSC' }),
  token(2028, 'AAVE', '0xfb6115445bff7b52feb98650c87f44907e58f802', 18, 6, { rateAsset: 'AAVE@BSC' }),
  token(2029, 'AXS', '0x715d400f88c167884bbcc41c5fea407ed4d2f8a0', 18, 6, { rateAsset: 'AXS@BSC' }),
  token(2030, 'INJ', '0xa2b726b1145a4773f68593cf171187d8ebe4d495', 18, 6, { rateAsset: 'INJ@BSC' }),
  token(2031, 'CAKE', '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82', 18, 6),
  token(2032, 'XVS', '0xcf6bb5389c92bdda8a3747ddb454cb7a64626c63', 18, 6),
  token(2033, 'TWT', '0x4b0f1812e5df2a09796481ff14017e6005508003', 18, 6),
  token(2034, 'FLOKI', '0xfb5b838b6cfeedc2873ab27866079ac55363d37e', 9, 2),
  token(2035, 'LISTA', '0xfceb31a79f71ac9cbdcf853519c1b12d379edc46', 18, 6),
  token(2036, 'SHIB', '0x2859e4544c4bb03966803b044a93563bd2d0dd4d', 18, 2, {
    off: 'its contract stands in one list alone, which is generated',
    rateAsset: 'SHIB@BSC',
  }),
  token(2037, 'WKC', '0x6ec90334d89dbdc89e08a133271be3d104128edb', 18, 2, {
    off: 'described as deflationary, so it may take a fee on each transfer; a token, not the chain',
    rateAsset: 'WKC@BSC',
  }),
];
