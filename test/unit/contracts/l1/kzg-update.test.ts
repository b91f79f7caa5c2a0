import { describe, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  commitmentToVersionedHash,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseEventLogs,
  parseGwei,
  toHex,
} from "viem";
import {
  type ConstantBlob,
  CONSTANT_KZG,
  INFINITY,
  TWOS,
  ZEROS,
} from "#test/helpers/constant-blob.ts";
import { unlessPassedBefore } from "#test/helpers/passed-before.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { TEST_PROGRAM_HASH, updateOutput, words } from "#test/helpers/l1-core.ts";
import { type CoreWorld, useCore } from "#test/helpers/use-core.ts";

const UPDATE = {
  previous: { root: 0n, number: -1n, hash: 0n },
  next: { root: 11n, number: 0n, hash: 21n },
  toL1: [5n, 6n, 1n, 7n],
  toL2: [],
};
const Z = 0x1234567890abcdefn;
const KZG_FLAG = 8;
const HEADER_SIZE = 10;

const [TWOS_HASH, ZEROS_HASH] = [TWOS, ZEROS].map(({ commitment }) =>
  commitmentToVersionedHash({ commitment }),
) as [Hex, Hex];

const onL1 = useCore();

/** Hash of {@link inputs} with which proofs were verified. */
const PASSED = "4ee648b3611d7f95675ef7790a612946429406f48001a5b34a89881d3fb0e1f7";

/** The contract and the program that executes it. */
function inputs(): readonly string[] {
  const root = join(import.meta.dir, "../../../..");
  return ["contracts/l1/CoreContract.json", "node_modules/@foundry-rs/anvil/package.json"].map(
    (path) => readFileSync(join(root, path), "utf8"),
  );
}

/**
 * Output that describes the blobs: point, number, commitments, evaluations, each low part first.
 */
function outputOf(blobs: readonly ConstantBlob[]): bigint[] {
  const plain = updateOutput(UPDATE).with(KZG_FLAG, 1n);
  const commitments = blobs.flatMap(({ commitment }) => {
    const whole = BigInt(commitment);
    return [whole & (2n ** 192n - 1n), whole >> 192n];
  });
  const values = blobs.flatMap(({ value }) => [value, 0n]);
  return [
    ...plain.slice(0, HEADER_SIZE),
    Z,
    BigInt(blobs.length),
    ...commitments,
    ...values,
    ...plain.slice(HEADER_SIZE),
  ];
}

async function register({ verifier }: CoreWorld, output: readonly bigint[]): Promise<void> {
  const fact = keccak256(words([TEST_PROGRAM_HASH, BigInt(keccak256(words(output)))]));
  await verifier.send("registerFact", [fact]);
}

/** Refusal of the output in a transaction with blobs; "no refusal" if it is accepted. */
async function refusal(
  { anvil: { client, url }, core }: CoreWorld,
  output: readonly bigint[],
  proofs: readonly Hex[],
  blobHashes: readonly Hex[],
): Promise<string> {
  const functionName = "updateStateKzgDA";
  const transaction = {
    from: client.account.address,
    to: core.address,
    data: encodeFunctionData({ abi: CORE_ABI, functionName, args: [output, proofs] }),
    ...(blobHashes.length > 0 && {
      type: "0x3",
      blobVersionedHashes: blobHashes,
      maxFeePerBlobGas: toHex(parseGwei("30")),
    }),
  } as const;
  const { error } = await rawCall(url, "eth_call", [transaction, "latest"]);
  return error === undefined ? "no refusal" : error.message.replace("execution reverted: ", "");
}

// Offsets of the words after the header, for one blob.
const AT = { z: 10, blobs: 11, low: 12, high: 13, yLow: 14, yHigh: 15 };

/** Logs of an update that anvil includes, with these blobs. */
async function sentUpdate(
  { anvil, core }: CoreWorld,
  output: readonly bigint[],
  blobs: readonly ConstantBlob[],
): Promise<readonly string[]> {
  const args = [output, blobs.map(() => INFINITY)] as const;
  const hash = await anvil.client.sendTransaction({
    to: core.address,
    data: encodeFunctionData({ abi: CORE_ABI, functionName: "updateStateKzgDA", args }),
    ...(blobs.length > 0 && {
      blobs: blobs.map(({ blob }) => blob),
      kzg: CONSTANT_KZG,
      maxFeePerBlobGas: parseGwei("30"),
    }),
  });
  const { logs } = await anvil.client.waitForTransactionReceipt({ hash });
  const [fact, ...events] = parseEventLogs({ abi: CORE_ABI, logs });
  expect(fact?.args).toEqual({ stateTransitionFact: keccak256(words(output)) });
  expect(await core.read("stateBlockNumber")).toBe(0n);
  return events.map(({ eventName }) => eventName);
}

const EVENTS = ["LogMessageToL1", "LogStateUpdate"];

describe("updateStateKzgDA", () => {
  onL1("accepts an update without blobs", async (world) => {
    const output = outputOf([]);
    await register(world, output);
    expect(await refusal(world, output, [], [])).toBe("no refusal");
    expect(await world.core.refusal("updateState", [output, 0n, 0n])).toBe(
      "UNEXPECTED_KZG_DA_FLAG",
    );
    expect(await sentUpdate(world, output, [])).toEqual(EVENTS);
  });

  onL1("rejects outputs and proofs of another form, and missing blobs", async (world) => {
    const good = outputOf([TWOS]);
    await register(world, good);
    const blobs = [TWOS_HASH];
    expect(await refusal(world, good, [INFINITY], [])).toBe("INVALID_BLOB_INDEX");
    expect(await refusal(world, good, [], blobs)).toBe("INVALID_NUMBER_OF_KZG_PROOFS");
    const two = [INFINITY, INFINITY];
    expect(await refusal(world, good, two, blobs)).toBe("INVALID_NUMBER_OF_KZG_PROOFS");
    const long: Hex = `${INFINITY}00`;
    expect(await refusal(world, good, [long], blobs)).toBe("INVALID_KZG_PROOF_SIZE");
    expect(await refusal(world, good, ["0x"], blobs)).toBe("INVALID_KZG_PROOF_SIZE");
    for (const [at, value, text] of [
      [8, 0n, "UNEXPECTED_KZG_DA_FLAG"],
      [AT.blobs, 0n, "INVALID_NUMBER_OF_KZG_PROOFS"],
      [AT.blobs, 2n ** 256n - 1n, "INVALID_NUMBER_OF_KZG_PROOFS"],
      [AT.low, 2n ** 192n, "INVALID_KZG_COMMITMENT"],
      [AT.high, 2n ** 192n, "INVALID_KZG_COMMITMENT"],
      [AT.yLow, 2n ** 128n, "INVALID_Y_VALUE"],
      [AT.yHigh, 2n ** 128n, "INVALID_Y_VALUE"],
    ] as const) {
      const output = good.with(at, value);
      expect([at, await refusal(world, output, [INFINITY], blobs)]).toEqual([at, text]);
    }
    const short = [...good.slice(0, AT.z), Z];
    expect(await refusal(world, short, [INFINITY], blobs)).toBe("KZG_SEGMENT_TOO_SHORT");
    const cut = good.slice(0, AT.yHigh);
    expect(await refusal(world, cut, [INFINITY], blobs)).toBe("KZG_SEGMENT_TOO_SHORT");
  });

  // Anvil needs four seconds of processor time before it verifies its first proof.
  onL1("rejects mismatching blobs, commitments, values or proofs", (world) =>
    unlessPassedBefore(PASSED, inputs(), async () => {
      const good = outputOf([TWOS]);
      await register(world, good);
      const blobs = [TWOS_HASH];
      expect(await refusal(world, good, [INFINITY], blobs)).toBe("no refusal");
      const precompile = "POINT_EVALUATION_PRECOMPILE_CALL_FAILED";
      expect(await refusal(world, good, [INFINITY], [ZEROS_HASH])).toBe(precompile);
      expect(await refusal(world, good, [TWOS.commitment], blobs)).toBe(precompile);
      for (const [at, value, text] of [
        [AT.low, 1n, precompile],
        [AT.yLow, 3n, precompile],
        // The value at another point is the same, but the output differs.
        [AT.z, Z + 1n, "NO_STATE_TRANSITION_PROOF"],
      ] as const) {
        const output = good.with(at, value);
        expect([at, await refusal(world, output, [INFINITY], blobs)]).toEqual([at, text]);
      }
    }),
  );

  onL1("accepts an update with a proof for each blob", (world) =>
    unlessPassedBefore(PASSED, inputs(), async () => {
      const output = outputOf([TWOS, ZEROS]);
      await register(world, output);
      expect(await sentUpdate(world, output, [TWOS, ZEROS])).toEqual(EVENTS);
    }),
  );
});
