import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createReexecution } from "#app/node/sync/reexecution.ts";
import { loadSigningKey } from "#app/node/storage/folder/signing-key.ts";
import type { WorkerContext } from "#app/node/threads/runtime.ts";
import type { SyncVerification } from "#app/node/setup/follow.ts";
import { createRetainedMemory } from "#engine/cairo/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { verifyBlockSignature } from "#protocol/chain/index.ts";
import { DeclareWorld } from "#test/helpers/declare-world.ts";
import { executionRequest, minted } from "#test/helpers/execution-requests.ts";
import { followOptions } from "#test/helpers/options.ts";
import { produce, STRANGER } from "#test/helpers/replay-world.ts";
import { executeOne } from "#test/helpers/migration-story.ts";

/**
 * Blocks with a plain transfer, and with a transfer plus an amount that the sequencer mints for
 * itself.
 */
const HONEST = 1;
const MINTING = 2;

let world: DeclareWorld;
beforeAll(async () => {
  world = await DeclareWorld.create("0.14.4");
  const { setup, chain } = world;
  const { nativeFeeTokenAddress: token, sequencerAddress } = setup.config;
  const transfer = (nonce: bigint) =>
    world.invoke(nonce, token, selectorFromName("transfer"), [STRANGER, 5n, 0n]);
  await produce(world, transfer(0n));
  const { producer, delta } = world.open(MINTING, chain.stateAt(HONEST));
  const executed = executeOne(producer, transfer(1n));
  const { delta: last, draft } = producer.seal();
  const stateDiff = minted(draft.stateDiff, token, balanceKey(sequencerAddress));
  await world.commit([delta, executed, last], { ...draft, stateDiff });
});
afterAll(() => world[Symbol.asyncDispose]());

function verifierOf(verify: SyncVerification) {
  const follow = followOptions({
    gateways: [{ feeder: "http://g/feeder_gateway", gateway: "http://g/gateway" }],
    verify,
  });
  const context = {
    setup: { ...world.setup, follow },
    cancelFlag: new SharedArrayBuffer(4),
    retainedMemory: createRetainedMemory().buffer,
  };
  const again = createReexecution(context as unknown as WorkerContext<"sync">, follow, world.chain);
  return { stop: () => again.stop(), verify: again.verifier };
}

describe("a sequencer that mints for itself with correct hashes", () => {
  test("signs the block validly", () => {
    const { header, signature } = executionRequest(world, MINTING).block;
    const key = loadSigningKey(world.setup.files.signingKey);
    expect(verifyBlockSignature(key.publicKey, header, signature)).toBe(true);
  });

  test("passes hash verification", async () => {
    expect(await verifierOf("hashes").verify(executionRequest(world, MINTING))).toBeUndefined();
  });

  test("is refused by re-execution", async () => {
    const { verify } = verifierOf("execution");
    expect(await verify(executionRequest(world, HONEST))).toBeUndefined();
    const refusal = await verify(executionRequest(world, MINTING));
    expect(refusal).toMatchObject({ check: "execution", blockNumber: MINTING });
    expect(refusal?.message).toStartWith("state_diff.storage_diffs of 0x4718f5a0fc34cc1af16a1cd");
  });
});

test("a thread that stops ends re-execution before the next transaction", async () => {
  const { stop, verify } = verifierOf("execution");
  const work = verify(executionRequest(world, HONEST));
  stop();
  expect(await work.then(() => "fulfilled", String)).toContain("the node stops");
});
