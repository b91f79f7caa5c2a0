import { describe, expect, test } from "bun:test";
import { SenderTurns } from "#services/admission/declare/sender-turns.ts";
import { settle } from "#test/helpers/admission-world.ts";

/** Turns with work that a test finishes. */
function world() {
  const turns = new SenderTurns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (sender: bigint, name: string, sizeBytes = 1) =>
    turns.run(sender, sizeBytes, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  return { run, end, begun };
}

describe("the work of one sender", () => {
  test("is done sequentially and in order, each with its own result", async () => {
    const { run, end, begun } = world();
    const results = ["a", "b", "c"].map((name) => run(1n, name));
    await settle();
    expect(begun).toEqual(["a"]);
    await end("a");
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    await end("c");
    expect(await Promise.all(results)).toEqual(["a", "b", "c"]);
  });

  test("does not wait for that of others", async () => {
    const { run, begun } = world();
    void run(1n, "a");
    void run(2n, "b");
    await settle();
    expect(begun).toEqual(["a", "b"]);
  });

  test("is rejected above eight, and accepted again after one has finished", async () => {
    const { run, end, begun } = world();
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for (const name of names) void run(1n, name);
    expect(await run(1n, "ninth")).toBeUndefined();
    await end("a");
    void run(1n, "tenth");
    expect(await run(1n, "eleventh")).toBeUndefined();
    for (const name of names.slice(1)) await end(name);
    expect(begun).toEqual([...names, "tenth"]);
  });

  test("is rejected above 128 MiB of all senders, and accepted again once there is room", async () => {
    const { run, end, begun } = world();
    void run(1n, "a", 100 << 20);
    void run(1n, "b", 27 << 20);
    expect(await run(2n, "c", 2 << 20)).toBeUndefined();
    void run(2n, "d", 1 << 20);
    expect(await run(3n, "e", 1)).toBeUndefined();
    await end("a");
    void run(3n, "f", 100 << 20);
    expect(begun).toEqual(["a", "d", "b", "f"]);
  });

  test("begins immediately if all earlier work is done", async () => {
    const { run, end, begun } = world();
    void run(1n, "a");
    await end("a");
    void run(1n, "b");
    expect(begun).toEqual(["a", "b"]);
  });
});
