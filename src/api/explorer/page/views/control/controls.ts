/** Parameter of a control. */
export interface ControlField {
  /** Name of the JSON-RPC parameter. */
  readonly name: string;
  readonly text: string;
  readonly placeholder: string;
  readonly kind: "text" | "number" | "block";
}

/** A method of a devnet as a form. */
export interface Control {
  readonly title: string;
  readonly text: string;
  readonly method: string;
  readonly fields: readonly ControlField[];
  readonly button: string;
}

const field = (
  name: string,
  text: string,
  kind: ControlField["kind"],
  placeholder = "",
): ControlField => ({ name, text, kind, placeholder });

/** All controls, in the order in which they are shown. */
export const CONTROLS: readonly Control[] = [
  {
    title: "Make a block",
    text: "Ends the open block, also if it is empty.",
    method: "devnet_createBlock",
    fields: [],
    button: "Make a block",
  },
  {
    title: "Mint tokens",
    text: "Adds tokens to the balance of an address.",
    method: "devnet_mint",
    fields: [
      field("address", "Address", "text", "0x…"),
      field("amount", "Amount, in the smallest unit", "number", "1000000000000000000"),
      field("unit", "Unit: FRI or WEI", "text", "FRI"),
    ],
    button: "Mint",
  },
  {
    title: "Set the time",
    text: "Sets the time of the next block, in Unix seconds, and makes a block.",
    method: "devnet_setTime",
    fields: [field("time", "Time in Unix seconds", "number", "1800000000")],
    button: "Set",
  },
  {
    title: "Increase the time",
    text: "Moves the clock of the chain, and makes a block.",
    method: "devnet_increaseTime",
    fields: [field("time", "Seconds", "number", "3600")],
    button: "Increase",
  },
  {
    title: "Abort blocks",
    text: "Removes a block and all after it.",
    method: "devnet_abortBlocks",
    fields: [field("starting_block_id", "First block to remove", "block", "number or hash")],
    button: "Abort",
  },
  {
    title: "Accept on L1",
    text: "Marks a block and all before it as accepted on L1.",
    method: "devnet_acceptOnL1",
    fields: [field("starting_block_id", "Newest block to accept", "block", "number or hash")],
    button: "Accept",
  },
  {
    title: "Set gas prices",
    text: "Prices from the next block on; those that are empty stay.",
    method: "devnet_setGasPrice",
    fields: [
      field("l2_gas_price_fri", "L2 gas, in fri", "number"),
      field("gas_price_fri", "L1 gas, in fri", "number"),
      field("data_gas_price_fri", "L1 data gas, in fri", "number"),
    ],
    button: "Set",
  },
  {
    title: "Impersonate an account",
    text: "Accepts transactions of this account without a valid signature.",
    method: "devnet_impersonateAccount",
    fields: [field("account_address", "Account", "text", "0x…")],
    button: "Impersonate",
  },
  {
    title: "Stop impersonating",
    text: "Checks the signatures of this account again.",
    method: "devnet_stopImpersonateAccount",
    fields: [field("account_address", "Account", "text", "0x…")],
    button: "Stop",
  },
  {
    title: "Impersonate all accounts",
    text: "Accepts transactions of every account without a valid signature.",
    method: "devnet_autoImpersonate",
    fields: [],
    button: "Impersonate all",
  },
  {
    title: "Stop impersonating all",
    text: "Checks the signatures of all accounts again.",
    method: "devnet_stopAutoImpersonate",
    fields: [],
    button: "Stop",
  },
  {
    title: "Flush messages",
    text: "Exchanges messages with L1 in both directions.",
    method: "devnet_postmanFlush",
    fields: [],
    button: "Flush",
  },
  {
    title: "Dump the chain",
    text: "Writes the chain into a file of the node.",
    method: "devnet_dump",
    fields: [field("path", "Path on the machine of the node", "text", "dump.json")],
    button: "Dump",
  },
  {
    title: "Restart the chain",
    text: "Starts again from the first block. All blocks are lost.",
    method: "devnet_restart",
    fields: [],
    button: "Restart",
  },
];
