import { describe, expect, test } from "bun:test";
import { blockKey } from "#services/replication/index.ts";
import { chainOf, LEADS, reconcileWorld } from "#test/helpers/reconcile-world.ts";

describe("a store", () => {
  test("is retried while unavailable, but ends the start if it denies access", async () => {
    const { run, objects, events } = reconcileWorld(chainOf(5), chainOf(4));
    let left = 5;
    objects.fault = () => (left-- > 0 ? "down" : "none");
    expect(await run(LEADS)).toMatchObject({ publishedBlock: 4 });
    expect(events.filter(({ kind }) => kind === "waiting")).toHaveLength(5);
    objects.fault = () => "denied";
    expect(run(LEADS)).rejects.toThrow("status 403");
  });

  test("is abandoned when the start is aborted, during a read or a write", async () => {
    for (const hanging of ["list", "putIfAbsent"]) {
      const { run, objects, end } = reconcileWorld(chainOf(5), chainOf(4));
      objects.fault = ({ method }) => {
        if (method !== hanging) return "none";
        queueMicrotask(() => end.abort());
        return new Promise(() => undefined);
      };
      expect(await run(LEADS).catch((error: unknown) => error)).toMatchObject({
        code: "NODE_STOPPED",
      });
    }
  });

  test("replaces local blocks only by blocks signed with the chain's key", async () => {
    const signed = reconcileWorld(chainOf(9), chainOf(9, 4));
    await signed.run(LEADS);
    expect(signed.blocks).toHaveLength(4);
    const forged = reconcileWorld(chainOf(9), chainOf(9, 4), 0, false);
    expect(await forged.run(LEADS).catch((error: unknown) => error)).toMatchObject({
      code: "NODE_STORE_CORRUPT",
      message: expect.stringContaining("block 4"),
    });
    expect([forged.blocks.length, forged.events]).toEqual([9, []]);
    // The newest block may not have been announced.
    const newest = reconcileWorld(chainOf(9), chainOf(9, 8), 0, false);
    await newest.run(LEADS);
    expect(newest.blocks).toHaveLength(8);
  });

  test("with unreadable bundles reverts at most the newest block", async () => {
    const { run, objects, blocks } = reconcileWorld(chainOf(5), chainOf(5));
    objects.objects.set(blockKey(4), Uint8Array.of(9));
    await run(LEADS);
    expect(blocks).toHaveLength(4);
    objects.objects.set(blockKey(3), Uint8Array.of(9));
    objects.objects.set(blockKey(2), Uint8Array.of(9));
    expect(await run(LEADS).catch(String)).toContain("block 2");
    expect(blocks).toHaveLength(4);
  });
});
