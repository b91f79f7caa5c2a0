import { describe, expect, test } from "bun:test";
import { devnetServiceWorld as world } from "#test/helpers/devnet-service-world.ts";
import { CONTRACT } from "#test/helpers/sample-chain.ts";

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a devnet response", () => {
  const message = {
    l1ContractAddress: 0x11n,
    l2ContractAddress: CONTRACT,
    entryPointSelector: 0x12n,
    payload: [],
    nonce: 3n,
    paidFeeOnL1: 4n,
    l1TransactionHash: null,
  };
  const asked = {
    mint: ({ service }: ReturnType<typeof world>) => service.mint(5n, 6n, "FRI"),
    message: ({ service }: ReturnType<typeof world>) => service.sendMessage(message),
  };

  /** Whether the response is sent before the block is accepted, and afterwards. */
  async function isAnswered(
    ask: (made: ReturnType<typeof world>) => Promise<unknown>,
    seals: boolean,
    asyncSubmission: boolean,
  ): Promise<readonly boolean[]> {
    const made = world(asyncSubmission);
    made.sealsImmediately.value = seals;
    made.isAccepted.value = false;
    let isDone = false;
    const done = ask(made).then(() => (isDone = true));
    await settle();
    const before = isDone;
    made.isAccepted.value = true;
    made.timer.advance(1_000);
    await done;
    return [before, isDone];
  }

  test.each(["mint", "message"] as const)(
    "to a %s waits for its block if blocks follow transactions immediately",
    async (kind) => {
      const ask = asked[kind];
      expect(await isAnswered(ask, true, false)).toEqual([false, true]);
      expect(await isAnswered(ask, false, false)).toEqual([true, true]);
      expect(await isAnswered(ask, true, true)).toEqual([true, true]);
    },
  );
});
