import { beforeAll, describe, expect } from "bun:test";
import { hash } from "starknet";
import {
  L1_CONTRACT,
  MessageChain,
  type MessageReceipt,
  ON_DEMAND,
} from "#test/helpers/message-chain.ts";
import { VERSIONS } from "#test/helpers/rpc.ts";
import { SHARED, sharedTest } from "#test/helpers/shared.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const chain = useStoppedChain(ON_DEMAND);
let world: MessageChain;

beforeAll(async () => {
  if (SHARED === undefined) return;
  await chain.start();
  world = await MessageChain.deploy(chain);
}, 60_000);

describe("a message to L1", () => {
  const PAYLOAD = ["0x7e3", "0x7e4", "0x7e5"];

  sharedTest("is in the receipt, flushed once and consumed as often as it was sent", async () => {
    const { devnet, contract } = world;
    const message = { from_address: contract, to_address: L1_CONTRACT, payload: PAYLOAD };
    const consume = () => devnet.postman.consumeMessageFromL2(contract, L1_CONTRACT, PAYLOAD);
    const refusal = { code: -1, message: "Message is fully consumed or does not exist." };
    const refused = async () =>
      expect(await consume().catch((error: unknown) => error)).toMatchObject(refusal);
    for (const sent of [
      await world.sendToL1(L1_CONTRACT, PAYLOAD),
      await world.sendToL1(L1_CONTRACT, PAYLOAD),
    ]) {
      for (const version of VERSIONS) {
        const { messages_sent } = await world.ask<MessageReceipt>(
          version,
          "getTransactionReceipt",
          [sent],
        );
        expect(messages_sent).toEqual([message]);
      }
    }
    const flush = async (dryRun = false) => {
      const { messages_to_l1, ...rest } = await devnet.postman.flush({ dryRun });
      expect(rest).toEqual({
        messages_to_l2: [],
        generated_l2_transactions: [],
        l1_provider: dryRun ? "dry run" : "mock",
      });
      return messages_to_l1;
    };
    // L1 knows no message of a block that is not accepted.
    expect(await flush()).toEqual([]);
    await refused();
    await devnet.createBlock();
    expect(await flush(true)).toEqual([message, message]);
    expect(await flush()).toEqual([message, message]);
    expect(await flush()).toEqual([]);
    const message_hash = hash.getL1MessageHash(contract, L1_CONTRACT, PAYLOAD);
    expect(await consume()).toEqual({ message_hash });
    expect(await consume()).toEqual({ message_hash });
    await refused();
  });
});
