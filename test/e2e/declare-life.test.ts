import { describe, expect, test } from "bun:test";
import { rawCall, type RunningChain, WARM } from "#test/helpers/binary.ts";
import { childrenOf } from "#test/helpers/child-processes.ts";
import { classHashOf, declare, LARGE_CLASS, SMALL_CLASS } from "#test/helpers/declares.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { AMPLE_BOUNDS } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

/** Blocks stay open: executed transactions are not committed. */
const OPEN_BLOCKS = ["blocks_on_demand=false", "block_time=1h"].flatMap((field) => [
  "--chain-config-override",
  field,
]);

const CLASS_ALREADY_DECLARED = 51;
const CLASS_HASH_NOT_FOUND = 28;
const TXN_HASH_NOT_FOUND = 29;

/** Hash of the small class. */
const smallHash = () => classHashOf(SMALL_CLASS);

const start = useChains();
/** Shared by tests that declare different classes, or none; its compiler is running. */
const shared = useChain({ env: WARM });

async function classError(running: RunningChain, classHash: string): Promise<number | undefined> {
  const { error } = await rawCall(running.url, "starknet_getClass", ["latest", classHash]);
  return error?.code;
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  expect(await untilTrue(isDone)).toBe(true);
}

/** Error code that a client's request failed with. */
async function codeOf(request: Promise<unknown>): Promise<number> {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return Number(/\n\s+(\d+): /.exec(String((error as Error | undefined)?.message))?.[1] ?? 0);
}

describe("a class declared in the block being built", () => {
  sharedTest(
    "is deployed and called in the same block; a second declaration is error 51",
    async () => {
      const running = await start({ args: OPEN_BLOCKS });
      const [first, second] = [running.account(0), running.account(1)];
      const { transaction_hash: declared } = await declare(first, SMALL_CLASS);
      const pending = { blockIdentifier: "pre_confirmed" } as const;
      await waitUntil(async () => {
        const block = "pre_confirmed";
        const params = [block, smallHash()];
        return (await rawCall(running.url, "starknet_getClass", params)).error === undefined;
      });
      const bounds = { resourceBounds: AMPLE_BOUNDS, tip: 0n };
      const deployed = await second.deploy({ classHash: smallHash() }, bounds);
      const [contractAddress = ""] = deployed.contract_address;
      const set = { contractAddress, entrypoint: "set_name4", calldata: ["0x6e"] };
      const nonce = BigInt(await second.getNonce("pre_confirmed"));
      const called = await second.execute(set, { ...bounds, nonce: nonce === 0n ? 1n : nonce });
      const receipts = [declared, deployed.transaction_hash, called.transaction_hash].map(
        async (transactionHash) => {
          await waitUntil(async () => {
            const answer = await rawCall(running.url, "starknet_getTransactionReceipt", [
              transactionHash,
            ]);
            return answer.error === undefined;
          });
          const { result } = await rawCall(running.url, "starknet_getTransactionReceipt", [
            transactionHash,
          ]);
          const { execution_status, block_number } = result as Record<string, unknown>;
          return { execution_status, block_number };
        },
      );
      const inBlock1 = { execution_status: "SUCCEEDED", block_number: 1 };
      expect(await Promise.all(receipts)).toEqual([inBlock1, inBlock1, inBlock1]);
      const call = { contractAddress, entrypoint: "get_name4", calldata: [] };
      const { blockIdentifier } = pending;
      expect(await running.provider.callContract(call, blockIdentifier)).toEqual(["0x6e"]);
      const next = await second.getNonce("pre_confirmed");
      expect(await codeOf(declare(second, SMALL_CLASS, next))).toBe(CLASS_ALREADY_DECLARED);
    },
  );
});

describe("a kill", () => {
  sharedTest("loses no acknowledged declaration and no class", async () => {
    const running = await start({ args: OPEN_BLOCKS });
    const { transaction_hash } = await declare(running.account(0), SMALL_CLASS);
    await running.stop("SIGKILL");
    await running.start({});
    await running.provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
    expect(await classError(running, smallHash())).toBeUndefined();
    const { result } = await rawCall(running.url, "starknet_getCompiledCasm", [smallHash()]);
    expect((result as { bytecode: string[] }).bytecode.length).toBeGreaterThan(100);
  });

  sharedTest(
    "of the node during a compilation leaves nothing behind, and the class can be declared again",
    async () => {
      const large = classHashOf(LARGE_CLASS);
      const running = await start();
      const cut = declare(running.account(0), LARGE_CLASS).catch(() => "cut");
      await Bun.sleep(700);
      await running.stop("SIGKILL");
      expect(await cut).toBe("cut");
      await running.start();
      expect(await classError(running, large)).toBe(CLASS_HASH_NOT_FOUND);
      const { transaction_hash } = await declare(running.account(0), LARGE_CLASS);
      await running.provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
      expect(await classError(running, large)).toBeUndefined();
    },
  );

  sharedTest("of the compiler during a compilation only delays the declaration", async () => {
    const running = shared;
    const declared = declare(running.account(0), LARGE_CLASS);
    // If no compiler is ready, the declaration starts one.
    await waitUntil(() => Promise.resolve(childrenOf(running.pid).length > 0));
    await Bun.sleep(700);
    for (const pid of childrenOf(running.pid)) process.kill(pid, "SIGKILL");
    const { transaction_hash } = await declared;
    await running.provider.waitForTransaction(transaction_hash, { retryInterval: 50 });
    expect(await running.provider.getTransactionReceipt(transaction_hash)).toMatchObject({
      value: { execution_status: "SUCCEEDED" },
    });
  });
});

describe("concurrent declarations of the same class", () => {
  sharedTest("include one; the others are rejected or dropped with a reason", async () => {
    const running = shared;
    const outcomes = await Promise.all(
      [0, 1, 2].map(async (index) => {
        try {
          return (await declare(running.account(index), SMALL_CLASS)).transaction_hash;
        } catch (error) {
          expect(String(error)).toContain(`${CLASS_ALREADY_DECLARED}: Class already declared`);
          return undefined;
        }
      }),
    );
    const included: string[] = [];
    for (const transactionHash of outcomes) {
      if (transactionHash === undefined) continue;
      let answer: Awaited<ReturnType<typeof rawCall>> = {};
      await waitUntil(async () => {
        answer = await rawCall(running.url, "starknet_getTransactionStatus", [transactionHash]);
        const status = (answer.result as { finality_status?: string } | undefined)?.finality_status;
        return answer.error !== undefined || status === "ACCEPTED_ON_L2";
      });
      if (answer.error === undefined) included.push(transactionHash);
      else {
        expect(answer.error.code).toBe(TXN_HASH_NOT_FOUND);
        expect(String(answer.error.data)).toContain("is already declared");
      }
    }
    expect(included).toHaveLength(1);
  });
});

test("a malformed class is rejected as invalid parameters", async () => {
  const { error } = await rawCall(shared.url, "starknet_addDeclareTransaction", [
    { type: "DECLARE", version: "0x3", contract_class: { sierra_program: ["zz"] } },
  ]);
  expect(error?.code).toBe(-32602);
});
