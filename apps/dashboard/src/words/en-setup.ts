// English words of setting a new gateway up.

export const enSetup = {
  setup: {
    title: 'Set-up',
    under: 'From nothing to a first payment. Leave at any step: what is done stays done.',
    done: 'Done',
    open: 'To do',
    later: 'After the step before',
    linkTitle: 'Set up this gateway',
    linkUnder: 'You become its first operator. The link works once.',
    linkOver:
      'This link no longer works: it was used, it is older than a day, or the gateway has started anew, or has an account or a merchant by now. The log of its last start has the newest link.',
    signIn: 'Sign in',
    keys: 'Keys',
    keysReady: 'The signer answers. It alone holds the seed, from which all addresses and keys follow.',
    keysAway:
      'No signer answers yet. Its seed is made in a terminal of its own machine, where the 24 words are shown once. They never come into a browser.',
    keysCommand: 'command',
    keysThen: 'Write the words on paper, start the signer, and name it in the configuration of the gateway.',
    keysGuide: 'The whole ceremony',
    lookAgain: 'Look again',
    account: 'Your account',
    accountFactor: 'You are its operator, and sign in with a second factor.',
    accountDemo: 'You are its operator. A demo asks for no second factor.',
    merchant: 'First merchant',
    merchantUnder: 'A shop or a company that is paid. You become its owner. Fees are set under Merchants.',
    merchantNow: 'Create merchant',
    app: 'First app',
    payment: 'First payment',
    paymentDemo:
      'An order of one token, which the faucet of the demo pays on a local chain. It turns green by itself.',
    pay: 'Place and pay an order',
    unpaid: 'The order stands, but the faucet did not pay it.',
    paymentReal: 'Pay an order of a few cents with a wallet of your own before a customer does.',
    goingLive: 'What to check before',
    paid: 'The first payment is final and booked.',
    over: 'Everything is set up.',
    toMerchant: 'Go to {merchant}',
    unfinished: 'The set-up of this gateway is not finished.',
    goOn: 'Go on',
  },
} as const;
