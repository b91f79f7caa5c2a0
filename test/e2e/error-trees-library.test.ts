import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { hash } from "starknet";
import { rawCall, resultOf } from "#test/helpers/binary.ts";
import {
  dataOf,
  type ErrorTree,
  framesOf,
  invokeOf,
  selectorOf,
  type TransactionCall,
} from "#test/helpers/error-tree.ts";
import { NO_ESTIMATE } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const CLASS_FILE = resolve(import.meta.dir, "../contracts/frames/frames.sierra.json");
const DEPLOYER = "0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf";

const sierra = JSON.parse(readFileSync(CLASS_FILE, "utf8")) as { readonly abi: string };
/** Class of the contracts. */
const FRAMES = hash.computeContractClassHash(
  JSON.stringify({ ...sierra, abi: JSON.parse(sierra.abi) as unknown }),
);
const UNDECLARED = "0xabc";
const [FAIL, LIBRARY, CALL, REPLACE] = ["fail", "library", "call", "replace"].map(selectorOf) as [
  string,
  string,
  string,
  string,
];
const EXECUTE = selectorOf("__execute__");
const UNKNOWN = "0x3";

/** Address of a contract of the class `FRAMES` that the deployer creates with a salt. */
const deployed = (salt: string): string =>
  hash.calculateContractAddressFromHash(salt, FRAMES, [], 0);
const CONTRACT = deployed("0x1");
/** Contract that has replaced its class by the deployer's, which lacks its functions. */
const REPLACED = deployed("0x2");

const chain = useChain({
  args: ["--seed", "0", "--dev-accounts", "1", "--predeclare-class", CLASS_FILE],
});
const ACCOUNT = "0x64b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691";
let deployerClass = "";
let accountClass = "";

beforeAll(async () => {
  deployerClass = await chain.provider.getClassHashAt(DEPLOYER);
  accountClass = await chain.provider.getClassHashAt(ACCOUNT);
  const deploys = ["0x1", "0x2"].map((salt) => ({
    contractAddress: DEPLOYER,
    entrypoint: "deployContract",
    calldata: [FRAMES, salt, "0x0", "0x0"],
  }));
  const replaces = {
    contractAddress: REPLACED,
    entrypoint: "replace",
    calldata: [deployerClass],
  };
  await chain.account(0).execute([...deploys, replaces], NO_ESTIMATE);
  expect(BigInt(await chain.provider.getClassHashAt(REPLACED))).toBe(BigInt(deployerClass));
}, 120_000);

/** Contract, class and selector of a frame; a class of `null` is that of the deployer. */
type Frame = readonly [contract: string, classHash: string | null, selector: string];

const inLibrary: Frame = [CONTRACT, FRAMES, LIBRARY];
const inCall: Frame = [CONTRACT, FRAMES, CALL];
const failing: Frame = [CONTRACT, FRAMES, FAIL];
const NOT_FOUND = "('ENTRYPOINT_NOT_FOUND')";
const NOT_DECLARED = "0abc is not declared.";

/** Calldata that forwards a call. */
const pass = (to: string, selector: string, ...data: readonly string[]): string[] => [
  to,
  selector,
  `0x${data.length.toString(16)}`,
  ...data,
];

/**
 * Frames as in starknet-devnet 0.10.1 for the same requests. A forwarded panic has the account's
 * frame twice there: see {@link framesOfAccount}.
 */
const CASES: readonly (readonly [
  what: string,
  call: TransactionCall,
  frames: readonly Frame[],
  error: string,
])[] = [
  [
    "a library call that panics",
    [CONTRACT, LIBRARY, pass(FRAMES, FAIL)],
    [inLibrary, failing],
    "('asked to fail')",
  ],
  [
    "a library call in a library call that panics",
    [CONTRACT, LIBRARY, pass(FRAMES, LIBRARY, ...pass(FRAMES, FAIL))],
    [inLibrary, inLibrary, failing],
    "('asked to fail')",
  ],
  [
    "a library call of a function that the class lacks",
    [CONTRACT, LIBRARY, pass(FRAMES, LIBRARY, ...pass(FRAMES, UNKNOWN))],
    [inLibrary, inLibrary, [CONTRACT, FRAMES, UNKNOWN]],
    NOT_FOUND,
  ],
  [
    "a library call of another class that lacks the function",
    [CONTRACT, LIBRARY, pass("(deployer class)", FAIL)],
    [inLibrary, [CONTRACT, null, FAIL]],
    NOT_FOUND,
  ],
  [
    "a library call of an undeclared class",
    [CONTRACT, LIBRARY, pass(UNDECLARED, FAIL)],
    [inLibrary, [CONTRACT, UNDECLARED, FAIL]],
    NOT_DECLARED,
  ],
  [
    "a library call in a library call of an undeclared class",
    [CONTRACT, LIBRARY, pass(FRAMES, LIBRARY, ...pass(UNDECLARED, FAIL))],
    [inLibrary, inLibrary, [CONTRACT, UNDECLARED, FAIL]],
    NOT_DECLARED,
  ],
  [
    "a library call with malformed calldata",
    [CONTRACT, LIBRARY, pass(FRAMES, LIBRARY)],
    [inLibrary, inLibrary],
    "('Failed to deserialize param #1')",
  ],
  [
    "a library call in a call that panics",
    [CONTRACT, CALL, pass(CONTRACT, LIBRARY, ...pass(FRAMES, FAIL))],
    [inCall, inLibrary, failing],
    "('asked to fail')",
  ],
  [
    "a call in a library call that panics",
    [CONTRACT, LIBRARY, pass(FRAMES, CALL, ...pass(CONTRACT, FAIL))],
    [inLibrary, inCall, failing],
    "('asked to fail')",
  ],
  [
    "a call in a library call to a contract that is not deployed",
    [CONTRACT, LIBRARY, pass(FRAMES, CALL, ...pass("0xdead", FAIL))],
    [inLibrary, inCall, ["0xdead", "0x0", FAIL]],
    "dead is not deployed.",
  ],
  [
    "a call of a contract that has replaced its class",
    [CONTRACT, CALL, pass(REPLACED, FAIL)],
    [inCall, [REPLACED, null, FAIL]],
    NOT_FOUND,
  ],
  [
    "a call in a library call of a contract that has replaced its class",
    [CONTRACT, LIBRARY, pass(FRAMES, CALL, ...pass(REPLACED, FAIL))],
    [inLibrary, inCall, [REPLACED, null, FAIL]],
    NOT_FOUND,
  ],
  [
    "a replacement by an undeclared class",
    [CONTRACT, REPLACE, [UNDECLARED]],
    [[CONTRACT, FRAMES, REPLACE]],
    NOT_DECLARED,
  ],
  [
    "a replacement in a library call by an undeclared class",
    [CONTRACT, LIBRARY, pass(FRAMES, REPLACE, UNDECLARED)],
    [inLibrary, [CONTRACT, FRAMES, REPLACE]],
    NOT_DECLARED,
  ],
];

const words = (frames: readonly Frame[]): string[] =>
  frames.map(([contract, classHash, selector]) =>
    [contract, classHash ?? deployerClass, selector].map((word) => BigInt(word)).join(" "),
  );

/** Calls with the deployer's class, known only while the chain runs. */
const filled = (calls: readonly TransactionCall[]): TransactionCall[] =>
  calls.map(([to, selector, data]) => [
    to,
    selector,
    data.map((word) => (word === "(deployer class)" ? deployerClass : word)),
  ]);

/** Frames of a transaction, led by those of the account; a panic repeats the account's frame. */
function framesOfAccount(frames: readonly Frame[], error: string): string[] {
  const account: Frame = [ACCOUNT, accountClass, EXECUTE];
  return words(error.startsWith("(") ? [account, account, ...frames] : [account, ...frames]);
}

function expectTree(tree: ErrorTree | undefined, frames: readonly string[], error: string): void {
  const found = framesOf(tree);
  const flat = found.map((frame) =>
    typeof frame === "string"
      ? frame
      : [frame.contract_address, frame.class_hash, frame.selector].map(BigInt).join(" "),
  );
  expect(flat).toEqual([...frames, expect.stringContaining(error)]);
}

const FRAME = /contract address: (0x\w+), class hash: (0x\w+), selector: (0x\w+)/g;

/** Frames named in the text of a reverted transaction, one per line. */
function framesInText(text: string): string[] {
  return [...text.matchAll(FRAME)].map((match) => match.slice(1).map(BigInt).join(" "));
}

async function expectOfTransaction(
  calls: readonly TransactionCall[],
  frames: readonly Frame[],
  error: string,
): Promise<void> {
  const nonce = await chain.provider.getNonceForAddress(ACCOUNT);
  const transaction = invokeOf(ACCOUNT, filled(calls), [], nonce);
  const estimated = await rawCall(chain.url, "starknet_estimateFee", {
    request: [transaction],
    simulation_flags: ["SKIP_VALIDATE"],
    block_id: "latest",
  });
  expect(estimated.error?.code).toBe(41);
  const expected = framesOfAccount(frames, error);
  expectTree(dataOf(estimated)["execution_error"], expected, error);
  const [simulated] = await resultOf<
    { transaction_trace: { execute_invocation: { revert_reason: string } } }[]
  >(chain, "starknet_simulateTransactions", {
    transactions: [transaction],
    simulation_flags: ["SKIP_VALIDATE", "SKIP_FEE_CHARGE"],
    block_id: "latest",
  });
  const reason = simulated?.transaction_trace.execute_invocation.revert_reason ?? "";
  expect([...framesInText(reason), reason]).toEqual([...expected, expect.stringContaining(error)]);
}

describe.each(CASES)("%s", (_, call, frames, error) => {
  test("gives an error tree with one level per frame for a call", async () => {
    const [[to, selector, data]] = filled([call]) as [TransactionCall];
    const answer = await rawCall(chain.url, "starknet_call", {
      request: { contract_address: to, entry_point_selector: selector, calldata: data },
      block_id: "latest",
    });
    // starknet-devnet answers with 21 and no tree wherever a function is not found in the calls.
    expect(answer.error?.code).toBe(40);
    expectTree(dataOf(answer)["revert_error"], words(frames), error);
  });

  test("adds the account's levels in an estimate and a simulation", async () => {
    await expectOfTransaction([call], frames, error);
  });
});

test("a call to a function that the contract's new class lacks is ENTRYPOINT_NOT_FOUND", async () => {
  const answer = await rawCall(chain.url, "starknet_call", {
    request: { contract_address: REPLACED, entry_point_selector: FAIL, calldata: [] },
    block_id: "latest",
  });
  expect(answer.error?.code).toBe(21);
  await expectOfTransaction([[REPLACED, FAIL, []]], [[REPLACED, null, FAIL]], NOT_FOUND);
});

test.each([
  ["itself", [CONTRACT, REPLACE, ["(deployer class)"]]],
  ["in a library call", [CONTRACT, LIBRARY, pass(FRAMES, REPLACE, "(deployer class)")]],
] as const)(
  "a contract that replaces its class %s has the new class in the same transaction",
  async (_, replaces) => {
    const calls: TransactionCall[] = [replaces, [CONTRACT, FAIL, []]];
    await expectOfTransaction(calls, [[CONTRACT, null, FAIL]], NOT_FOUND);
  },
);
