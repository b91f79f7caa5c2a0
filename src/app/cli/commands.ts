import type { Command } from "./command.ts";
import { NO_WORDS } from "./parse-arguments.ts";
import { RPC_CALL_WORDS, rpcCallOptions } from "./rpc-call-options.ts";
import { nodeOptions, sequencerOptions } from "./run-options.ts";
import { VALIDATE_WORDS, validateOptions } from "./validate-options.ts";

/** All commands, in the order of help. The first is the root form, `appchain --sequencer ...`. */
export const COMMANDS: readonly Command[] = [
  {
    path: [],
    summary: "run a node: the same as `node`",
    options: nodeOptions,
    positionals: NO_WORDS,
    notes: "Without a command these options run a node; appchain --version prints the version.",
    load: async () => (await import("./run-node.ts")).runNode,
  },
  {
    path: ["node"],
    summary: "run a full node (not built yet), or with --sequencer the sequencer",
    options: nodeOptions,
    positionals: NO_WORDS,
    load: async () => (await import("./run-node.ts")).runNode,
  },
  {
    path: ["sequencer"],
    summary: "run the sequencer: the same as `node --sequencer`",
    options: sequencerOptions,
    positionals: NO_WORDS,
    notes: "Example: appchain sequencer --preset devnet",
    load: async () => (await import("./run-node.ts")).runSequencer,
  },
  {
    path: ["bootstrap"],
    summary: "deploy the initial contracts of a new chain (not built yet)",
    options: {},
    positionals: NO_WORDS,
    load: async () => (await import("./bootstrap.ts")).runBootstrap,
  },
  {
    path: ["config", "validate"],
    summary: "check a chain configuration and report everything wrong",
    options: validateOptions,
    positionals: VALIDATE_WORDS,
    notes: "Exit code 0 when it is valid, 2 when it is not.",
    load: async () => (await import("./validate.ts")).runValidate,
  },
  {
    path: ["rpc", "call"],
    summary: "call a JSON-RPC method of a running node and print the result",
    options: rpcCallOptions,
    positionals: RPC_CALL_WORDS,
    notes:
      "Exit code 1 on a JSON-RPC error, which is printed to standard error.\n" +
      "Example: appchain rpc call chain_getNonce latest 0x123",
    load: async () => (await import("./rpc-call.ts")).runRpcCall,
  },
];

/** Also those that help does not show. */
export const ALL_COMMANDS: readonly Command[] = [
  ...COMMANDS,
  {
    // COMPILER_COMMAND of #node/index.ts, which is loaded only when it is called.
    path: ["__compiler"],
    summary: "compile classes for a node, as its child process",
    hidden: true,
    options: {},
    positionals: NO_WORDS,
    load: async () => (await import("./compiler.ts")).runCompiler,
  },
];
