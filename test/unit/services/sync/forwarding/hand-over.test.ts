import { describe, expect, test } from "bun:test";
import { parseJson } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { readGatewayTransaction, type SubmissionReply } from "#io/feeder/index.ts";
import type { MempoolEntry } from "#io/storage/index.ts";
import {
  type AccountTransaction,
  encodeContractClass,
  encodeTransaction,
  nonceOf,
  senderAddressOf,
  transactionHash,
  unpackLegacyClass,
} from "#protocol/chain/index.ts";
import { type HandOverCounts, handOver } from "#services/sync/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { memoryMempoolStore } from "#test/helpers/memory-mempool-store.ts";
import { emptyDeclare, emptyDeployAccount, emptyInvoke } from "#test/helpers/mempool-world.ts";
import { packedClass, sentPackedClass } from "#test/helpers/packed-class.ts";
import { EVERY_TRANSACTION, SAMPLE_CHAIN_ID, SIERRA_CLASS } from "#test/helpers/sample-chain.ts";

const hashOf = (transaction: AccountTransaction): Felt =>
  transactionHash(transaction, SAMPLE_CHAIN_ID);

const entryOf = (transaction: AccountTransaction): MempoolEntry => {
  const hash = hashOf(transaction);
  return { hash, receivedAtMs: 0, bytes: encodeTransaction({ hash, transaction }) };
};

const TAKEN = "taken";
const refusal = (code: string, retryAfterSeconds?: number): SubmissionReply => ({
  kind: "refused",
  code: `StarknetErrorCode.${code}`,
  message: `because of ${code}`,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});

/** A mempool with these transactions, and a sequencer whose responses the test sets. */
function world(transactions: readonly AccountTransaction[], deadlineMs: number | null = 10_000) {
  const mempool = memoryMempoolStore();
  mempool.put(transactions.map(entryOf));
  const timer = new FakeTimer();
  const stopped = new AbortController();
  const included = new Set<Felt>();
  const sent: string[] = [];
  const it = {
    mempool,
    included,
    sent,
    /** Senders and nonces that were sent, in order. */
    order: () =>
      sent.map((body) => {
        const { sender_address, nonce } = JSON.parse(body) as Record<string, string>;
        return `${Number(sender_address)}:${Number(nonce)}`;
      }),
    answer: (_body: string, _times: number): SubmissionReply | typeof TAKEN | Promise<never> =>
      TAKEN,
    waiting: () => mempool.loadAll().map(({ hash }) => hash),
    stop: () => stopped.abort(),
    /** Runs the handover, advancing time in steps of a quarter of a second. */
    async run(forMs = 60_000): Promise<HandOverCounts | undefined> {
      const handed = handOver({
        mempool,
        chain: {
          locate: (hash) => (included.has(hash) ? { blockNumber: 1, index: 0 } : undefined),
        },
        gateway: {
          async addTransaction(body) {
            sent.push(body);
            const answer = await it.answer(body, sent.filter((each) => each === body).length);
            if (answer !== TAKEN) return answer;
            return { kind: "taken", transactionHash: hashOfBody(body) };
          },
        },
        deadlineMs,
        timer,
        unixNowMs: () => 77,
        signal: stopped.signal,
      });
      let ended: HandOverCounts | undefined;
      void handed.then((value) => (ended = value));
      for (let passed = 0; passed < forMs; passed += 250) {
        for (let i = 0; i < 12 && ended === undefined; i++) await new Promise(setImmediate);
        if (ended !== undefined) return ended;
        if (forMs === COMPRESSED_MS) await Bun.sleep(1);
        timer.advance(250);
      }
      return ended;
    },
  };
  /** Only deployments are sent without an address. */
  const hashOfBody = (body: string): Felt => {
    const { sender_address: sender, nonce } = JSON.parse(body) as Record<string, string>;
    const found = transactions.find((each) =>
      each.type === "DEPLOY_ACCOUNT"
        ? sender === undefined
        : senderAddressOf(each) === BigInt(sender ?? 0) && nonceOf(each) === BigInt(nonce ?? 0),
    );
    return found === undefined ? 0n : hashOf(found);
  };
  return it;
}

describe("a mempool handover", () => {
  test("sends transactions by nonce, accounts in order of arrival, and removes them", async () => {
    const it = world([
      emptyInvoke(2n, 1n),
      emptyInvoke(1n, 5n),
      emptyInvoke(2n, 0n),
      emptyInvoke(1n, 4n),
      emptyDeployAccount(3n),
    ]);
    expect(await it.run()).toEqual({ sent: 5, known: 0, refused: 0, kept: 0 });
    expect(it.waiting()).toEqual([]);
    const order = it.order();
    expect(order.filter((each) => each.startsWith("2:"))).toEqual(["2:0", "2:1"]);
    expect(order.filter((each) => each.startsWith("1:"))).toEqual(["1:4", "1:5"]);
    expect(order[0]).toBe("2:0");
  });

  test("does not send included transactions, and removes known ones", async () => {
    const [first, second] = [emptyInvoke(1n, 0n), emptyInvoke(1n, 1n)];
    const it = world([first, second]);
    it.included.add(hashOf(first));
    it.answer = () => refusal("DUPLICATED_TRANSACTION");
    expect(await it.run()).toEqual({ sent: 0, known: 2, refused: 0, kept: 0 });
    expect([it.order(), it.waiting()]).toEqual([["1:1"], []]);
  });

  test("rejects a transaction after three consecutive refusals, and stores the reason", async () => {
    const [first, second] = [emptyInvoke(1n, 0n), emptyInvoke(2n, 0n)];
    const it = world([first, second]);
    const isFirst = (body: string): boolean => body.includes('"sender_address":"0x1"');
    it.answer = (body, times) => {
      // The prerequisite of the second one arrives with a block.
      return isFirst(body) || times < 3 ? refusal("VALIDATE_FAILURE") : TAKEN;
    };
    expect(await it.run()).toEqual({ sent: 1, known: 0, refused: 1, kept: 0 });
    expect(it.sent).toHaveLength(6);
    expect(it.mempool.rejectionOf(hashOf(first))).toMatchObject({
      cause: "rejected",
      reason: "because of VALIDATE_FAILURE",
      rejectedAtMs: 77,
    });
    expect(it.mempool.rejectionOf(hashOf(second))).toBeUndefined();
  });

  test("does not reject a transaction for its nonce while an earlier one is pending", async () => {
    const it = world([emptyInvoke(1n, 0n), emptyInvoke(1n, 1n)]);
    it.answer = (body, times) => {
      if (body.includes('"nonce":"0x0"')) {
        return times < 6 ? refusal("TRANSACTION_LIMIT_EXCEEDED") : TAKEN;
      }
      return times < 6 ? refusal("INVALID_TRANSACTION_NONCE") : TAKEN;
    };
    expect(await it.run(200_000)).toBeDefined();
    const long = world([emptyInvoke(1n, 0n), emptyInvoke(1n, 1n)], null);
    long.answer = it.answer;
    expect(await long.run(300_000)).toEqual({ sent: 2, known: 0, refused: 0, kept: 0 });
  });

  test.each([
    ["the sequencer is unreachable", { kind: "unreachable", message: "nobody" }, 8],
    ["the sequencer has no room", refusal("RATE_LIMITED", 2), 8],
    ["the response has another hash", { kind: "taken", transactionHash: 5n }, 8],
    ["the account has reached its limit", refusal("TRANSACTION_LIMIT_EXCEEDED"), 10],
  ] as const)("keeps transactions if %s until the deadline", async (_, reply, perRound) => {
    const it = world(Array.from({ length: 10 }, (__, i) => emptyInvoke(1n, BigInt(i))));
    it.answer = () => reply;
    expect(await it.run(10_500)).toEqual({ sent: 0, known: 0, refused: 0, kept: 10 });
    // After 0, 2 and 6 s: requests have pauses in between.
    expect(it.sent).toHaveLength(3 * perRound);
    expect(it.waiting()).toHaveLength(10);
  });

  test("keeps transactions at the deadline if the sequencer never responds", async () => {
    const it = world([emptyInvoke(1n, 0n), emptyInvoke(2n, 0n)]);
    it.answer = () => new Promise<never>(() => undefined);
    expect(await it.run(10_500)).toEqual({ sent: 0, known: 0, refused: 0, kept: 2 });
    expect(it.sent).toHaveLength(2);
  });

  test("does not change the mempool after a stop", async () => {
    const it = world([emptyInvoke(1n, 0n), emptyInvoke(2n, 0n)], null);
    it.answer = () => {
      it.stop();
      return TAKEN;
    };
    expect(await it.run(1_000)).toEqual({ sent: 0, known: 0, refused: 0, kept: 2 });
    expect(it.waiting()).toHaveLength(2);
  });

  test("sends in parallel with limits per account and in total", async () => {
    const [accounts, each] = [20n, 20n];
    const transactions = Array.from({ length: Number(accounts * each) }, (_, i) =>
      emptyInvoke(1n + (BigInt(i) % accounts), BigInt(i) / accounts),
    );
    const it = world(transactions, null);
    let [now, most] = [0, 0];
    const ofSender = new Map<string, number>();
    it.answer = async (body) => {
      const { sender_address: sender = "" } = JSON.parse(body) as Record<string, string>;
      const own = (ofSender.get(sender) ?? 0) + 1;
      ofSender.set(sender, own);
      expect(own).toBeLessThanOrEqual(8);
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now--;
      ofSender.set(sender, (ofSender.get(sender) ?? 0) - 1);
      return TAKEN as never;
    };
    expect(await it.run()).toEqual({ sent: 400, known: 0, refused: 0, kept: 0 });
    expect(most).toBe(64);
  });

  test("waits for the account's deployment", async () => {
    const it = world([emptyInvoke(1n, 1n), emptyInvoke(1n, 2n), emptyDeployAccount(1n)]);
    const deployed = Promise.withResolvers<void>();
    it.answer = async (body) => {
      if (!body.includes('"nonce":"0x0"')) return TAKEN as never;
      await deployed.promise;
      return TAKEN as never;
    };
    const handed = it.run();
    for (let i = 0; i < 50; i++) await new Promise(setImmediate);
    expect(it.sent).toHaveLength(1);
    deployed.resolve();
    expect(await handed).toMatchObject({ sent: 3, kept: 0 });
  });
});

/** A class is compressed on another thread, while much of this clock's time passes. */
const COMPRESSED_MS = 1_000_000;

describe("a queued declaration", () => {
  test("is sent with its Sierra class", async () => {
    const declare = emptyDeclare(1n, 0n);
    const it = world([], null);
    const contractClass = encodeContractClass(SIERRA_CLASS);
    it.mempool.put([{ ...entryOf(declare), declared: { contractClass, casmJson: "{}" } }]);
    it.answer = () => ({ kind: "taken", transactionHash: hashOf(declare) });
    expect(await it.run(COMPRESSED_MS)).toMatchObject({ sent: 1, kept: 0 });
    expect(readGatewayTransaction(parseJson(it.sent[0] ?? ""))).toMatchObject({
      kind: "declaration",
      transaction: { senderAddress: 1n, compiledClassHash: 4n },
      contractClass: {
        kind: "packed-sierra",
        abi: SIERRA_CLASS.abi,
        entryPoints: SIERRA_CLASS.entryPoints,
      },
    });
  });

  test("is sent with its Cairo 0 class", async () => {
    const declare = EVERY_TRANSACTION.find(
      (each) => each.type === "DECLARE" && each.version === 1,
    ) as AccountTransaction;
    const packed = packedClass({ felts: 2 });
    const unpacked = unpackLegacyClass(packed, 1 << 20)?.contractClass;
    const it = world([], null);
    const contractClass = encodeContractClass(unpacked ?? SIERRA_CLASS);
    it.mempool.put([{ ...entryOf(declare), declared: { contractClass, casmJson: null } }]);
    it.answer = () => ({ kind: "taken", transactionHash: hashOf(declare) });
    expect(await it.run(COMPRESSED_MS)).toMatchObject({ sent: 1, kept: 0 });
    const sent = JSON.parse(it.sent[0] ?? "") as { readonly contract_class: object };
    const { entry_points_by_type, abi } = sentPackedClass({ felts: 2 });
    const program = expect.any(String) as string;
    expect(sent.contract_class).toEqual({ entry_points_by_type, abi, program });
    const read = readGatewayTransaction(parseJson(it.sent[0] ?? ""));
    expect(read).toMatchObject({ kind: "declaration", transaction: { version: 1 } });
  });

  test("is kept without its class", async () => {
    const it = world([emptyDeclare(1n, 0n)]);
    expect(await it.run(10_500)).toEqual({ sent: 0, known: 0, refused: 0, kept: 1 });
    expect(it.sent).toEqual([]);
  });
});
