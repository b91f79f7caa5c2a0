import type { Command } from "../command.ts";
import { NO_WORDS } from "../parse-arguments.ts";
import { settleOptions } from "./options.ts";

/** Commands that send transactions on L1. */
export const L1_COMMANDS: readonly Command[] = [
  {
    path: ["l1", "settle"],
    summary: "post the state updates of accepted blocks to a development chain's core contract",
    options: settleOptions,
    positionals: NO_WORDS,
    notes:
      "Each update covers up to 500 blocks with their messages, starting after the core contract's\n" +
      "current block: a later run continues where an earlier one ended. Nothing is proven: the verifier\n" +
      "must be the development one; Ethereum and Sepolia (chain ids 1, 11155111) are refused.\n" +
      "Key file and contract can also be set in APPCHAIN_KEY_FILE and APPCHAIN_CORE_CONTRACT.",
    examples: [
      "l1 settle --dev --key-file key --core-contract 0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0",
      "l1 settle --dev --to 0",
    ],
    exitCodes: {
      0: "the core contract has the last block to settle, or a newer one",
      1: "L1 or the node did not answer or refused, or the core contract belongs to another chain",
      2: "the command line is wrong, the key file does not contain a key, or L1 is no development chain",
    },
    load: async () => (await import("./run-settle.ts")).runSettle,
  },
];
