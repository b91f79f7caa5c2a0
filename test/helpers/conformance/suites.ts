import { OPTIONAL_PARAMETERS } from "./openrpc.ts";
import { STEP_EXCEPTIONS } from "./oracle-skipped-steps.ts";
import type { Exception, Suite } from "./suite.ts";

/** Exception for recorded responses that require an execution. */
function answersToExecute(folder: string, count: number): Exception {
  return {
    what: folder,
    items: new RegExp(`^[\\d.]+/${folder}/`),
    count,
    reason: "re-executed and compared by the next suite",
  };
}

const openrpc: Suite = {
  title: "JSON-RPC declarations",
  test: "test/spec/openrpc.test.ts",
  against:
    "OpenRPC files of the specifications 0.10.2, 0.9.0, 0.8.1 and 0.7.1: names, parameters in order, errors (of subscriptions in test/spec/openrpc-ws.test.ts)",
  unit: "methods",
  compared: 159,
  leftOut: [],
  inPart: [
    {
      what: OPTIONAL_PARAMETERS.join(", "),
      items: new RegExp(`^(${OPTIONAL_PARAMETERS.join("|")})$`),
      count: OPTIONAL_PARAMETERS.length,
      reason: "required by the specification, optional here",
    },
  ],
};

const errors: Suite = {
  title: "JSON-RPC errors",
  test: "test/spec/openrpc.test.ts",
  against: "OpenRPC files of the specification 0.10.2: codes and messages",
  unit: "errors",
  compared: 34,
  leftOut: [],
  inPart: [],
};

const answers: Suite = {
  title: "JSON-RPC responses",
  test: "test/spec/openrpc-small-answers.test.ts",
  against:
    "recorded responses of another node for its test chain, encoded by our node (also in test/spec/openrpc-responses.test.ts)",
  unit: "files",
  compared: 68,
  leftOut: [
    answersToExecute("fee_estimates", 21),
    answersToExecute("simulations", 19),
    answersToExecute("traces", 6),
    {
      what: "class_hash, class_at/sierra, broadcasted_transactions",
      items: /^[\d.]+\/(class_hash\/|class_at\/sierra|broadcasted)/,
      count: 10,
      reason: "requests, or values that tests of the methods compare with the schema instead",
    },
    {
      what: "0.8.0: transactions of the pre-confirmed block, state updates",
      items:
        /^0\.8\.0\/(transactions\/.*preconfirmed|transactions\/status_reverted\.|state_updates)/,
      count: 5,
      reason: "that node has no responses for them in this version: the files are empty",
    },
  ],
  inPart: [],
};

const executed: Suite = {
  title: "JSON-RPC estimates, simulations and traces",
  test: "test/spec/rpc-execution.test.ts",
  against:
    "recorded responses of another node, re-executed on its set-up and written in each version's shape, every field equal; protocols 0.13.0 to 0.14.0",
  unit: "files",
  compared: 45,
  leftOut: [
    {
      what: "0.8.0, traces of the block being built",
      items: /^0\.8\.0\/traces\/multiple_pre_confirmed_txs/,
      count: 1,
      reason:
        "that node shows an empty block there; our node shows the one being built as `pending`",
    },
  ],
  inPart: [],
};

const blocks: Suite = {
  title: "Block hashes and commitments",
  test: "test/spec/gateway-blocks.test.ts",
  against:
    "blocks of mainnet and the integration network, protocols from the first to 0.13.4, with state updates and signatures",
  unit: "files",
  compared: 17,
  leftOut: [
    {
      what: "integration network, pending block",
      items: /_pending\.json$/,
      count: 1,
      reason: "it has no hash yet",
    },
    {
      what: "mainnet 350000, state update",
      items: /^0\.12\.2\/state-update/,
      count: 1,
      reason: "its block is not among the files",
    },
    {
      what: "testnet 30000, traces",
      items: /\/traces\//,
      count: 1,
      reason: "its block is not among the files",
    },
  ],
  inPart: [],
};

const transactionHashes: Suite = {
  title: "Transaction hashes",
  test: "test/spec/hashes-transaction.test.ts",
  against: "public vectors of mainnet, every type and version; 12 of them with the query bit too",
  unit: "transactions",
  compared: 15,
  leftOut: [],
  inPart: [],
};

const classHashes: Suite = {
  title: "Class hashes",
  test: "test/spec/hashes-class.test.ts",
  against: "classes of compilers and SDKs with their class hash or compiled class hashes",
  unit: "classes",
  compared: 144,
  leftOut: [],
  inPart: [],
};

const legacyClassHashes: Suite = {
  title: "Class hashes of Cairo 0 on public networks",
  test: "test/unit/protocol/chain/legacy-class.test.ts",
  against: "classes of the networks and of SDKs, with odd attributes, tuples, offsets and versions",
  unit: "classes",
  compared: 11,
  leftOut: [],
  inPart: [],
};

const tries: Suite = {
  title: "Tries",
  test: "test/spec/patricia.test.ts",
  against: "public trees with updates, deletions and inclusion proofs",
  unit: "trees",
  compared: 8,
  leftOut: [],
  inPart: [],
};

const scenarios: Suite = {
  title: "Execution",
  test: "test/spec/oracle.test.ts",
  against:
    "scenarios of the reference execution engine, run on our engine, every field equal: hashes, gas, call trees, state diffs, error texts; protocols 0.13.0 to 0.14.4",
  unit: "steps",
  compared: 7879,
  leftOut: STEP_EXCEPTIONS,
  inPart: [
    {
      what: "steps after an omitted step",
      items: /^step /,
      count: 86,
      reason: "without their contribution to the block, which depends on the previous steps",
    },
    {
      what: "ends of scenarios with such a step",
      items: /^end /,
      count: 6,
      reason: "the state diff and the block's totals at the end contain the omitted steps",
    },
  ],
};

const fees: Suite = {
  title: "Fees",
  test: "test/spec/oracle-fees.test.ts",
  against: "resources, gas and fees of the reference execution engine, priced by our engine",
  unit: "receipts",
  compared: 4141,
  leftOut: [],
  inPart: [
    {
      what: "receipts of reverted transactions",
      items: /^reverted /,
      count: 1522,
      reason: "only gas: the bounds may reduce their fee, which the execution suite compares",
    },
  ],
};

const contracts: Suite = {
  title: "Shipped contracts and the machine",
  test: "test/spec/oracle-contracts.test.ts",
  against: "runs of the reference execution engine over our own contracts, every field equal",
  unit: "scenarios",
  compared: 15,
  leftOut: [],
  inPart: [],
};

const constants: Suite = {
  title: "Constants of protocol versions",
  test: "test/unit/protocol/versions/protocol-constants.test.ts",
  against: "the public constants files, every value",
  unit: "versions",
  compared: 14,
  leftOut: [],
  inPart: [],
};

const compiler: Suite = {
  title: "Compiler",
  test: "test/spec/compiler.test.ts",
  against: "programs and classes compiled by the reference compiler",
  unit: "programs",
  compared: 503,
  leftOut: [
    {
      what: "programs that loop without paying for it",
      items: /^program /,
      count: 13,
      reason: "the reference compiles them with its gas rules off, which no class may",
    },
  ],
  inPart: [],
};

/**
 * Every conformance suite, which compares with external data, by name; the only place where suites
 * are counted.
 */
export const SUITES = {
  openrpc,
  errors,
  answers,
  executed,
  blocks,
  transactionHashes,
  classHashes,
  legacyClassHashes,
  tries,
  scenarios,
  fees,
  contracts,
  constants,
  compiler,
} satisfies Readonly<Record<string, Suite>>;

/** Name of a suite. */
export type SuiteName = keyof typeof SUITES;
