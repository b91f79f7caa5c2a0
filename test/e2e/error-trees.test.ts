import { expect, test } from "bun:test";
import { hash } from "starknet";
import { rawCall } from "#test/helpers/binary.ts";
import { dataOf, type ErrorTree, framesOf, invokeOf } from "#test/helpers/error-tree.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

/** The account has its starknet-devnet address. */
const chain = useChain({ args: ["--seed", "0", "--dev-accounts", "1"] });
const ACCOUNT = "0x64b48806902a367c8598f4f95c305e8c1a1acba5f082d294a43793113115691";
const DEPLOYER = "0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bf";

const EXECUTE = hash.getSelectorFromName("__execute__");
const VALIDATE = hash.getSelectorFromName("__validate__");
const TRANSFER = hash.getSelectorFromName("transfer");
const DEPLOY = hash.getSelectorFromName("deployContract");
const CONSTRUCTOR = hash.getSelectorFromName("constructor");
const NONSENSE = hash.getSelectorFromName("nonsense");
const UNKNOWN = "0x3";

/** Contracts and selectors from the outermost frame inwards, and the innermost error. */
function flat(tree: ErrorTree | string | undefined): string[] {
  return framesOf(tree).map((frame) =>
    typeof frame === "string" ? frame : `${frame.contract_address} ${frame.selector}`,
  );
}

/** An invoke of the account that makes one call. */
function invoke(
  to: string,
  selector: string,
  data: readonly string[],
  signature: readonly string[],
) {
  return invokeOf(ACCOUNT, [[to, selector, data]], signature);
}

const account = `${ACCOUNT} ${EXECUTE}`;
const token = `${STRK} ${TRANSFER}`;
const TOO_MUCH = ["0x1", "0xffffffffffffffffffffffffffffff", "0x0"];

/**
 * Frames as in starknet-devnet 0.10.1 for the same request, which repeats a call that forwarded a
 * panic.
 */
const CASES = [
  [
    "a nested call that panics",
    STRK,
    TRANSFER,
    TOO_MUCH,
    [account, account, token, /insufficient balance/],
  ],
  [
    "a contract that is not deployed",
    "0xdead",
    TRANSFER,
    [],
    [account, `0xdead ${TRANSFER}`, /is not deployed/],
  ],
  [
    "a missing entry point",
    STRK,
    NONSENSE,
    [],
    [account, account, `${STRK} ${NONSENSE}`, /ENTRYPOINT_NOT_FOUND/],
  ],
  [
    "a constructor that panics",
    DEPLOYER,
    DEPLOY,
    ["(class)", "0x1", "0x0", "0x0"],
    [account, `${DEPLOYER} ${DEPLOY}`, "(new)", "(new)", /Failed to deserialize param #1/],
  ],
  [
    "an undeclared class",
    DEPLOYER,
    DEPLOY,
    ["0xabc", "0x1", "0x0", "0x0"],
    [account, `${DEPLOYER} ${DEPLOY}`, "(undeclared)", /0abc is not declared/],
  ],
] as const;

for (const [what, to, selector, words, frames] of CASES) {
  test(`${what} gives an error tree with one level per frame`, async () => {
    const classHash = await chain.provider.getClassHashAt(STRK);
    const data = words.map((word) => (word === "(class)" ? classHash : word));
    const answer = await rawCall(chain.url, "starknet_estimateFee", {
      request: [invoke(to, selector, data, [])],
      simulation_flags: ["SKIP_VALIDATE"],
      block_id: "latest",
    });
    const found = flat(dataOf(answer)["execution_error"]);
    expect([answer.error?.code, found.length]).toEqual([41, frames.length]);
    for (const [i, frame] of frames.entries()) {
      if (typeof frame !== "string") expect(found[i]).toMatch(frame);
      else if (frame === "(new)") expect(found[i]).toEndWith(` ${CONSTRUCTOR}`);
      else if (frame === "(undeclared)") expect(found[i]).toEndWith(" 0x0");
      else expect(found[i]).toBe(frame);
    }
  });
}

test("a failed validation gives an error tree in an estimate, and text in an older version", async () => {
  const transaction = invoke(STRK, TRANSFER, TOO_MUCH, ["0x1", "0x2"]);
  const estimated = await rawCall(chain.url, "starknet_estimateFee", {
    request: [transaction],
    simulation_flags: [],
    block_id: "latest",
  });
  expect(flat(dataOf(estimated)["execution_error"])).toEqual([
    `${ACCOUNT} ${VALIDATE}`,
    expect.stringContaining("invalid signature"),
  ]);
  const older = await rawCall(`${chain.url}/rpc/v0_7`, "starknet_estimateFee", {
    request: [transaction],
    simulation_flags: [],
    block_id: "latest",
  });
  expect(dataOf(older)["execution_error"]).toBeString();
});

test("an L1 message to a missing entry point gives an error tree", async () => {
  const answer = await rawCall(chain.url, "starknet_estimateMessageFee", {
    message: {
      from_address: "0x8359E4B0152ed5A731162D3c7B0D8D56edB165A0",
      to_address: STRK,
      entry_point_selector: UNKNOWN,
      payload: ["0x1"],
    },
    block_id: "latest",
  });
  const handler = `${STRK} ${UNKNOWN}`;
  expect(flat(dataOf(answer)["revert_error"])).toEqual([
    handler,
    handler,
    expect.stringContaining("ENTRYPOINT_NOT_FOUND"),
  ]);
});
