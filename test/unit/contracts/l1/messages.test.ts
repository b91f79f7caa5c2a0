import { describe, expect } from "bun:test";
import fc from "fast-check";
import { keccak256, toHex } from "viem";
import { l1MessageHash, l2MessageHash } from "#protocol/chain/index.ts";
import { postUpdate, words } from "#test/helpers/l1-core.ts";
import { l1Address } from "#test/helpers/l1-contract.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { useCore } from "#test/helpers/use-core.ts";

const TO = 0x073314940630fd6dcda0d772d4c972c4e0a9946bef9dabf4ef84eda8ef542b82n;
const SELECTOR = 0x2d757788a8d8d6f21d1cd40bce38a8222d70654214e96ff95d8086e684fbee5n;
const DELAY_SECONDS = 5n * 24n * 3600n;
const MAX_256 = 2n ** 256n - 1n;

/** Messages of Goerli with their hashes on L1, from the tests of public clients. */
const TO_L2 = [
  {
    from: "0xc3511006C04EF1d78af4C8E0e74Ec18A6E64Ff9e",
    to: TO,
    selector: SELECTOR,
    payload: [
      0x689ead7d814e51ed93644bc145f0754839b8dcb340027ce0c30953f38f55d7n,
      0x2c68af0bb140000n,
      0n,
    ],
    nonce: 775628n,
    hash: "0xc51a543ef9563ad2545342b390b67edfcddf9886aa36846cf70382362fc5fab3",
  },
  {
    from: "0xeccd821d0322fbc176497ae39fd2a05a5072573f",
    to: 0x07fd01e7edd2a555ff389efb8335b75c3e3372f8f77aab4902a0bdb28e885975n,
    selector: 0x03636c566f6409560d55d5f6d1eb4ee163b096b4698c503e69e210be79de2afan,
    payload: [0x78n, 0n, 0x5db3cc6d76acec9582cac3a93a061e628a82218fn, 0x16345785d8a0000n, 0n],
    nonce: 4433n,
    hash: "0x36a1da35d6bf1166fac4a0eb366f58c1c336a82206b36b652159fa0735872dd8",
  },
] as const;

const TO_L1 = {
  from: 0x0164cba33fb7152531f6b4cfc3fff26b4d7b26b4900e0881042edd607b428a92n,
  to: "0xb6dbfaa86bb683152e4fc2401260f9ca249519c0",
  payload: [0n, 0n, 0x0182b8n, 0n, 0x0384n, 0n],
  hash: "0x326a04493fc8f24ac6c6ae7bdba23243ce03ec3aae53f0ed3a0d686eb8cac930",
} as const;

const onL1 = useCore();

const NONE = { root: 0n, number: -1n, hash: 0n };
const FIRST = { root: 1n, number: 0n, hash: 2n };

describe("message hashes of the core contract", () => {
  onL1("match those of real messages on L1", async ({ core }) => {
    for (const { from, to, selector, payload, nonce, hash } of TO_L2) {
      expect(await core.read("l1ToL2MsgHash", from, to, selector, payload, nonce)).toBe(hash);
    }
    const { from, to, payload, hash } = TO_L1;
    expect(await core.read("l2ToL1MsgHash", from, to, payload)).toBe(hash);
  });

  onL1("match those of the node for random messages", async ({ core }) => {
    const felt = fc.bigInt({ min: 0n, max: 2n ** 251n });
    const address = fc.bigInt({ min: 0n, max: 2n ** 160n - 1n });
    const message = fc.record({
      felt,
      address,
      selector: felt,
      nonce: felt,
      payload: fc.array(felt),
    });
    await assertProperty(
      fc.asyncProperty(message, async ({ felt: to, address: l1, selector, nonce, payload }) => {
        const hex = toHex(l1, { size: 20 });
        expect(await core.read("l1ToL2MsgHash", hex, to, selector, payload, nonce)).toBe(
          toHex(
            l1MessageHash({
              contractAddress: to,
              entryPointSelector: selector,
              nonce,
              calldata: [l1, ...payload],
            }),
            { size: 32 },
          ),
        );
        expect(await core.read("l2ToL1MsgHash", to, hex, payload)).toBe(
          toHex(l2MessageHash({ fromAddress: to, toAddress: l1, payload }), { size: 32 }),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe("sendMessageToL2", () => {
  onL1("stores fee + 1 under the hash, logs the message and counts nonces", async ({ core }) => {
    const payload = [1n, MAX_256];
    for (const [nonce, value] of [
      [0n, 1n],
      [1n, 10n ** 18n],
    ] as const) {
      expect(await core.read("l1ToL2MessageNonce")).toBe(nonce);
      const events = await core.send("sendMessageToL2", [TO, SELECTOR, payload], {
        from: 1,
        value,
      });
      const fromAddress = l1Address(1);
      expect(events).toEqual([
        {
          eventName: "LogMessageToL2",
          args: { fromAddress, toAddress: TO, selector: SELECTOR, payload, nonce, fee: value },
        },
      ]);
      const words_ = [BigInt(fromAddress), TO, nonce, SELECTOR, 2n, ...payload];
      expect(await core.read("l1ToL2Messages", keccak256(words(words_)))).toBe(value + 1n);
    }
    expect(await core.read("l1ToL2MessageNonce")).toBe(2n);
    expect(await core.read("getMaxL1MsgFee")).toBe(10n ** 18n);
  });

  onL1("requires a fee of at most one ether", async ({ core }) => {
    const args = [TO, SELECTOR, []];
    expect(await core.refusal("sendMessageToL2", args)).toBe("L1_MSG_FEE_MUST_BE_GREATER_THAN_0");
    expect(await core.refusal("sendMessageToL2", args, { value: 10n ** 18n + 1n })).toBe(
      "MAX_L1_MSG_FEE_EXCEEDED",
    );
  });
});

describe("cancellation of an L1 message", () => {
  const args = [TO, SELECTOR, [7n], 0n] as const;

  onL1("is possible five days after its start and removes the message", async ({ anvil, core }) => {
    expect(await core.read("messageCancellationDelay")).toBe(DELAY_SECONDS);
    await core.send("sendMessageToL2", [TO, SELECTOR, [7n]], { value: 9n });
    expect(await core.refusal("cancelL1ToL2Message", args)).toBe(
      "MESSAGE_CANCELLATION_NOT_REQUESTED",
    );
    const [started] = await core.send("startL1ToL2MessageCancellation", args);
    expect(started?.eventName).toBe("MessageToL2CancellationStarted");
    const hash = await core.read("l1ToL2MsgHash", l1Address(0), TO, SELECTOR, [7n], 0n);
    const { timestamp } = await anvil.client.getBlock();
    expect(await core.read("l1ToL2MessageCancellations", hash)).toBe(timestamp);
    // The message is still pending: L2 may consume it until it is canceled.
    expect(await core.read("l1ToL2Messages", hash)).toBe(10n);

    await anvil.client.setNextBlockTimestamp({ timestamp: timestamp + DELAY_SECONDS - 1n });
    await anvil.client.mine({ blocks: 1 });
    expect(await core.refusal("cancelL1ToL2Message", args)).toBe(
      "MESSAGE_CANCELLATION_NOT_ALLOWED_YET",
    );
    await anvil.client.setNextBlockTimestamp({ timestamp: timestamp + DELAY_SECONDS });
    const [canceled] = await core.send("cancelL1ToL2Message", args);
    expect(canceled).toMatchObject({
      eventName: "MessageToL2Canceled",
      args: { fromAddress: l1Address(0), toAddress: TO, payload: [7n], nonce: 0n },
    });
    expect(await core.read("l1ToL2Messages", hash)).toBe(0n);
    expect(await core.refusal("cancelL1ToL2Message", args)).toBe("NO_MESSAGE_TO_CANCEL");
    expect(await core.refusal("startL1ToL2MessageCancellation", args)).toBe("NO_MESSAGE_TO_CANCEL");
  });

  onL1("is restricted to the sender", async ({ core }) => {
    await core.send("sendMessageToL2", [TO, SELECTOR, [7n]], { value: 9n });
    for (const name of ["startL1ToL2MessageCancellation", "cancelL1ToL2Message"]) {
      expect(await core.refusal(name, args, { from: 1 })).toBe("NO_MESSAGE_TO_CANCEL");
      expect(await core.refusal(name, [TO, SELECTOR, [7n], 1n])).toBe("NO_MESSAGE_TO_CANCEL");
    }
  });

  onL1("restarts its delay when it is requested again", async ({ anvil, core }) => {
    await core.send("sendMessageToL2", [TO, SELECTOR, [7n]], { value: 9n });
    await core.send("startL1ToL2MessageCancellation", args);
    await anvil.client.increaseTime({ seconds: Number(DELAY_SECONDS) - 10 });
    await core.send("startL1ToL2MessageCancellation", args);
    await anvil.client.increaseTime({ seconds: 100 });
    expect(await core.refusal("cancelL1ToL2Message", args)).toBe(
      "MESSAGE_CANCELLATION_NOT_ALLOWED_YET",
    );
  });

  onL1("fails if the delay overflows", async ({ core }) => {
    await core.send("sendMessageToL2", [TO, SELECTOR, [7n]], { value: 9n });
    await core.send("startL1ToL2MessageCancellation", args);
    await core.send("setMessageCancellationDelay", [MAX_256]);
    expect(await core.refusal("cancelL1ToL2Message", args)).toBe("CANCEL_ALLOWED_TIME_OVERFLOW");
  });

  onL1("fails if an update consumed the message", async ({ anvil, core, deployed }) => {
    await core.send("sendMessageToL2", [TO, SELECTOR, [7n]], { value: 9n });
    await core.send("startL1ToL2MessageCancellation", args);
    const toL2 = [BigInt(l1Address(0)), TO, 0n, SELECTOR, 1n, 7n];
    await postUpdate(anvil, deployed, { previous: NONE, next: FIRST, toL1: [], toL2 });
    await anvil.client.increaseTime({ seconds: Number(DELAY_SECONDS) });
    expect(await core.refusal("cancelL1ToL2Message", args)).toBe("NO_MESSAGE_TO_CANCEL");
  });
});

describe("a message to L1", () => {
  const recipient = l1Address(1);
  const message = [TO, BigInt(recipient), 2n, 5n, 6n];

  onL1(
    "is consumed only by its recipient, as often as it was sent",
    async ({ anvil, core, deployed }) => {
      await postUpdate(anvil, deployed, {
        previous: NONE,
        next: FIRST,
        toL1: [...message, ...message],
        toL2: [],
      });
      const hash = keccak256(words(message));
      expect(await core.read("l2ToL1Messages", hash)).toBe(2n);
      const args = [TO, [5n, 6n]];
      expect(await core.refusal("consumeMessageFromL2", args, { from: 2 })).toBe(
        "INVALID_MESSAGE_TO_CONSUME",
      );
      expect(await core.refusal("consumeMessageFromL2", [TO, [5n, 7n]], { from: 1 })).toBe(
        "INVALID_MESSAGE_TO_CONSUME",
      );
      for (const left of [1n, 0n]) {
        expect(await core.send("consumeMessageFromL2", args, { from: 1 })).toEqual([
          {
            eventName: "ConsumedMessageToL1",
            args: { fromAddress: TO, toAddress: recipient, payload: [5n, 6n] },
          },
        ]);
        expect(await core.read("l2ToL1Messages", hash)).toBe(left);
      }
      expect(await core.refusal("consumeMessageFromL2", args, { from: 1 })).toBe(
        "INVALID_MESSAGE_TO_CONSUME",
      );
    },
  );
});
