/** What differs between this program and starknet-devnet as forks of one origin. */
export interface DevnetDifference {
  /** Row of the table in `docs/fork.md`: what differs. */
  readonly what: string;
  /** The reason, as the table has it. */
  readonly why: string;
  /** Places, as `ComparedChains` names them. */
  readonly places: readonly RegExp[];
}

const STRK_CHANGES =
  /state_diff\.storage_diffs\[0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d\]/;

/** All differences: the comparison fails for any other, and for one that no longer occurs. */
export const DEVNET_DIFFERENCES: readonly DevnetDifference[] = [
  {
    what: "blocks and transactions of the origin above the fork block, by hash",
    why: "starknet-devnet forwards unknown hashes; here they do not exist",
    places: [/^later (block|transaction): /],
  },
  {
    what: "`l1_accepted` while the origin has no such block",
    why: "starknet-devnet takes the fork block; here it is block not found, as at the origin",
    places: [/^l1_accepted: /],
  },
  {
    what: "roots, commitments and hashes of local blocks",
    why: "starknet-devnet has no roots, and hashes that cover only the number and the count of transactions",
    places: [
      /\.(block_hash|parent_hash|new_root|old_root|\w+_commitment)$/,
      /\.(aborted|accepted)\[\]$/,
    ],
  },
  {
    what: "timestamp of the first local block",
    why: "never before that of the fork block; starknet-devnet takes the clock's",
    places: [/^(development|restart): getBlockWithTxHashes \.timestamp$/],
  },
  {
    what: "L2 gas and fees of classes of Sierra 1.7 and newer",
    why: "metered by gas, as on the network; starknet-devnet reads a wrong Sierra version and counts steps",
    places: [
      /\.l2_gas(_consumed)?$/,
      /\.(overall_fee|actual_fee\.amount)$/,
      /events\[\]\.data\[\]$/,
      /^events across: getEvents \[\]\.data\[\]$/,
      /fee_transfer_invocation\.calldata\[\]$/,
      /getAccountBalance \.amount$/,
      /estimateMessageFee \.l1_gas_consumed$/,
      new RegExp(`${STRK_CHANGES.source}\\.storage_entries\\[\\]\\.value$`),
    ],
  },
  {
    what: "data gas in receipts and traces",
    why: "includes that of new storage variables, which is a part of the fee",
    places: [/execution_resources\.l1_data_gas$/],
  },
  {
    what: "gas of the calls of a trace",
    why: "has the L1 gas of messages to L1, and L2 gas in handlers of messages from L1, as the reference engine counts",
    places: [/_invocation\.(calls\[\]\.)?execution_resources\.l[12]_gas$/],
  },
  {
    what: "address of the sequencer, which receives the fees",
    why: "that of the chain's configuration; starknet-devnet has 0x1000",
    places: [
      /\.sequencer_address$/,
      /events\[\]\.keys\[\]$/,
      /^events across: getEvents \[\]\.keys\[\]$/,
      new RegExp(`${STRK_CHANGES.source}\\.storage_entries\\[\\]$`),
    ],
  },
  {
    what: "state changes of contracts 0x1 and 0x2",
    why: "blocks write the hashes of older blocks and the aliases of new variables, as on the network",
    places: [/state_diff\.storage_diffs\[0x[12]\]$/, /\.state_diff_length$/],
  },
  {
    what: "`migrated_compiled_classes` in state diffs",
    why: "the specification requires it, also when it is empty",
    places: [/\.migrated_compiled_classes$/],
  },
  {
    what: "members that the specification lacks, or that are null",
    why: "omitted here: `paid_fee_on_l1`, `l1_transaction_hash`, `failure_reason`",
    places: [/\.(paid_fee_on_l1|l1_transaction_hash|failure_reason)$/],
  },
  {
    what: "class of the universal deployers",
    why: "the origin's; starknet-devnet replaces it by its usual one",
    places: [/\.calls\[\]\.class_hash$/],
  },
  {
    what: "a transaction with a nonce above the account's",
    why: "waits in the mempool, as on the network; starknet-devnet refuses it",
    places: [/^nonce gap: /],
  },
  {
    what: "text of errors",
    why: "that of the specification, with the reason as data; code and frames are equal",
    places: [
      /^used nonce: addInvokeTransaction error\.(message|data)$/,
      /^simulation: estimateFee error\.data\.execution_error(\.error)+$/,
      /^origin's block: devnet_abortBlocks error\.message$/,
    ],
  },
  {
    what: "`devnet_mint`",
    why: "mints here; reverts in starknet-devnet when the origin's token has another minter",
    places: [/^mint: /],
  },
  {
    what: "`devnet_applyStateDiff`",
    why: "its changes are in an accepted block immediately; in starknet-devnet with the next block",
    places: [/^state diff: getStorageAt $/],
  },
  {
    what: "`devnet_getConfig`",
    why: "`fork_config` has the hash of the fork block and shows no path of the URL, which may contain a key; the rest are settings",
    places: [/^development: devnet_getConfig /],
  },
];
