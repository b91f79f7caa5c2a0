import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  type BridgedToken,
  type Sides,
  type Transfer,
  TransferFile,
  withdraw,
} from "#app/bridge/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const RECIPIENT = `0x${"7".repeat(40)}` as const;
const TOKEN: BridgedToken = {
  l1Token: "0x0000000000000000000000000000000000455448",
  l2Token: 1n,
  l1Bridge: `0x${"2".repeat(40)}`,
  l2Bridge: 3n,
  core: `0x${"4".repeat(40)}`,
  contract: "EthBridge",
  symbol: "ETH",
  decimals: 18,
};
const TRANSFER: Transfer = {
  kind: "withdrawal",
  app_chain_id: "X",
  eth_chain_id: 31_337,
  l1_token: TOKEN.l1Token,
  l1_bridge: TOKEN.l1Bridge,
  l2_bridge: "0x3",
  amount: "5",
  l1_account: RECIPIENT,
  l2_account: "0x9",
};
const ACCOUNT = privateKeyToAccount(`0x${"1".repeat(64)}`);
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
let files = 0;

/** Both sides, with the burn in block 8; their responses can change between runs. */
function world() {
  const path = folder.file(`withdrawal-${files++}.json`);
  const state = {
    held: 5n,
    block: 8 as number | undefined,
    settled: 8n as unknown,
    messages: 1n as unknown,
    isPaid: false,
    /** Whether the first signed payout has failed. */
    hasFailed: false,
    /** Nonce of the next transaction on L1. */
    nonce: 7,
    /** Called when the nonce is read, which waits for transactions in flight. */
    onNonce: () => {},
    /** Whether a run is killed when the payout is sent. */
    isKilled: false,
  };
  /** Signed and sent transactions, in order. */
  const done: string[] = [];
  const payouts: string[] = [];
  const run = async () => {
    using file = TransferFile.open(path, TRANSFER);
    const sides = {
      settings: { transactionWaitMs: 1, crossChainWaitMs: 1 },
      waiting: { timer: SYSTEM_TIMER, signal: new AbortController().signal },
      l2Address: 9n,
      l1: {
        read: ({ functionName }: { functionName: string }) =>
          Promise.resolve(functionName === "stateBlockNumber" ? state.settled : state.messages),
        receipt: (hash: string) => {
          const isSuccess = !(state.hasFailed && hash === payouts[0]);
          const hasReceipt = state.isPaid || !isSuccess;
          return Promise.resolve(hasReceipt ? { isSuccess, logs: [] } : undefined);
        },
        settledNonce: () => {
          state.onNonce();
          return Promise.resolve(state.nonce);
        },
        sign: async () => {
          done.push("sign payout");
          const { nonce } = state;
          const raw = await ACCOUNT.signTransaction({ type: "eip1559", chainId: 31_337, nonce });
          const hash = keccak256(raw);
          payouts.push(hash);
          return { hash, raw };
        },
        include: ({ hash }: { hash: string }) => {
          const isKept = file.sent("payout")?.hash === hash;
          const isNewest = payouts.at(-1) === hash;
          done.push(`send ${isNewest ? "" : "old "}payout, ${isKept ? "kept" : "lost"}`);
          return state.isKilled ? Promise.reject(new RangeError("killed")) : Promise.resolve([]);
        },
      },
      l2: {
        read: () => Promise.resolve([state.held, 0n]),
        sign: () => {
          done.push("sign burn");
          return Promise.resolve({ hash: "0xb", transaction: {} });
        },
        include: () => {
          done.push(`send burn, ${file.sent("burn") === undefined ? "lost" : "kept"}`);
          return Promise.resolve();
        },
        acceptedBlockOf: () => Promise.resolve(state.block),
      },
    } as unknown as Sides;
    const request = { token: TOKEN, amount: 5n, recipient: RECIPIENT };
    return await withdraw(sides, file, request, () => {}).catch((cause: unknown) => cause);
  };
  return { path, state, done, run };
}

const BURNED = ["sign burn", "send burn, kept"];

test("a withdrawal stores each transaction before it is sent, and completes once", async () => {
  const { done, run } = world();
  expect(await run()).toEqual({ kind: "done" });
  expect(done).toEqual([...BURNED, "sign payout", "send payout, kept"]);
  expect(await run()).toEqual({ kind: "done before" });
  expect(done).toHaveLength(4);
});

test("a withdrawal waits for an accepted block, then for its state on L1, and burns once", async () => {
  const { state, done, run } = world();
  state.block = undefined;
  expect(await run()).toMatchObject({ kind: "waits" });
  state.block = 8;
  for (const settled of [7n, -1n, undefined, "8", 8]) {
    state.settled = settled;
    expect(await run()).toMatchObject({ kind: "waits" });
  }
  state.settled = 9n;
  expect(await run()).toEqual({ kind: "done" });
  expect(done.filter((step) => step.startsWith("sign"))).toEqual(["sign burn", "sign payout"]);
});

test("a withdrawal signs no payout while the core contract has no message", async () => {
  const { state, done, run } = world();
  state.messages = 0n;
  expect(await run()).toMatchObject({
    kind: "waits",
    reason: expect.stringContaining("the core contract has no message for it"),
  });
  state.messages = undefined;
  expect(await run()).toMatchObject({ code: "BOOTSTRAP_NONSENSE" });
  expect(done).not.toContain("sign payout");
});

test("a withdrawal is done if the payout of a killed run consumed the message", async () => {
  const { state, done, run } = world();
  state.isKilled = true;
  expect(await run()).toBeInstanceOf(RangeError);
  Object.assign(state, { isKilled: false, messages: 0n, isPaid: true });
  expect(await run()).toEqual({ kind: "done" });
  expect(done.filter((step) => step === "sign payout")).toHaveLength(1);
});

describe("a stored payout", () => {
  /** A withdrawal whose first run was killed when its payout was sent. */
  async function killedAtPayout() {
    const parts = world();
    parts.state.isKilled = true;
    await parts.run();
    parts.state.isKilled = false;
    parts.done.length = 0;
    return parts;
  }
  const RESENT = ["send burn, kept", "send payout, kept"];
  const REPLACED = ["send burn, kept", "sign payout", "send payout, kept"];

  test("is sent again while its nonce is the next one", async () => {
    const { done, run } = await killedAtPayout();
    expect(await run()).toEqual({ kind: "done" });
    expect(done).toEqual(RESENT);
  });

  test("is replaced and stored if another transaction used its nonce", async () => {
    const { state, done, run } = await killedAtPayout();
    state.nonce++;
    state.isKilled = true;
    await run();
    expect(done).toEqual(REPLACED);
    state.isKilled = false;
    done.length = 0;
    expect(await run()).toEqual({ kind: "done" });
    expect(done).toEqual(RESENT);
  });

  test("is replaced if it has failed", async () => {
    const { state, done, run } = await killedAtPayout();
    state.hasFailed = true;
    state.nonce++;
    expect(await run()).toEqual({ kind: "done" });
    expect(done).toEqual(REPLACED);
  });

  test("is not replaced if its receipt appears while transactions in flight are awaited", async () => {
    const { state, done, run } = await killedAtPayout();
    state.onNonce = () => Object.assign(state, { isPaid: true, nonce: 8 });
    expect(await run()).toEqual({ kind: "done" });
    expect(done).toEqual(RESENT);
  });

  test("is not replaced while the core contract has no message", async () => {
    const { state, done, run } = await killedAtPayout();
    Object.assign(state, { hasFailed: true, nonce: 8, messages: 0n });
    expect(await run()).toMatchObject({ kind: "waits" });
    expect(done).toEqual(["send burn, kept"]);
  });

  test("is replaced if an edited file has bytes that are not a transaction", async () => {
    const { path, done, run } = await killedAtPayout();
    const content = JSON.parse(readFileSync(path, "utf8"));
    content.sent.payout.raw = "0x02";
    writeFileSync(path, JSON.stringify(content));
    expect(await run()).toEqual({ kind: "done" });
    expect(done).toEqual(REPLACED);
  });
});

test("a withdrawal above the account's balance signs nothing", async () => {
  const { state, done, run } = world();
  state.held = 4n;
  expect(await run()).toMatchObject({ code: "BOOTSTRAP_BALANCE" });
  expect(done).toEqual([]);
});
