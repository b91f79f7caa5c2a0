import { describe, expect, test } from "bun:test";
import { type ExecutionRecord, openMempoolStore, UNNAMED } from "#io/storage/index.ts";
import { MAX_ATTEMPTS } from "#services/admission/rejection-reasons.ts";
import { SuspectMessages } from "#services/admission/suspect-messages.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const HASH = 0x900n;
const record = (fields: Partial<ExecutionRecord> = {}): ExecutionRecord => ({
  hash: HASH,
  attempt: 1,
  cause: null,
  ...fields,
});

/** A start with given journal records, on a store that persists over starts. */
async function started(
  path: string,
  executed?: ExecutionRecord,
  committed?: ExecutionRecord,
  known: { readonly waiting?: bigint; readonly located?: bigint } = {},
) {
  const store = await openMempoolStore(path, "T");
  const suspects = new SuspectMessages({
    store,
    chain: {
      locate: (hash) => (hash === known.located ? { blockNumber: 1, index: 0 } : undefined),
    },
    isWaiting: (hash) => hash === known.waiting,
  });
  const suspicion = suspects.reload(executed, committed);
  return { store, suspects, suspicion };
}

describe("an L1 message suspected of a crash", () => {
  test("stays suspect until it is in a block, over restarts", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const suspect = { hash: HASH, crashes: 1, reason: null };
    const first = await started(path, record());
    expect(first.suspicion).toEqual({ messages: [suspect], isCareful: false });
    first.store.close();
    const second = await started(path);
    expect(second.suspicion).toEqual({ messages: [suspect], isCareful: false });
    second.suspects.included([1n, 2n]);
    second.suspects.included([HASH]);
    second.store.close();
    const third = await started(path);
    expect(third.suspicion).toBeUndefined();
    third.store.close();
  });

  test("is no longer executed after repeated crashes, or after a thread crashed", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const { store, suspicion } = await started(path, record({ attempt }));
      expect(suspicion?.messages).toEqual([{ hash: HASH, crashes: attempt, reason: null }]);
      store.close();
    }
    const last = await started(path, record({ attempt: MAX_ATTEMPTS }));
    expect(last.suspicion?.messages[0]?.reason).toContain(`died ${MAX_ATTEMPTS} times`);
    last.store.close();
    const later = await started(path, undefined, record({ hash: 0x901n, cause: "unreachable" }));
    expect(later.suspicion?.messages.map(({ hash, reason }) => [hash, reason?.slice(-11)])).toEqual(
      [
        [HASH, last.suspicion?.messages[0]?.reason?.slice(-11)],
        [0x901n, "unreachable"],
      ],
    );
    later.store.close();
  });

  test("is unknown after unnamed crashes: frequent ones make every message run alone", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const once = await started(path, record({ hash: UNNAMED }));
    expect(once.suspicion).toBeUndefined();
    once.store.close();
    const often = await started(path, undefined, record({ hash: UNNAMED, attempt: MAX_ATTEMPTS }));
    expect(often.suspicion).toEqual({ messages: [], isCareful: true });
    often.store.close();
  });

  test("is not a pending, dropped or included transaction", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const waiting = await started(path, record(), undefined, { waiting: HASH });
    expect(waiting.suspicion).toBeUndefined();
    const reject = { hash: HASH, cause: "fatal", reason: "why", rejectedAtMs: 1 } as const;
    waiting.store.close();
    const located = await started(path, record(), undefined, { located: HASH });
    expect(located.suspicion).toBeUndefined();
    located.store.write({ reject: [reject] });
    located.store.close();
    const dropped = await started(path, record());
    expect(dropped.suspicion).toBeUndefined();
    dropped.store.close();
  });
});
