import type { Command, ExitCodes } from "./command.ts";
import { bootstrapOptions } from "./bootstrap/options.ts";
import { BRIDGE_COMMANDS } from "./bridge/commands.ts";
import { devnetCommandOptions } from "./devnet/options.ts";
import { CLASS_WORDS, classCompileOptions, classHashOptions } from "./class/options.ts";
import { DB_COMMANDS } from "./db/commands.ts";
import { SNAPSHOT_COMMANDS } from "./snapshot/commands.ts";
import { L1_COMMANDS } from "./l1/commands.ts";
import { CONFIG_WORDS } from "./config-source.ts";
import { NO_WORDS, type PositionalLimits } from "./parse-arguments.ts";
import { replayOptions } from "./replay/replay-options.ts";
import { RPC_CALL_WORDS, rpcCallOptions } from "./rpc-call-options.ts";
import { versionOptions } from "./version/options.ts";
import { SHELL_WORDS } from "./completions/shells.ts";
import { configOptions, nodeOptions, sequencerOptions, showOptions } from "#app/options/index.ts";

const USAGE = "the command line or the configuration is wrong";

const NODE_CODES: ExitCodes = {
  0: "the node was stopped (SIGINT, SIGTERM)",
  1: "it could not start, or a part of it failed",
  2: `${USAGE}, or the data directory belongs to another chain`,
  4: "another sequencer of the chain is the leader, or has taken over",
  130: "a second stop signal arrived before the node had stopped",
};

const CONFIG_CODES: ExitCodes = { 0: "the configuration is valid", 2: USAGE };

const CLASS_CODES: ExitCodes = {
  1: "the file contains no class, it does not compile, or the command was stopped",
  2: "the command line is wrong, or the file cannot be read",
  3: "compiling exceeded the time or memory limit; says nothing about the class",
};

const HELP_WORDS: PositionalLimits = {
  words: [{ name: "COMMAND", summary: "words of the command, such as config validate" }],
  min: 0,
  rest: true,
};

/** All commands, in the order of help. The first is the root form, `appchain --sequencer ...`. */
export const COMMANDS: readonly Command[] = [
  {
    path: [],
    summary: "run a node: the same as `node`",
    options: nodeOptions,
    positionals: NO_WORDS,
    notes:
      "Without a command, the options of `node` run a node.\n" +
      "appchain help COMMAND explains a command.",
    examples: [
      "sequencer --preset devnet",
      "node --preset mainnet",
      "--sequencer --chain-config-path chain.yaml",
    ],
    exitCodes: NODE_CODES,
    load: async () => (await import("./run-node.ts")).runNode,
  },
  {
    path: ["node"],
    summary: "run a full node, or with --sequencer the sequencer",
    options: nodeOptions,
    positionals: NO_WORDS,
    notes:
      "A full node follows the gateway of --gateway-url, or else the configuration's, and verifies\n" +
      "every block before it stores it; it forwards transactions to the gateway.",
    examples: [
      "node --preset mainnet",
      "node --chain-config-path chain.yaml --gateway-url http://sequencer:8080",
      "node --preset sepolia --verify execution",
      "node --sequencer --preset devnet",
    ],
    exitCodes: NODE_CODES,
    load: async () => (await import("./run-node.ts")).runNode,
  },
  {
    path: ["sequencer"],
    summary: "run the sequencer: the same as `node --sequencer`",
    options: sequencerOptions,
    positionals: NO_WORDS,
    examples: [
      "sequencer --preset devnet",
      "sequencer --preset devnet --ephemeral -p 5050",
      "sequencer --preset devnet --reset --dev-accounts 3 --config-out accounts.json",
      "sequencer --chain-config-path chain.yaml --base-path /var/lib/appchain",
      "sequencer --chain-config-path chain.yaml --publish-gate s3://bucket/chain --standby",
    ],
    exitCodes: NODE_CODES,
    load: async () => (await import("./run-node.ts")).runSequencer,
  },
  {
    path: ["devnet"],
    summary: "run a development chain with the command line of starknet-devnet",
    options: devnetCommandOptions,
    positionals: NO_WORDS,
    notes:
      "The program does the same under the name appchain-devnet: create a link with that name.\n" +
      "The chain is kept in a temporary folder. Variables with starknet-devnet's names work as well (PORT).\n" +
      "`sequencer --preset devnet` has more options, and keeps the chain.",
    examples: [
      "devnet",
      "devnet --port 5051 --seed 0 --accounts 3",
      "devnet --block-generation-on demand --initial-balance 1000000",
    ],
    exitCodes: NODE_CODES,
    load: async () => (await import("./devnet/run-devnet.ts")).runDevnet,
  },
  {
    path: ["bootstrap"],
    summary: "deploy the initial contracts of a new chain on L1 and L2",
    options: bootstrapOptions,
    positionals: NO_WORDS,
    notes:
      "Its settings come from environment variables: APP_CHAIN_ID,\n" +
      "ETH_CHAIN_ID, ETH_RPC, ROLLUP_SEQ_URL, ETH_PRIV_KEY, ROLLUP_PRIV_KEY, L1_DEPLOYER_ADDRESS,\n" +
      "L2_DEPLOYER_ADDRESS, FEE_TOKEN_ADDRESS, VERIFIER_ADDRESS, OPERATOR_ADDRESS,\n" +
      "L1_MULTISIG_ADDRESS, L2_MULTISIG_ADDRESS, SN_OS_PROGRAM_HASH, SN_OS_CONFIG_HASH_VERSION,\n" +
      "L1_WAIT_TIME, CROSS_CHAIN_WAIT_TIME. Keys can be read from files: ETH_PRIV_KEY_FILE,\n" +
      "ROLLUP_PRIV_KEY_FILE. All are checked before any request is sent.",
    examples: [
      "bootstrap --plan",
      "bootstrap --plan --genesis genesis.yaml",
      "bootstrap --only l1",
      "bootstrap --dev",
      "bootstrap --resume --addresses my-chain.json",
    ],
    exitCodes: {
      0: "every step is done, or the requested output is printed",
      1: "a step failed, or a node does not answer: run it again",
      2: `${USAGE}, or variables, L1 or the chain do not match`,
    },
    load: async () => (await import("./bootstrap/run-bootstrap.ts")).runBootstrap,
  },
  ...BRIDGE_COMMANDS,
  {
    path: ["config", "validate"],
    summary: "check a chain configuration and report all errors",
    options: configOptions,
    positionals: CONFIG_WORDS,
    examples: [
      "config validate chain.yaml",
      "config validate --preset mainnet --chain-config-override block_time=5s",
      "config validate - < chain.yaml",
    ],
    exitCodes: CONFIG_CODES,
    load: async () => (await import("./validate.ts")).runValidate,
  },
  {
    path: ["config", "show"],
    summary: "print a chain configuration as YAML with all defaults and overrides",
    options: showOptions,
    positionals: CONFIG_WORDS,
    notes: "Paths are printed in full; the output is a valid configuration.",
    examples: [
      "config show --preset devnet",
      "config show chain.yaml --chain-config-override chain_id=MINE",
    ],
    exitCodes: CONFIG_CODES,
    load: async () => (await import("./show.ts")).runShow,
  },
  {
    path: ["rpc", "call"],
    summary: "call a JSON-RPC method of a running node and print the result",
    options: rpcCallOptions,
    positionals: RPC_CALL_WORDS,
    notes:
      "For a block id, a number, a block hash or a tag such as latest can be given directly.\n" +
      "The result goes to standard output, a JSON-RPC error to standard error.",
    examples: [
      "rpc call blockNumber",
      "rpc call getBlockWithTxHashes 5",
      "rpc call chain_getNonce latest 0x123",
      `rpc call getStorageAt --params '{"contract_address":"0x1","key":"0x2","block_id":"latest"}'`,
      "rpc call syncing --url 127.0.0.1:5050",
    ],
    exitCodes: {
      0: "the result is printed",
      1: "the node returned a JSON-RPC error, or did not answer",
      2: USAGE,
    },
    load: async () => (await import("./rpc-call.ts")).runRpcCall,
  },
  {
    path: ["replay"],
    summary: "re-execute another node's blocks from its JSON-RPC responses and compare",
    options: replayOptions,
    positionals: NO_WORDS,
    notes:
      "Only the preceding block is trusted: what a block reads is proven against that block's state\n" +
      "root, and receipts, state diff, state root, commitments and block hash are recomputed.\n" +
      "The configuration is the preset with the node's chain id unless one is given.",
    examples: [
      "replay --block 5",
      "replay --url 127.0.0.1:5050 --from 1 --to 20 --preset devnet",
      "replay --url https://node.example/rpc/v0_10 --block 700000 --preset mainnet",
    ],
    exitCodes: {
      0: "every block agrees",
      1: "a block differs, and the first difference is printed; or the node did not answer as required",
      2: USAGE,
      3: "compiling a class exceeded the time or memory limit; says nothing about the block",
    },
    load: async () => (await import("./replay/run-replay.ts")).runReplay,
  },
  {
    path: ["class", "compile"],
    summary: "compile a class from Sierra to CASM, and print its hashes",
    options: classCompileOptions,
    positionals: CLASS_WORDS,
    notes:
      "FILE is the output of scarb (*.contract_class.json) or starknet-compile, of at most 64 MiB.\n" +
      "With --out the hashes go to standard output, without it to standard error.\n" +
      "A declare names one compiled class hash: Blake from protocol 0.14.1 on, Poseidon before.\n" +
      "The bytecode has no limit unless --max-bytecode-size sets one; Starknet's is 81920 felts.\n" +
      "A libfunc that is not audited, which no network accepts, is refused with its name.",
    examples: [
      "class compile target/dev/counter.contract_class.json --out counter.casm.json",
      "class compile counter.sierra.json --max-bytecode-size 81920 --out -",
      "class compile - < counter.sierra.json",
    ],
    exitCodes: {
      0: "the class is compiled and written",
      ...CLASS_CODES,
      1: `${CLASS_CODES[1]}, or the compiled one cannot be written`,
    },
    load: async () => (await import("./class/run-class-compile.ts")).runClassCompile,
  },
  {
    path: ["class", "hash"],
    summary: "print the class hash and both compiled class hashes of a class",
    options: classHashOptions,
    positionals: CLASS_WORDS,
    notes:
      "FILE is the output of scarb (*.contract_class.json) or starknet-compile, of at most 64 MiB.\n" +
      "A Cairo 0 class, as written by starknet-compile-deprecated, has a class hash only.\n" +
      "For a class that does not compile, the class hash is printed as well.\n" +
      "A declare names one compiled class hash: Blake from protocol 0.14.1 on, Poseidon before.",
    examples: [
      "class hash target/dev/counter.contract_class.json",
      "class hash - < counter.sierra.json",
    ],
    exitCodes: { 0: "the hashes are printed", ...CLASS_CODES },
    load: async () => (await import("./class/run-class-hash.ts")).runClassHash,
  },
  ...DB_COMMANDS,
  ...SNAPSHOT_COMMANDS,
  ...L1_COMMANDS,
  {
    path: ["completions"],
    summary: "print a script that completes commands and options in bash, zsh or fish",
    options: {},
    positionals: SHELL_WORDS,
    notes:
      "Bash: source <(appchain completions bash), in ~/.bashrc. Zsh: the same with zsh, in ~/.zshrc after\n" +
      "compinit. Fish: appchain completions fish > ~/.config/fish/completions/appchain.fish",
    examples: ["completions bash", "completions zsh", "completions fish"],
    exitCodes: { 0: "the script is printed", 2: USAGE },
    load: async () => (await import("./completions/run-completions.ts")).runCompletions,
  },
  {
    path: ["help"],
    summary: "print the help of a command: the same as --help after it",
    options: {},
    positionals: HELP_WORDS,
    examples: ["help", "help config validate"],
    exitCodes: { 0: "the help is printed", 2: "the command does not exist" },
    load: async () => (await import("./run-help.ts")).runHelp,
  },
  {
    path: ["version"],
    summary: "print the version and commit: the same as --version and -V",
    options: versionOptions,
    positionals: NO_WORDS,
    examples: ["version", "version --verbose"],
    exitCodes: { 0: "the version is printed", 2: USAGE },
    load: async () => (await import("./version/run-version.ts")).runVersion,
  },
];

/** All commands, including those hidden from help. */
export const ALL_COMMANDS: readonly Command[] = [
  ...COMMANDS,
  {
    // COMPILER_COMMAND of `#app/node`, which is not loaded for this.
    path: ["__compiler"],
    summary: "compile classes for a node, as its child process",
    hidden: true,
    options: {},
    positionals: { words: [{ name: "NICENESS", summary: "priority, 0 to 19" }], min: 1 },
    examples: [],
    exitCodes: { 0: "stopped by the node" },
    load: async () => (await import("./compiler.ts")).runCompiler,
  },
];
