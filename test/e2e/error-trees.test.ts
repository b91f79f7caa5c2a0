import { expect, test } from "bun:test";
import { hash } from "starknet";
import { rawCall } from "#test/helpers/binary.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { useChain } from "#test/helpers/use-chain.ts";

/** The account has the address that starknet-devnet gives it. */
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

interface Tree {
  readonly contract_address: string;
  readonly class_hash: string;
  readonly selector: string;
  readonly error: Tree | string;
}

/** What an error carries. */
function dataOf({ error }: Awaited<ReturnType<typeof rawCall>>): Readonly<Record<string, Tree>> {
  return (error?.data ?? {}) as Readonly<Record<string, Tree>>;
}

/** Contracts and selectors from the outermost frame inwards, and the innermost error. */
function flat(tree: Tree | string | undefined): string[] {
  if (typeof tree !== "object") return [String(tree)];
  expect(tree.class_hash).toMatch(/^0x[0-9a-f]+$/);
  return [`${tree.contract_address} ${tree.selector}`, ...flat(tree.error)];
}

const NO_BOUND = { max_amount: "0x0", max_price_per_unit: "0x0" };

/** An invoke of the account that makes one call. */
function invoke(
  to: string,
  selector: string,
  data: readonly string[],
  signature: readonly string[],
) {
  return {
    type: "INVOKE",
    version: "0x3",
    sender_address: ACCOUNT,
    calldata: ["0x1", to, selector, `0x${data.length.toString(16)}`, ...data],
    signature,
    nonce: "0x0",
    resource_bounds: { l1_gas: NO_BOUND, l2_gas: NO_BOUND, l1_data_gas: NO_BOUND },
    tip: "0x0",
    paymaster_data: [],
    account_deployment_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
  };
}

const account = `${ACCOUNT} ${EXECUTE}`;
const token = `${STRK} ${TRANSFER}`;
const TOO_MUCH = ["0x1", "0xffffffffffffffffffffffffffffff", "0x0"];

/** Frames as starknet-devnet 0.10.1 gives them for the same request, which repeats a call that passed a panic on. */
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
    "an entry point that is not there",
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
    "a class that is not declared",
    DEPLOYER,
    DEPLOY,
    ["0xabc", "0x1", "0x0", "0x0"],
    [account, `${DEPLOYER} ${DEPLOY}`, "(undeclared)", /0abc is not declared/],
  ],
] as const;

for (const [what, to, selector, given, frames] of CASES) {
  test(`${what} is a tree with a level for each frame`, async () => {
    const classHash = await chain.provider.getClassHashAt(STRK);
    const data = given.map((word) => (word === "(class)" ? classHash : word));
    const answer = await rawCall(chain.url, "starknet_estimateFee", {
      request: [invoke(to, selector, data, [])],
      simulation_flags: ["SKIP_VALIDATE"],
      block_id: "latest",
    });
    const told = flat(dataOf(answer)["execution_error"]);
    expect([answer.error?.code, told.length]).toEqual([41, frames.length]);
    for (const [i, frame] of frames.entries()) {
      if (typeof frame !== "string") expect(told[i]).toMatch(frame);
      else if (frame === "(new)") expect(told[i]).toEndWith(` ${CONSTRUCTOR}`);
      else if (frame === "(undeclared)") expect(told[i]).toEndWith(" 0x0");
      else expect(told[i]).toBe(frame);
    }
  });
}

test("so is a validation that fails, in an estimate and in a simulation", async () => {
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

test("so is a message from L1 for an entry point that is not there", async () => {
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
