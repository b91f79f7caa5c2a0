import { describe, expect } from "bun:test";
import { encodeFunctionData, type Hex } from "viem";
import { CORE_ABI } from "#test/helpers/l1-core-abi.ts";
import { updateFact, updateOutput } from "#test/helpers/l1-core.ts";
import { l1Address, L1Contract } from "#test/helpers/l1-contract.ts";
import { deployTestContract } from "#test/helpers/l1-test-contract.ts";
import { type CoreWorld, useCore } from "#test/helpers/use-core.ts";

/** State after a number of updates. */
function stateAt(updates: number) {
  const count = BigInt(updates);
  return { root: count, number: count - 1n, hash: count };
}

const SENDER = BigInt(l1Address(1));

const onL1 = useCore();

/** Calldata of the update to a block, which consumes the message with its number as the nonce. */
async function update(
  { verifier }: CoreWorld,
  block: 0 | 1,
  toL1: readonly bigint[],
): Promise<Hex> {
  const toL2 = [SENDER, 7n, BigInt(block), 8n, 0n];
  const output = updateOutput({ previous: stateAt(block), next: stateAt(block + 1), toL1, toL2 });
  await verifier.send("registerFact", [updateFact(output)]);
  return encodeFunctionData({ abi: CORE_ABI, functionName: "updateState", args: [output, 0n, 0n] });
}

/** An operator that calls back when it receives the fees of the pending messages. */
async function attackerOf({ anvil, core }: CoreWorld): Promise<L1Contract> {
  const { address, abi } = await deployTestContract(anvil, "Attacker");
  await core.send("registerOperator", [address]);
  for (const value of [1_000n, 500n]) {
    await core.send("sendMessageToL2", [7n, 8n, []], { from: 1, value });
  }
  return new L1Contract(anvil, address, abi);
}

describe("the fee recipient of an update", () => {
  onL1("cannot post the next update within the first", async (world) => {
    const attacker = await attackerOf(world);
    const [first, next] = [await update(world, 0, []), await update(world, 1, [])];
    const { address } = world.core;
    expect(await attacker.refusal("attack", [address, first, next])).toBe("REENTRANCY_FAILURE");
    await attacker.send("attack", [address, first, "0x"]);
    await attacker.send("attack", [address, next, "0x"]);
    expect(await world.core.read("stateBlockNumber")).toBe(1n);
    expect(await world.anvil.client.getBalance({ address })).toBe(0n);
    expect(await world.anvil.client.getBalance({ address: attacker.address })).toBe(1_500n);
  });

  onL1("cannot post the same update within itself", async (world) => {
    const attacker = await attackerOf(world);
    const first = await update(world, 0, []);
    expect(await attacker.refusal("attack", [world.core.address, first, first])).toBe(
      "ETH_TRANSFER_FAILED",
    );
  });

  onL1("can consume a message of the update only once, also within it", async (world) => {
    const attacker = await attackerOf(world);
    const message = [5n, BigInt(attacker.address), 1n, 6n];
    const first = await update(world, 0, message);
    const consume = encodeFunctionData({
      abi: CORE_ABI,
      functionName: "consumeMessageFromL2",
      args: [5n, [6n]],
    });
    await attacker.send("attack", [world.core.address, first, consume]);
    const again = await attacker.refusal("attack", [world.core.address, consume, "0x"]);
    expect(again).toBe("INVALID_MESSAGE_TO_CONSUME");
  });

  onL1("blocks updates with fees while it does not accept ETH", async (world) => {
    const { core, deployed, anvil } = world;
    const attacker = await attackerOf(world);
    const first = await update(world, 0, []);
    // The collector accepted ETH when it was set; then its code is replaced by a proxy's, which
    // does not.
    await core.send("setFeeCollectionAddress", [attacker.address]);
    const bytecode = await anvil.client.getCode({ address: deployed.address });
    await anvil.client.setCode({ address: attacker.address, bytecode: bytecode ?? "0x" });
    const refused = core.rawRefusal(first);
    expect(await refused).toContain("ETH_TRANSFER_FAILED");
    await core.send("setFeeCollectionAddress", [l1Address(2)]);
    expect(await core.rawRefusal(first)).toBe("no refusal");
  });
});
