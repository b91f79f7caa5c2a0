import { describe, expect, test } from "bun:test";
import { type ContractClass, emptyStateDiff, encodeContractClass } from "#protocol/chain/index.ts";
import type { PreConfirmedBlock } from "#io/feeder/index.ts";
import { decodePendingDelta } from "#engine/state/index.ts";
import { OpenBlocks, pendingWorld as world, receiptOf } from "#test/helpers/open-blocks.ts";
import { createRandom } from "#test/helpers/random.ts";

describe("pre-confirmed blocks", () => {
  test("are shown as they grow, with candidates once executed", async () => {
    const { open, pass, seen, feed, close } = await world();
    const transactions = open.set(3, "a", [1n, 2n]);
    transactions.push({ nonce: 3n, isCandidate: true });
    await pass(1_500);
    expect(seen()).toEqual(["3: 1 2"]);
    expect(feed.current().state().storageAt(5n, 1n)).toBe(2n);
    transactions.splice(2, 1, { nonce: 3n }, { nonce: 4n });
    await pass(1_500);
    expect(seen()).toEqual(["3: 1 2 3 4"]);
    expect(feed.current().state().storageAt(5n, 1n)).toBe(4n);
    await close();
  });

  test("are requested by the known state, and nothing arrives twice", async () => {
    const { open, pass, seen, source, kinds, close } = await world();
    open.set(3, "a", [1n]);
    await pass(5_000);
    expect(seen()).toEqual(["3: 1"]);
    expect(kinds().filter((kind) => kind === "delta")).toHaveLength(1);
    expect(source.asked.filter((each) => each === "pre-confirmed 3").length).toBeGreaterThan(5);
    await close();
  });

  test("are completed before the next one starts, and end when accepted", async () => {
    const { chain, open, pass, seen, verifier, until, latest, close } = await world();
    const transactions = open.set(3, "a", [1n]);
    await pass(1_000);
    transactions.push({ nonce: 2n }, { nonce: 3n });
    open.set(4, "b", [4n]);
    await pass(1_500);
    expect(seen()).toEqual(["3: 1 2 3", "4: 4"]);
    chain.grow(1);
    verifier.learn(chain);
    await until(() => latest() === 3);
    expect(seen()).toEqual(["4: 4"]);
    open.blocks.delete(3);
    open.set(5, "c", []);
    await pass(1_500);
    expect(seen()).toEqual(["4: 4", "5: "]);
    await close();
  });

  test("are completed if they grew while the next one was requested", async () => {
    const { open, pass, seen, source, close } = await world();
    const transactions = open.set(3, "a", [1n]);
    await pass(1_000);
    source.before = (question) => {
      if (question === "pre-confirmed 4" && transactions.length === 1) {
        transactions.push({ nonce: 2n });
        open.set(4, "b", [3n]);
      }
      return Promise.resolve();
    };
    await pass(1_500);
    expect(seen()).toEqual(["3: 1 2", "4: 3"]);
    await close();
  });

  test("are dropped if their response arrives after acceptance", async () => {
    const { chain, open, pass, seen, source, verifier, until, latest, kinds, close } =
      await world();
    let answer: (() => void) | undefined;
    source.before = (question) =>
      question === "pre-confirmed 3"
        ? new Promise((next) => {
            answer = next;
          })
        : Promise.resolve();
    open.set(3, "a", [1n]);
    await until(() => answer !== undefined);
    chain.grow(1);
    verifier.learn(chain);
    await until(() => latest() === 3);
    answer?.();
    await pass(3_000);
    expect([seen(), kinds().includes("delta")]).toEqual([[], false]);
    await close();
  });

  test("only grow for any reader, for any timing of requests and responses", async () => {
    const random = createRandom(20_261_125);
    for (let round = 0; round < 4; round++) {
      const {
        chain,
        open,
        seen,
        source,
        timer,
        verifier,
        pass,
        failures,
        feed,
        folder,
        kinds,
        close,
      } = await world();
      source.before = () => new Promise((next) => void timer.after(random.below(900), next));
      let nonce = 0n;
      let newest = 3;
      open.set(3, "block 3", []);
      const all: bigint[] = [];
      let before: bigint[] = [];
      for (let step = 0; step < 80; step++) {
        const choice = random.below(10);
        if (choice < 6) {
          open.blocks.get(newest)?.transactions.push({ nonce: ++nonce });
          all.push(nonce);
        } else if (choice < 8 && open.blocks.size < 4) open.set(++newest, `block ${newest}`, []);
        else if (chain.blocks.length < newest) {
          const number = chain.blocks.length;
          const transactions = open.whole(number)?.transactions ?? [];
          chain.add({ transactions, receipts: transactions.map(({ hash }) => receiptOf(hash)) });
          verifier.learn(chain);
          open.blocks.delete(number);
        }
        await pass(300, 100);
        seen();
        const visible: bigint[] = [];
        for (let number = 3; number <= feed.position.accepted; number++) {
          for (const { transaction } of folder.reader.transactions(number)) {
            if ("nonce" in transaction) visible.push(transaction.nonce);
          }
        }
        for (const { transactions } of feed.current().blocks()) {
          for (const { transaction } of transactions) {
            if ("nonce" in transaction) visible.push(transaction.nonce);
          }
        }
        expect(visible).toEqual(all.slice(0, visible.length));
        expect(visible.length).toBeGreaterThanOrEqual(before.length);
        before = visible;
      }
      expect([failures, before.length > 10]).toEqual([[], true]);
      expect(kinds()).not.toContain("pendingDropped");
      await close();
    }
  });

  test("that the sequencer lost are dropped, and their replacement is shown", async () => {
    const { open, pass, seen, kinds, close } = await world();
    open.set(3, "a", [1n, 2n]);
    open.set(4, "b", [3n]);
    await pass(2_000);
    expect(seen()).toEqual(["3: 1 2", "4: 3"]);
    open.blocks.clear();
    open.set(3, "new", [1n]);
    await pass(4_000);
    expect(kinds().filter((kind) => kind === "pendingDropped")).toHaveLength(1);
    expect(seen()).toEqual(["3: 1"]);
    await close();
  });

  test("rebuilt with the same transactions replace the old ones", async () => {
    const { open, pass, seen, kinds, close } = await world();
    open.set(3, "a", [1n, 2n]);
    await pass(1_000);
    open.set(3, "again", [1n, 2n, 3n]);
    await pass(1_000);
    expect([seen(), kinds().includes("pendingDropped")]).toEqual([["3: 1 2 3"], false]);
    open.blocks.get(3)?.transactions.push({ nonce: 4n });
    await pass(1_000);
    expect(seen()).toEqual(["3: 1 2 3 4"]);
    await close();
  });

  test("rebuilt with fewer transactions are dropped and shown again", async () => {
    const { open, pass, seen, kinds, close } = await world();
    open.set(3, "a", [1n, 2n]);
    await pass(1_000);
    open.set(3, "again", [2n]);
    await pass(1_500);
    expect(kinds().filter((kind) => kind === "pendingDropped")).toHaveLength(1);
    expect(seen()).toEqual(["3: 2"]);
    await close();
  });

  test("are kept if a replica knows less", async () => {
    const { open, pass, seen, kinds, source, close } = await world();
    open.set(3, undefined, [1n, 2n, 3n]);
    await pass(1_000);
    const behind = new OpenBlocks();
    behind.set(3, undefined, [1n]);
    source.answerPreConfirmed = (...question) => behind.answer(...question);
    await pass(5_000);
    expect([seen(), kinds().includes("pendingDropped")]).toEqual([["3: 1 2 3"], false]);
    await close();
  });

  test("missing on a gateway stop nothing", async () => {
    const { chain, verifier, until, latest, kinds, pass, messagesOf, close } = await world();
    await pass(10_000);
    chain.grow(3);
    verifier.learn(chain);
    expect(await until(() => latest() === 5)).toBe(true);
    expect([kinds().includes("delta"), messagesOf("refused")]).toEqual([false, []]);
    expect(messagesOf("preConfirmedDropped")).toEqual([]);
    await close();
  });

  test("that never arrive stop nothing", async () => {
    const { chain, verifier, until, latest, source, close } = await world();
    source.before = (question) =>
      question.startsWith("pre-confirmed") ? new Promise(() => undefined) : Promise.resolve();
    chain.grow(3);
    verifier.learn(chain);
    expect(await until(() => latest() === 5)).toBe(true);
    await close();
  });

  const wrong: readonly [string, string, (block: PreConfirmedBlock) => PreConfirmedBlock][] = [
    [
      "transaction hash",
      "transaction_hash",
      (block) => ({
        ...block,
        transactions: block.transactions.map(({ transaction }) => ({ hash: 9n, transaction })),
        receipts: block.transactions.map(() => receiptOf(9n)),
      }),
    ],
    ["receipt", "receipt", (block) => ({ ...block, receipts: [receiptOf(7n)] })],
    ["number", "block_number", (block) => ({ ...block, info: { ...block.info, number: 77 } })],
    [
      "protocol version",
      "protocol_version",
      (block) => ({ ...block, info: { ...block.info, protocolVersion: "0.99.0" } }),
    ],
  ];
  test.each(wrong)(
    "with a wrong %s are dropped, while accepted blocks continue",
    async (_, check, falsify) => {
      const { chain, open, source, seen, pass, messagesOf, verifier, until, latest, close } =
        await world();
      open.set(3, "a", [1n]);
      source.answerPreConfirmed = (number) => {
        const block = number === 3 ? open.whole(3) : undefined;
        return block === undefined ? undefined : { kind: "whole", block: falsify(block) };
      };
      await pass(5_000);
      const dropped = messagesOf("preConfirmedDropped").map((message) => message.refusal.check);
      expect([seen(), new Set<string>(dropped)]).toEqual([[], new Set([check])]);
      chain.grow(1);
      verifier.learn(chain);
      expect(await until(() => latest() === 3)).toBe(true);
      source.answerPreConfirmed = () => undefined;
      await pass(12_000);
      expect(messagesOf("refused")).toEqual([]);
      expect(messagesOf("preConfirmedDropped")).toHaveLength(dropped.length);
      await close();
    },
  );

  test("include their declared classes, except unavailable ones", async () => {
    const contractClass: ContractClass = { kind: "legacy", json: "{}" };
    const bytes = encodeContractClass(contractClass);
    const { open, source, verifier, pass, reader, close } = await world();
    verifier.checkClass = () =>
      Promise.resolve({
        kind: "checked",
        encoded: { classHash: 0xc1n, contractClass: bytes, casmJson: null },
      });
    source.classes.set(0xc1n, "text");
    const diff = emptyStateDiff();
    diff.deprecatedDeclaredClasses.add(0xc1n);
    diff.deprecatedDeclaredClasses.add(0xc2n);
    open.set(3, "a", [])?.push({ nonce: 1n, diff });
    await pass(1_500);
    const deltas = reader.sent.flatMap((message) =>
      message.kind === "delta" ? [decodePendingDelta(message.bytes)] : [],
    );
    expect(deltas.flatMap(({ classes }) => classes.map(({ classHash }) => classHash))).toEqual([
      0xc1n,
    ]);
    expect(deltas.flatMap(({ transactions }) => transactions)).toHaveLength(1);
    await close();
  });
});
