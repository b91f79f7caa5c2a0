import { describe, expect } from "bun:test";
import { encodeTransaction, l1MessageHash } from "#protocol/chain/index.ts";
import { decodePendingDelta } from "#engine/state/index.ts";
import type { SuspectMessage } from "#io/storage/index.ts";
import { ANSWER_MS } from "#services/sequencer/message-steps.ts";
import { BLOCK_TIME_MS } from "#test/helpers/executor-world.ts";
import {
  CLOSE,
  handlerToNobody,
  L1_BLOCK,
  messageOrder,
  messageToNobody,
  messageWorld,
  noncesUpTo,
} from "#test/helpers/message-orders.ts";
import { sharedTest } from "#test/helpers/shared.ts";

const included = (blockNumber: number) => ({ kind: "included", blockNumber }) as const;

describe("messages of L1", () => {
  sharedTest("are consumed in order, with their L1 origin", () => {
    const { order, timer, outcomes, sealed } = messageWorld();
    order(messageOrder(1n, 2n));
    expect(outcomes()).toEqual([]);
    timer.advance(0);
    expect(outcomes()).toEqual([{ kind: "consumed", outcomes: [included(5), included(5)] }]);
    order(CLOSE);
    const [block = expect.unreachable()] = sealed();
    expect(block.draft.receipts.map(({ status }) => status.kind)).toEqual(["reverted", "reverted"]);
    expect(block.message.l1Messages).toEqual(
      [1n, 2n].map((nonce) => ({
        transactionHash: 0x900n + nonce,
        nonce,
        messageHash: l1MessageHash(handlerToNobody(nonce)),
        l1TransactionHash: 0xabcn + nonce,
        l1BlockNumber: L1_BLOCK,
      })),
    );
  });

  sharedTest("of one turn are announced in one delta", () => {
    const { order, timer, main } = messageWorld();
    order(messageOrder(1n, 2n, 3n));
    timer.advance(0);
    const deltas = main.sent.map(({ bytes }) => decodePendingDelta(bytes));
    expect(deltas.map(({ l1Messages = [] }) => l1Messages.length)).toEqual([3]);
    expect(deltas[0]?.transactions).toHaveLength(3);
  });

  sharedTest(
    "are recognized by hash and nonce in the open block, and in blocks above the chain",
    () => {
      const { order, timer, outcomes } = messageWorld();
      const bytes = encodeTransaction({ hash: 0x999n, transaction: handlerToNobody(1n) });
      const another = { ...messageToNobody(1n), bytes };
      order(messageOrder(1n, 1n));
      timer.advance(0);
      order(CLOSE);
      order({ kind: "messages", messages: [another] });
      timer.advance(0);
      expect(outcomes()).toEqual([
        { kind: "consumed", outcomes: [included(5), { kind: "known" }] },
        { kind: "sealed", blockNumber: 5 },
        { kind: "consumed", outcomes: [{ kind: "known" }] },
      ]);
    },
  );

  sharedTest("are recognized if an accepted block has their nonce", () => {
    const consumed = new Map([[3n, { transactionHash: 0x1n, blockNumber: 2 }]]);
    const { order, timer, outcomes } = messageWorld({ consumed });
    order(messageOrder(3n, 4n));
    timer.advance(0);
    expect(outcomes()).toEqual([{ kind: "consumed", outcomes: [{ kind: "known" }, included(5)] }]);
  });

  sharedTest("in an empty order are consumed immediately", () => {
    const { order, outcomes } = messageWorld();
    order({ kind: "messages", messages: [] });
    expect(outcomes()).toEqual([{ kind: "consumed", outcomes: [] }]);
  });

  sharedTest("that do not fit close the block and go into the next", () => {
    const bouncer = { limits: { transactionCount: 3n } };
    const { order, timer, outcomes, sealed, hashes } = messageWorld({ production: { bouncer } });
    order(messageOrder(...noncesUpTo(7)));
    timer.advance(1);
    expect(outcomes()).toEqual([
      {
        kind: "consumed",
        outcomes: [5, 5, 5, 6, 6, 6, 7].map((number) => included(number)),
      },
    ]);
    order(CLOSE);
    expect(hashes().map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(sealed().map(({ message: { l1Messages } }) => l1Messages.map((m) => m.nonce))).toEqual([
      [0n, 1n, 2n],
      [3n, 4n, 5n],
      [6n],
    ]);
  });

  sharedTest("alternate with batches of the mempool", () => {
    const { order, timer, batch, hashes } = messageWorld({ batchSize: 2 }, true);
    order(messageOrder(...noncesUpTo(5)));
    const first = batch([0n, 1n]);
    const second = batch([2n]);
    timer.advance(ANSWER_MS);
    order(CLOSE);
    const sent = noncesUpTo(5).map((nonce) => 0x900n + nonce);
    expect(hashes()).toEqual([[...first, ...sent.slice(0, 2), ...second, ...sent.slice(2)]]);
  });

  sharedTest("end their turn after a long one", () => {
    let nowMs = 0;
    const processorMs = () => (nowMs += 260);
    const { order, batch, hashes } = messageWorld({ processorMs, batchSize: 64 }, true);
    order(messageOrder(...noncesUpTo(4)));
    const [first = 0n] = batch([0n]);
    order(CLOSE);
    expect(hashes()).toEqual([[first, 0x900n]]);
  });

  sharedTest("wait while the committer is too far behind, and continue afterwards", () => {
    const bouncer = { limits: { transactionCount: 1n } };
    const { order, timer, outcomes, sealed, accept } = messageWorld({ production: { bouncer } });
    order(messageOrder(...noncesUpTo(10)));
    timer.advance(100);
    expect(sealed()).toHaveLength(8);
    expect(outcomes()).toEqual([]);
    accept(5);
    accept(6);
    timer.advance(100);
    expect(outcomes()).toHaveLength(1);
  });

  sharedTest("are sealed in blocks at the block time", () => {
    const { order, timer, hashes } = messageWorld();
    order(messageOrder(1n));
    timer.advance(BLOCK_TIME_MS + 50);
    expect(hashes()).toEqual([[0x901n]]);
  });

  sharedTest("share nonces with messages created here", () => {
    const { order, timer, outcomes } = messageWorld();
    const { bytes } = messageToNobody(1n);
    order({ kind: "message", bytes, l1TransactionHash: null });
    order(messageOrder(1n, 2n));
    timer.advance(0);
    order({ kind: "message", bytes: messageToNobody(2n).bytes, l1TransactionHash: null });
    expect(outcomes().map(({ kind }) => kind)).toEqual(["included", "consumed", "refused"]);
    expect(outcomes()[1]).toEqual({ kind: "consumed", outcomes: [{ kind: "known" }, included(5)] });
  });
});

describe("messages suspected of a crash", () => {
  const suspects = (...messages: readonly SuspectMessage[]) =>
    ({ kind: "suspects", messages, isCareful: false }) as const;
  const attempts = (log: readonly string[]) => log.filter((line) => line.startsWith("begin 90"));

  sharedTest("get a separate block, with the attempt in the journal", () => {
    const { order, timer, admission, hashes, log, sealed, accept } = messageWorld();
    admission.tell(suspects({ hash: 0x901n, crashes: 2, reason: null }));
    order(messageOrder(...noncesUpTo(3)));
    timer.advance(ANSWER_MS);
    // The next one waits until it is committed.
    expect(hashes()).toEqual([[0x900n], [0x901n]]);
    accept(5);
    accept(6);
    timer.advance(ANSWER_MS);
    order(CLOSE);
    expect(hashes()).toEqual([[0x900n], [0x901n], [0x902n]]);
    expect(sealed().map(({ message: { attempt } }) => attempt)).toEqual([1, 3, 1]);
    // Once for its execution, once for its block.
    expect([...new Set(attempts(log))]).toEqual(["begin 900 1", "begin 901 3", "begin 902 1"]);
  });

  sharedTest("above the limit are rejected, and the others continue", () => {
    const { order, timer, admission, outcomes } = messageWorld();
    admission.tell(suspects({ hash: 0x900n, crashes: 5, reason: "it died 5 times" }));
    order(messageOrder(...noncesUpTo(2)));
    timer.advance(0);
    expect(outcomes()).toEqual([
      {
        kind: "consumed",
        outcomes: [{ kind: "refused", reason: "it died 5 times" }, included(5)],
      },
    ]);
  });

  sharedTest("get separate blocks each if the culprit is unknown", () => {
    const { order, timer, admission, hashes, accept } = messageWorld();
    admission.tell({ kind: "suspects", messages: [], isCareful: true });
    order(messageOrder(...noncesUpTo(3)));
    for (const blockNumber of [5, 6]) {
      timer.advance(ANSWER_MS);
      accept(blockNumber);
    }
    timer.advance(ANSWER_MS);
    expect(hashes()).toEqual([[0x900n], [0x901n], [0x902n]]);
  });
});
