import { describe, expect, test } from "bun:test";
import type { Reorg } from "#api/rpc/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { NodeError, StorageError } from "#base/errors/index.ts";
import { ChainRewind } from "#app/node/chain-rewind.ts";

const SAMPLE_HEADER = (number: number): BlockHeader =>
  ({ number, hash: 0xb00n + BigInt(number) }) as BlockHeader;

/** A rewind whose parts note what they are told; `unwind` and `restart` may fail. */
function world({
  unwind = undefined as Error | undefined,
  restart = undefined as Error | undefined,
} = {}) {
  const told: string[] = [];
  const note = (what: string) => (): Promise<void> => {
    told.push(what);
    return Promise.resolve();
  };
  const failures: NodeError[] = [];
  const reorgs: Reorg[] = [];
  const rewind = new ChainRewind({
    threads: {
      async restart(work) {
        told.push("stop threads");
        try {
          await work();
        } finally {
          told.push("start threads");
        }
        if (restart !== undefined) throw restart;
      },
    },
    paths: {
      admission: {
        hold: note("hold submissions"),
        interrupt: note("interrupt submissions"),
        release: note("release submissions"),
      },
      queryPool: { hold: note("hold queries"), release: note("release queries") },
    },
    view: {
      reset(reorg) {
        told.push("reset view");
        if (reorg !== undefined) reorgs.push(reorg);
      },
      chain: {
        latestNumber: () => 6,
        header: (number) => (number > 6 ? undefined : SAMPLE_HEADER(number)),
      },
    },
    told: { interrupt: note("interrupt orders") },
    async unwind({ blockNumber, keepReceived }) {
      told.push(`unwind ${blockNumber} ${keepReceived}`);
      await Bun.sleep(1);
      if (unwind !== undefined) throw unwind;
    },
    onFailure: (error) => void failures.push(error),
  });
  return { rewind, told, failures, reorgs };
}

const WHOLE = [
  "hold submissions",
  "hold queries",
  "stop threads",
  "interrupt submissions",
  "interrupt orders",
  "unwind 4 true",
  "reset view",
  "start threads",
  "release queries",
  "release submissions",
];

describe("taking the chain of a running node back", () => {
  test("holds who asks, changes what is stored while no thread runs, and begins anew", async () => {
    const { rewind, told, reorgs } = world();
    await rewind.to(4, true);
    expect(told).toEqual(WHOLE);
    expect(reorgs).toEqual([
      { starting: { number: 5, hash: 0xb05n }, ending: { number: 6, hash: 0xb06n } },
    ]);
    await rewind.to(6, true);
    expect(reorgs).toHaveLength(1);
  });

  test("goes on with the chain as it was when that fails", async () => {
    const { rewind, told, failures, reorgs } = world({
      unwind: new StorageError("STORAGE_PRUNED", "no"),
    });
    expect(rewind.to(4, true)).rejects.toThrow("no");
    await rewind.to(4, true).catch(() => undefined);
    expect(told).toEqual([...WHOLE, ...WHOLE]);
    expect([failures, reorgs]).toEqual([[], []]);
  });

  test("fails the node when a thread does not start again", async () => {
    const error = new NodeError("NODE_WORKER_FAILED", "no memory");
    const { rewind, failures } = world({ restart: error });
    await rewind.to(4, true).catch(() => undefined);
    expect(failures).toEqual([error]);
  });

  test("happens once at a time", async () => {
    const { rewind, told } = world();
    await Promise.all([rewind.to(4, true), rewind.to(4, true)]);
    expect(told).toEqual([...WHOLE, ...WHOLE]);
  });
});
