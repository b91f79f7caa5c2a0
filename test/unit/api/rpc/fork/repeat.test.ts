import { describe, expect, test } from "bun:test";
import { NotServedError, repeatBeforeEffects, repeatWhileMissing } from "#api/rpc/index.ts";
import { OriginError } from "#base/errors/index.ts";
import { OriginMissing, type OriginQuery, originQueryText } from "#io/origin/index.ts";

const CLIENT = { address: "10.0.0.1" };
const nonceOf = (address: bigint): OriginQuery => ({ kind: "nonce", block: 1, address });

function forkOf(fetch: (text: string) => void = () => undefined) {
  const fetched: string[] = [];
  return {
    fetched,
    fork: {
      fetch: async (queries: readonly OriginQuery[]) => {
        for (const query of queries) {
          fetched.push(originQueryText(query));
          fetch(originQueryText(query));
        }
      },
      callEndsAtMs: () => 0,
    },
  };
}

/** Work that lacks the first `count` nonces, one after another. */
function lacking(fetched: readonly string[], count: number): () => string {
  return () => {
    if (fetched.length < count) throw new OriginMissing([nonceOf(BigInt(fetched.length))]);
    return "done";
  };
}

describe("repeatWhileMissing", () => {
  test("returns immediately what lacks nothing", () => {
    const { fork, fetched } = forkOf();
    expect(repeatWhileMissing(fork, CLIENT, () => "done")).toBe("done");
    expect(fetched).toEqual([]);
  });

  test("runs once on a chain that is no fork", () => {
    const work = lacking([], 1);
    expect(() => repeatWhileMissing(null, CLIENT, work)).toThrow(OriginMissing);
  });

  test("repeats until every value is fetched", async () => {
    const { fork, fetched } = forkOf();
    expect(await repeatWhileMissing(fork, CLIENT, lacking(fetched, 3))).toBe("done");
    expect(fetched).toEqual(["nonce 1 0x0", "nonce 1 0x1", "nonce 1 0x2"]);
  });

  test("gives all fetches of a call one deadline", async () => {
    const { fork, fetched } = forkOf();
    let clockMs = 7;
    const deadlines: number[] = [];
    const timed = {
      callEndsAtMs: () => clockMs++,
      fetch(queries: readonly OriginQuery[], _client: typeof CLIENT, endsAtMs: number) {
        deadlines.push(endsAtMs);
        return fork.fetch(queries);
      },
    };
    await repeatWhileMissing(timed, CLIENT, lacking(fetched, 3));
    expect(deadlines).toEqual([7, 7, 7]);
  });

  test("repeats work that fails later", async () => {
    const { fork, fetched } = forkOf();
    const work = lacking(fetched, 2);
    const late = async (): Promise<string> => {
      await Promise.resolve();
      return work();
    };
    expect(await repeatWhileMissing(fork, CLIENT, late)).toBe("done");
  });

  test("passes on other errors", async () => {
    const { fork } = forkOf();
    const work = (): never => {
      throw new RangeError("mine");
    };
    expect(repeatWhileMissing(fork, CLIENT, work)).rejects.toThrow("mine");
    await Bun.sleep(0);
  });

  test("ends with the error of the origin", async () => {
    const { fork, fetched } = forkOf(() => {
      throw new OriginError("ORIGIN_UNAVAILABLE", "http://origin:1 does not respond", true);
    });
    const running = repeatWhileMissing(fork, CLIENT, lacking(fetched, 1));
    expect(running).rejects.toThrow("http://origin:1 does not respond");
    await Bun.sleep(0);
  });

  test("refuses work that never ends, naming the last value", async () => {
    const { fork } = forkOf();
    const work = (): never => {
      throw new OriginMissing([nonceOf(9n)]);
    };
    const running = Promise.resolve(repeatWhileMissing(fork, CLIENT, work));
    const error: unknown = await running.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotServedError);
    expect(String(error)).toContain("nonce 1 0x9");
  });
});

describe("repeatBeforeEffects", () => {
  test("repeats work that fails before it has begun", async () => {
    const { fork, fetched } = forkOf();
    const work = lacking(fetched, 2);
    expect(await repeatBeforeEffects(fork, CLIENT, () => work())).toBe("done");
    expect(fetched).toHaveLength(2);
  });

  test("returns immediately what lacks nothing", () => {
    const { fork } = forkOf();
    expect(repeatBeforeEffects(fork, CLIENT, () => "done")).toBe("done");
  });

  test.each([0, 1])(
    "does not repeat work that lacks a value later, after %i fetches",
    async (early) => {
      const { fork, fetched } = forkOf();
      let effects = 0;
      const before = lacking(fetched, early);
      const work = (): Promise<string> => {
        before();
        effects++;
        return Promise.reject(new OriginMissing([nonceOf(9n)]));
      };
      const ended: unknown = await Promise.resolve(repeatBeforeEffects(fork, CLIENT, work)).catch(
        (thrown: unknown) => thrown,
      );
      expect(ended).toBeInstanceOf(OriginMissing);
      expect(effects).toBe(1);
    },
  );
});
