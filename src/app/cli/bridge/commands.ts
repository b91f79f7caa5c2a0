import type { Command } from "../command.ts";
import { AMOUNT_WORDS, depositOptions, TRANSFER_WORDS, withdrawOptions } from "./options.ts";

const VARIABLES =
  "Nodes, keys and deadlines come from the bootstrap's variables: APP_CHAIN_ID, ETH_CHAIN_ID,\n" +
  "ETH_RPC, ROLLUP_SEQ_URL, ETH_PRIV_KEY, ROLLUP_PRIV_KEY, L1_WAIT_TIME, CROSS_CHAIN_WAIT_TIME.";

const AGAIN =
  "Every transaction is written to the transfer's file before it is sent. If the command is killed,\n" +
  "run it again: it continues. A finished transfer is not repeated. Another transfer needs another\n" +
  "file.\n";

const CODES = {
  1: "a node did not answer or refused, a transaction failed, or the balance is too low",
  2: "the command line, a variable or a file is wrong, or a file belongs to another chain or transfer",
  3: "still waiting for the other side, without an error: run it again",
};

/** Commands that move ETH and tokens over the bridges of a chain. */
export const BRIDGE_COMMANDS: readonly Command[] = [
  {
    path: ["bridge", "deposit"],
    summary: "deposit ETH or an ERC-20 token on L1, and wait until it is on L2",
    options: depositOptions,
    positionals: AMOUNT_WORDS,
    notes: AGAIN + VARIABLES,
    examples: [
      "bridge deposit 1.5",
      "bridge deposit 1000 --token fee --mint --transfer fees.json",
      "bridge deposit 5 --token 0xa513e6e4b8f2a923d98304ec87f64353c4d5c853 --to 0x1234",
    ],
    exitCodes: { 0: "the amount has arrived on L2", ...CODES },
    load: async () => (await import("./run-bridge.ts")).runDeposit,
  },
  {
    path: ["bridge", "withdraw"],
    summary: "burn ETH or a token on L2, and have it paid out on L1 once the block is settled",
    options: withdrawOptions,
    positionals: AMOUNT_WORDS,
    notes: AGAIN + VARIABLES,
    examples: [
      "bridge withdraw 0.5",
      "bridge withdraw 10 --token fee --to 0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
    ],
    exitCodes: { 0: "the amount is paid out on L1", ...CODES },
    load: async () => (await import("./run-bridge.ts")).runWithdraw,
  },
  {
    path: ["bridge", "status"],
    summary: "show the state of each transaction of a transfer; sends nothing",
    options: {},
    positionals: TRANSFER_WORDS,
    notes: VARIABLES,
    examples: ["bridge status deposit.json"],
    exitCodes: {
      0: "the state is printed",
      1: CODES[1],
      2: "the file does not exist, or a variable is wrong",
    },
    load: async () => (await import("./run-bridge.ts")).runBridgeStatus,
  },
];
