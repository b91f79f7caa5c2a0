import { describe, expect, test } from "bun:test";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import {
  delta,
  identifierOf,
  infoOf,
  nonces,
  preConfirmedWorld as world,
} from "#test/helpers/pre-confirmed-world.ts";

describe("get_preconfirmed_block selection", () => {
  test("finds blocks above the accepted ones, with the open block as latest", async () => {
    const { poll, apply } = world();
    apply(delta(2, 0, [1n], { sealed: true }));
    apply(delta(3, 0, [2n], { sealed: true }));
    apply(delta(4, 0, [3n]));
    const found = async (number: string) => (await poll(`blockNumber=${number}`)).hashes;
    expect(await found("2")).toEqual([1n]);
    expect(await found("3")).toEqual([2n]);
    expect(await found("4")).toEqual([3n]);
    expect(await found("latest")).toEqual([3n]);
  });

  test.each(["0", "1", "5", "18446744073709551615"])("block %s is not found", async (number) => {
    const { poll, apply } = world();
    for (const each of [2, 3, 4]) apply(delta(each, 0, [BigInt(each)]));
    const { status, json } = await poll(`blockNumber=${number}`);
    expect(status).toBe(400);
    expect(json).toEqual({
      code: "StarknetErrorCode.BLOCK_NOT_FOUND",
      message: `Pre-confirmed block with number ${number} was not found. Current pre-confirmed block number is 4.`,
    });
  });

  test("without an open block, returns an empty one as the next block", async () => {
    const { poll } = world();
    for (const number of ["latest", "2"]) {
      const { answer, hashes } = await poll(`blockNumber=${number}`);
      expect([answer?.kind, hashes]).toEqual(["whole", []]);
    }
    const { json } = await poll("blockNumber=latest&blockIdentifier=0x0&knownTransactionCount=0");
    const identifier = identifierOf(json);
    const again = `blockNumber=latest&blockIdentifier=${identifier}&knownTransactionCount=0`;
    expect((await poll(again)).json).toEqual({ changed: false });
    expect((await poll("blockNumber=3")).status).toBe(400);
  });

  test.each([
    ["", "Field blockNumber is required."],
    ["blockNumber=pending", "Field blockNumber must be a non-negative integer; got: pending."],
    ["blockNumber=-2", "Field blockNumber must be a non-negative integer; got: -2."],
    [
      "blockNumber=2&knownTransactionCount=x",
      "Field knownTransactionCount must be a non-negative integer; got: x.",
    ],
  ])("rejects the query %p", async (query, message) => {
    expect((await world().poll(query)).json).toEqual({
      code: "StarkErrorCode.MALFORMED_REQUEST",
      message,
    });
  });
});

describe("get_preconfirmed_block poll for changes", () => {
  test("the first poll returns the whole block with its identifier and number", async () => {
    const { poll, apply } = world();
    apply(delta(2, 0, [1n]));
    for (const known of [
      "blockIdentifier=&knownTransactionCount=0",
      "blockIdentifier=0x0",
      "knownTransactionCount=0",
    ]) {
      const { json, answer } = await poll(`blockNumber=latest&${known}`);
      expect(json).toMatchObject({ changed: true, block_number: 2, status: "PRE_CONFIRMED" });
      expect(identifierOf(json)).not.toBe("");
      expect(answer).toMatchObject({ kind: "whole" });
    }
  });

  test("a request that does not poll for changes gets no identifier", async () => {
    const { poll, apply } = world();
    apply(delta(2, 0, [1n]));
    const { json } = await poll("blockNumber=2");
    for (const name of ["changed", "block_identifier", "block_number"]) {
      expect(json).not.toHaveProperty(name);
    }
    // A client that requests `latest` needs the number.
    const latest = (await poll("blockNumber=latest")).json;
    expect(latest).toHaveProperty("block_number", 2);
    expect(latest).not.toHaveProperty("changed");
  });

  test("returns the added transactions, receipts and diffs, then `changed: false`", async () => {
    const { poll, apply } = world();
    apply(delta(2, 0, [1n, 2n]));
    const first = await poll("blockNumber=latest&blockIdentifier=&knownTransactionCount=0");
    const identifier = identifierOf(first.json);
    const ask = (count: number) =>
      poll(`blockNumber=latest&blockIdentifier=${identifier}&knownTransactionCount=${count}`);
    expect((await ask(2)).json).toEqual({ changed: false });
    apply(delta(2, 1, [3n, 4n]));
    apply(delta(2, 2, [5n]));
    const { json, answer } = await ask(2);
    expect(answer).toMatchObject({ kind: "more", identifier, number: 2 });
    expect(Object.keys(json as object)).toEqual([
      "changed",
      "block_identifier",
      "block_number",
      "transactions",
      "transaction_receipts",
      "transaction_state_diffs",
    ]);
    const more = answer?.kind === "more" ? answer : undefined;
    expect(more?.transactions.map(({ hash }) => hash)).toEqual([3n, 4n, 5n]);
    expect(more?.receipts.map((receipt) => receipt?.transactionHash)).toEqual([3n, 4n, 5n]);
    expect(more?.stateDiffs).toEqual([EMPTY_STATE_DIFF, nonces(4n), nonces(5n)]);
    expect((await ask(4)).hashes).toEqual([5n]);
    expect((await ask(5)).json).toEqual({ changed: false });
  });

  test("receipt indices continue after the known transactions", async () => {
    const { poll, apply } = world();
    apply(delta(2, 0, [1n, 2n, 3n]));
    const { json } = await poll("blockNumber=2&blockIdentifier=");
    const more = await poll(
      `blockNumber=2&blockIdentifier=${identifierOf(json)}&knownTransactionCount=1`,
    );
    expect(more.json).toMatchObject({
      transaction_receipts: [{ transaction_index: 1 }, { transaction_index: 2 }],
    });
  });

  test("a rebuilt or newer block is returned whole", async () => {
    const { poll, apply, overlay } = world();
    apply(delta(2, 0, [1n, 2n]));
    const first = identifierOf((await poll("blockNumber=2&blockIdentifier=")).json);
    apply(delta(2, 1, [9n], { info: infoOf(2) }));
    const query = `blockNumber=2&blockIdentifier=${first}&knownTransactionCount=2`;
    const again = await poll(query);
    expect(again).toMatchObject({ answer: { kind: "whole" }, hashes: [9n] });
    expect(identifierOf(again.json)).not.toBe(first);
    apply(delta(3, 0, [10n]));
    const next = await poll(query.replace("=2", "=latest"));
    expect(next).toMatchObject({ answer: { kind: "whole" }, hashes: [10n] });
    overlay.reset();
    apply(delta(2, 0, [1n]));
    expect(identifierOf((await poll(query)).json)).not.toBe(first);
  });

  test("identifiers differ between runs of the node", async () => {
    const of = async () => {
      const { poll, apply } = world();
      apply(delta(2, 0, [1n]));
      return identifierOf((await poll("blockNumber=2&blockIdentifier=")).json);
    };
    expect(await of()).not.toBe(await of());
  });

  test("a known count above the block's transaction count returns the whole block", async () => {
    const { poll, apply } = world();
    apply(delta(2, 0, [1n]));
    const identifier = identifierOf((await poll("blockNumber=2&blockIdentifier=")).json);
    for (const count of ["2", "18446744073709551615"]) {
      const query = `blockNumber=2&blockIdentifier=${identifier}&knownTransactionCount=${count}`;
      expect((await poll(query)).answer).toMatchObject({ kind: "whole" });
    }
  });

  test("a block accepted since is replaced by the next one", async () => {
    const { poll, apply, overlay } = world();
    apply(delta(2, 0, [1n]));
    const identifier = identifierOf((await poll("blockNumber=2&blockIdentifier=")).json);
    overlay.accepted(2);
    const { status } = await poll(
      `blockNumber=2&blockIdentifier=${identifier}&knownTransactionCount=1`,
    );
    // The fake chain has no block 2: the next block is still 2, and empty.
    expect(status).toBe(200);
  });
});
