// Every definition keeps the rules that the rest of Ducat relies on.
import { describe, expect, it } from 'vitest';
import type { ChainFamily } from '../chain.ts';
import { isNativeCurrency } from '../currency.ts';
import { chainDefinitions } from './index.ts';

/** Currency ids are pinned for ever: a line here may be added, never changed. */
const pinned: Readonly<Record<number, string>> = {
  1000: 'ETH ETH',
  1001: 'ETH USDT 0xdac17f958d2ee523a2206206994597c13d831ec7 6',
  1002: 'ETH USDC 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 6',
  1003: 'ETH DAI 0x6b175474e89094c44da98b954eedeac495271d0f 18',
  1004: 'ETH USDS 0xdc035d45d973e3ec169d2276ddab16f1e407384f 18',
  1005: 'ETH PYUSD 0x6c3ea9036406852006290770bedfcaba0e23a0e8 6',
  1006: 'ETH USDe 0x4c9edd5852cd905f086c759e8383e09bff1e68b3 18',
  1007: 'ETH TUSD 0x0000000000085d4780b73119b644ae5ecd22b376 18',
  1008: 'ETH USD1 0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d 18',
  1009: 'ETH RLUSD 0x8292bb45bf1ee4d140127049757c2e0ff06317ed 18',
  1010: 'ETH EURC 0x1abaea1f7c830bd89acc67ec4af516284b1bc33c 6',
  1011: 'ETH FRAX 0x853d955acef822db058eb8505911ed77f175b99e 18',
  1012: 'ETH LUSD 0x5f98805a4e8be255a32880fdec7f6728c6568ba0 18',
  1013: 'ETH GUSD 0x056fd409e1d7a124bd7017459dfea2f387b6d5cd 2',
  1014: 'ETH WETH 0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2 18',
  1015: 'ETH WBTC 0x2260fac5e5542a773aa44fbcfedf7c193bc2c599 8',
  1016: 'ETH cbBTC 0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf 8',
  1017: 'ETH tBTC 0x18084fba666a33d37592fa2633fd49a74dd93a88 18',
  1018: 'ETH wstETH 0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0 18',
  1019: 'ETH rETH 0xae78736cd615f374d3085123a210448e74fc6393 18',
  1020: 'ETH LINK 0x514910771af9ca656af840dff83e8264ecf986ca 18',
  1021: 'ETH UNI 0x1f9840a85d5af5bf1d1762f925bdaddc4201f984 18',
  1022: 'ETH AAVE 0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9 18',
  1023: 'ETH SHIB 0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce 18',
  1024: 'ETH PEPE 0x6982508145454ce325ddbe47a25d4ec3d2311933 18',
  1025: 'ETH POL 0x455e53cbb86018ac2b8092fdcd39d8444affc3f6 18',
  1026: 'ETH MATIC 0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0 18',
  1027: 'ETH LDO 0x5a98fcbea516cf06857215779fd812ca3bef1b32 18',
  1028: 'ETH MKR 0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2 18',
  1029: 'ETH SKY 0x56072c95faa701256059aa122697b133aded9279 18',
  1030: 'ETH CRV 0xd533a949740bb3306d119cc777fa900ba034cd52 18',
  1031: 'ETH COMP 0xc00e94cb662c3520282e6f5717214004a7f26888 18',
  1032: 'ETH SNX 0xc011a73ee8576fb46f5e1c5751ca3b9fe0af2a6f 18',
  1033: 'ETH GRT 0xc944e90c64b2c07662a292be6244bdf05cda44a7 18',
  1034: 'ETH ENS 0xc18360217d8f7ab5e7c516566761ea12ce7f9d72 18',
  1035: 'ETH APE 0x4d224452801aced8b2f0aebe155379bb5d594381 18',
  1036: 'ETH SAND 0x3845badade8e6dff049820680d1f14bd3903a5d0 18',
  1037: 'ETH MANA 0x0f5d2fb29fb7d3cfee444a200298f468908cc942 18',
  1038: 'ETH AXS 0xbb0e17ef65f82ab018d8edd776e8dd940327b28b 18',
  1039: 'ETH IMX 0xf57e7e7c23978c3caec3c3548e3d615c346e79ff 18',
  1040: 'ETH ARB 0xb50721bcf8d664c30412cfbc6cf7a15145234ad1 18',
  1041: 'ETH ONDO 0xfaba6f8e4a5e8ab82f62fe7c39859fa577269be3 18',
  1042: 'ETH ENA 0x57e114b691db790c35207b2e685d4a43181e6061 18',
  1043: 'ETH 1INCH 0x111111111117dc0aa78b770fa6a738034120c302 18',
  1044: 'ETH SUSHI 0x6b3595068778dd592e39a122f4f5a5cf09c90fe2 18',
  1045: 'ETH BAT 0x0d8775f648430679a709e98d2b0cb6250d2887ef 18',
  1046: 'ETH CHZ 0x3506424f91fd33084466f402d5d97f05f8e3b4af 18',
  1047: 'ETH PAXG 0x45804880de22913dafe09f4980848ece6ecbaf78 18',
  1048: 'ETH QNT 0x4a220e6096b25eadb88358cb44068a3248254675 18',
  1049: 'ETH ENJ 0xf629cbd94d3791c9250152bd8dfbdf380e2a3b9c 18',
  2000: 'BSC BNB',
  2001: 'BSC USDT 0x55d398326f99059ff775485246999027b3197955 18',
  2002: 'BSC USDC 0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d 18',
  2003: 'BSC DAI 0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3 18',
  2004: 'BSC FDUSD 0xc5f0f7b66764f6ec8c8dff7ba683102295e16409 18',
  2005: 'BSC USD1 0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d 18',
  2006: 'BSC TUSD 0x40af3827f39d0eacbf4a168f8d4ee67c121d11c9 18',
  2007: 'BSC BUSD 0xe9e7cea3dedca5984780bafc599bd69add087d56 18',
  2008: 'BSC lisUSD 0x0782b6d8c4551b9760e74c0545a9bcd90bdc41e5 18',
  2009: 'BSC WBNB 0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c 18',
  2010: 'BSC BTCB 0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c 18',
  2011: 'BSC ETH 0x2170ed0880ac9a755fd29b2688956bd959f933f8 18',
  2012: 'BSC XRP 0x1d2f0da169ceb9fc7b3144628db156f3f6c60dbe 18',
  2013: 'BSC ADA 0x3ee2200efb3400fabb9aacf31297cbdd1d435d47 18',
  2014: 'BSC DOGE 0xba2ae424d960c26247dd6c32edc70b295c744c43 8',
  2015: 'BSC LTC 0x4338665cbb7b2485a8855a139b75d5e34ab0db94 18',
  2016: 'BSC DOT 0x7083609fce4d1d8dc0c979aab8c869ea2c873402 18',
  2017: 'BSC BCH 0x8ff795a6f4d97e7887c79bea79aba5cc76444adf 18',
  2018: 'BSC ATOM 0x0eb3a705fc54725037cc9e008bdede697f62f335 18',
  2019: 'BSC FIL 0x0d8ce2a99bb6e3b7db580ed848240e4a0f9ae153 18',
  2020: 'BSC EOS 0x56b6fb708fc5732dec1afc8d8556423a2edccbd6 18',
  2021: 'BSC SOL 0x570a5d26f7765ecb712c0924e4de545b89fd43df 18',
  2022: 'BSC AVAX 0x1ce0c2827e2ef14d5c4f29a091d735a204794041 18',
  2023: 'BSC MATIC 0xcc42724c6683b7e57334c4e856f4c9965ed682bd 18',
  2024: 'BSC TRX 0xce7de646e7208a4ef112cb6ed5038fa6cc6b12e3 6',
  2025: 'BSC BTT 0x352cb5e19b12fc216548a2677bd0fce83bae434b 18',
  2026: 'BSC LINK 0xf8a0bf9cf54bb92f17374d9e9a321e6a111a51bd 18',
  2027: 'BSC UNI 0xbf5140a22578168fd562dccf235e5d43a02ce9b1 18',
  2028: 'BSC AAVE 0xfb6115445bff7b52feb98650c87f44907e58f802 18',
  2029: 'BSC AXS 0x715d400f88c167884bbcc41c5fea407ed4d2f8a0 18',
  2030: 'BSC INJ 0xa2b726b1145a4773f68593cf171187d8ebe4d495 18',
  2031: 'BSC CAKE 0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82 18',
  2032: 'BSC XVS 0xcf6bb5389c92bdda8a3747ddb454cb7a64626c63 18',
  2033: 'BSC TWT 0x4b0f1812e5df2a09796481ff14017e6005508003 18',
  2034: 'BSC FLOKI 0xfb5b838b6cfeedc2873ab27866079ac55363d37e 9',
  2035: 'BSC LISTA 0xfceb31a79f71ac9cbdcf853519c1b12d379edc46 18',
  2036: 'BSC SHIB 0x2859e4544c4bb03966803b044a93563bd2d0dd4d 18',
  2037: 'BSC WKC 0x6ec90334d89dbdc89e08a133271be3d104128edb 18',
  3000: 'Tron TRX',
  3001: 'Tron USDT 41a614f803b6fd780986a42c78ec9c7f77e6ded13c 6',
  3002: 'Tron USDC 413487b63d30b5b2c87fb7ffa8bcfade38eaac1abe 6',
  3003: 'Tron USDD 41e91a7411e56ce79e83570570f49b9fc35b7727c5 18',
  3004: 'Tron USDDOLD 4194f24e992ca04b49c6f2a2753076ef8938ed4daa 18',
  3005: 'Tron TUSD 41cebde71077b830b958c8da17bcddeeb85d0bcf25 18',
  3006: 'Tron USDJ 41834295921a488d9d42b4b3021ed1a3c39fb0f03e 18',
  3007: 'Tron USD1 4191bed8e784249c91611e61c4585c40e21fd0ace2 18',
  3008: 'Tron WTRX 41891cdb91d149f23b1a45d9c5ca78a88d0cb44c18 6',
  3009: 'Tron SUN 41b4a428ab7092c2f1395f376ce297033b3bb446c1 18',
  3010: 'Tron JST 4118fd0626daf3af02389aef3ed87db9c33f638ffa 18',
  3011: 'Tron BTT 41032017411f4663b317fe77c257d28d5cd1b26e3d 18',
  3012: 'Tron WIN 4174472e7d35395a6b5add427eecb7f4b62ad2b071 6',
  3013: 'Tron NFT 413dfe637b2b9ae4190a458b5f3efc1969afe27819 6',
  3014: 'Tron sTRX 41c64e69acde1c7b16c2a3efcdbbdaa96c3644c2b3 18',
  3015: 'Tron HTX 41ca0303e8b9a738121777116dcea419fe524f271a 18',
  3016: 'Tron HT 412c036253e0c053188c621b81b7cd40a99b828400 18',
  3017: 'Tron BTC 4184716914c0fdf7110a44030d04d0c4923504d9cc 8',
  3018: 'Tron WBTC 41f95335a4d42db4b70a9688a393279f2c90fa1025 8',
  3019: 'Tron ETH 4153908308f4aa220fb10d778b5d1b34489cd6edfc 18',
  3020: 'Tron LTC 41a54bd6077b2eb012d92d9563ff15d2199d8123de 8',
  3021: 'Tron DOGE 4153a58d995ef4937017a8ab47722186a12a27905e 8',
  3022: 'Tron WBTT 416a6337ae47a09aea0bbd4faeb23ca94349c7b774 6',
  4000: 'WKC WKC',
};

/** When money counts as final: another number here is another risk for every merchant. */
const finality: Readonly<Record<string, string>> = {
  ETH: '12 finalized',
  BSC: '15 finalized',
  Tron: '19 finalized',
  WKC: '15 finalized',
};

const ranges: Readonly<Record<string, number>> = { ETH: 1000, BSC: 2000, Tron: 3000, WKC: 4000 };

/** The canonical text of a contract. */
const contracts: Readonly<Record<ChainFamily, RegExp>> = {
  evm: /^0x[0-9a-f]{40}$/,
  tron: /^41[0-9a-f]{40}$/,
};

describe('chain definitions', () => {
  it('pin every currency id to one coin or contract', () => {
    const listed = chainDefinitions.flatMap((chain) =>
      chain.currencies.map((currency) => {
        const token = currency.contract === null ? '' : ` ${currency.contract} ${currency.decimals}`;
        return [currency.currencyId, `${chain.name} ${currency.symbol}${token}`] as const;
      }),
    );
    expect(Object.fromEntries(listed)).toEqual(pinned);
  });

  it('pin when the blocks of each chain are final', () => {
    const listed = chainDefinitions.map(({ name, confirmations, nodeFinality }) => [
      name,
      `${confirmations} ${nodeFinality}`,
    ]);
    expect(Object.fromEntries(listed)).toEqual(finality);
  });

  it('have names and numbers of their own', () => {
    const names = chainDefinitions.map((chain) => chain.name);
    const numbers = chainDefinitions.map((chain) => chain.monitorChainId);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each(chainDefinitions)('$name keeps the rules of its kind', (chain) => {
    expect(chain.windowBlocks).toBeGreaterThan(chain.confirmations);
    expect(chain.confirmations).toBeGreaterThan(0);
    const [first, ...tokens] = chain.currencies;
    expect(first && isNativeCurrency(first)).toBe(true);
    expect(first?.currencyId).toBe(ranges[chain.name]);
    for (const token of tokens) {
      expect(token.contract).toMatch(contracts[chain.family]);
      // The last hundred of each thousand belongs to the operators, for tokens of their own.
      expect(token.currencyId - (ranges[chain.name] ?? 0)).toBeGreaterThan(0);
      expect(token.currencyId - (ranges[chain.name] ?? 0)).toBeLessThan(900);
      expect(token.decimals).toBeGreaterThanOrEqual(0);
      expect(token.decimals).toBeLessThanOrEqual(18);
      expect(token.displayDecimals).toBeLessThanOrEqual(token.decimals);
    }
  });

  it.each(chainDefinitions)('$name has no symbol and no contract twice', ({ currencies }) => {
    const symbols = currencies.map(({ symbol }) => symbol);
    const contracts = currencies.map(({ contract }) => contract);
    expect(new Set(symbols).size).toBe(symbols.length);
    expect(new Set(contracts).size).toBe(contracts.length);
  });

  it('say why a currency is off, and of no other', () => {
    for (const { enabled, offReason = '', currencyId } of chainDefinitions.flatMap(
      (chain) => chain.currencies,
    ))
      expect(offReason === '', `currency ${currencyId}`).toBe(enabled);
  });

  it('have native currencies, USDT and USDC of the public chains on, and what is odd off', () => {
    const off = chainDefinitions.map(({ name, currencies }) => {
      const symbols = currencies.filter(({ enabled }) => !enabled).map(({ symbol }) => symbol);
      return [name, symbols.join(' ')];
    });
    expect(Object.fromEntries(off)).toEqual({
      ETH: 'FRAX MATIC MKR PAXG',
      BSC: 'BUSD EOS MATIC SHIB WKC',
      Tron: 'USDC USDDOLD HTX HT ETH WBTT',
      WKC: '',
    });
  });
});
