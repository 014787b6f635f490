// English words of adding chains and tokens, and of an app's network.

export const enAdditions = {
  additions: {
    addChain: 'Add a chain',
    addToken: 'Add a token',
    chainTitle: 'Add an EVM chain',
    chainUnder:
      'The nodes are asked before anything is kept. The chain is read after the next start of the gateway.',
    known: 'Known network',
    knownNone: 'Another one',
    knownHint: 'Fills in what is public of it. Nodes and confirmations are your choice.',
    name: 'Name',
    nameHint: '2 to 16 letters and digits, such as POLYGON. Merchants see it in every order, and it stays.',
    network: 'Network',
    networkHint: 'The name that people know, such as PRC20.',
    chainId: 'Chain id',
    coin: 'Symbol of the coin',
    worth: 'Priced as',
    worthHint: 'What sources of rates call it. Without one, orders in it have no price in fiat.',
    noPrice: 'No price in fiat',
    nodes: 'Nodes',
    nodesHint:
      'One address in each line, of providers that do not depend on one another. Two or more have to agree before money counts.',
    confirmations: 'Confirmations',
    confirmationsHint: 'Blocks that a payment needs, its own counted.',
    finality: 'A payment is final when',
    finalized: 'its block is finalized and has the confirmations',
    none: 'its block has the confirmations',
    explorer: 'Block explorer',
    check: 'Check',
    checked: 'What the nodes say',
    fits: 'Every node is of this chain.',
    node: 'Node',
    newest: 'Newest block',
    final: 'Finalized',
    works: 'Answers',
    number: 'Number of the coin',
    tokenNumber: 'Number',
    firstBlock: 'First block',
    notShown: 'not shown',
    blockTime: 'Between two blocks',
    addNow: 'Add {name}',
    added: '{name} is added. It counts from the next start of the gateway.',
    tokenTitle: 'Add a token',
    tokenUnder:
      'Its contract is asked first. Anybody may give a token any name: compare the address with what its issuer publishes.',
    contract: 'Contract',
    saysSymbol: 'It calls itself',
    decimals: 'Decimals',
    symbol: 'Symbol',
    symbolHint: 'What merchants and payers see.',
    list: 'Added here',
    what: 'What',
    by: 'By',
    inForce: 'In force',
    waits: 'Waits for a start',
    leftOut: 'Left out',
    leftOutUnder:
      'Write it into the file, or remove it and add it anew. What names its currencies waits until then.',
    restart:
      'Start every process of the gateway anew, one after the other. Until then nothing of what waits is read or offered.',
    offAtFirst:
      'Apps that are there now do not take it until their merchants switch it on, in the settings of each app.',
    payouts:
      'Money can come in then. Before any of it can leave, the file of the signer has to name the chain and its contracts.',
    section: 'Lines for ducat.toml',
    sectionUnder:
      'The file wins over what was added here. Once money came in, it is changed or ended there, with the addresses of your nodes.',
    show: 'Show',
    change: 'Change',
    changeTitle: 'Change {name}',
    changeUnder:
      'As long as nothing was ever taken on it. The nodes are asked again; write their addresses anew, for they are not shown.',
    changeTokenUnder: 'As long as nothing was ever taken in it. Its contract is asked again.',
    changeNow: 'Change {name}',
    changed: '{name} is changed. It counts from the next start of the gateway.',
    remove: 'Remove',
    removeTitle: 'Remove {name}?',
    removeUnder:
      'As long as nothing was ever taken in it. New orders end at once, and it goes with the next start. Otherwise suspend its currencies for new orders.',
    removeNow: 'Remove {name}',
    removed: '{name} is removed. It goes with the next start of the gateway.',
    removes: 'Goes with a start',
    notSetUp: '{name} is not set up',
    setUp: 'Set up {name}',
    setUpTitle: 'Set up {name}',
    setUpUnder:
      'Its name, network and coin are pinned, and so are its numbers {first} to {last}. You state its chain id, nodes and finality here, or in the file, not in both.',
    inFile:
      'ducat.toml has a section of this chain. Set it up there; or take the section out, start the gateway anew, and set it up here.',
  },
  network: {
    title: 'Network',
    ranges: 'Addresses that may use the API',
    rangesHint:
      'One address or range in each line, such as 203.0.113.0/24. With none, the API answers from anywhere. It counts within five seconds.',
    least: 'Minimum operable value',
    leastHint:
      'What lies at one address below it is not moved and not operable. Without one, the threshold of the operator counts; it can only be raised here.',
    save: 'Save network settings',
  },
} as const;
