import { describe, expect, test } from "bun:test";
import { blockKey } from "#services/replication/index.ts";
import { chainOf, LEADS, reconcileWorld } from "#test/helpers/reconcile-world.ts";

describe("a store", () => {
  test("that does not answer is asked on and on; one that refuses ends the start", async () => {
    const { run, objects, events } = reconcileWorld(chainOf(5), chainOf(4));
    let left = 5;
    objects.fault = () => (left-- > 0 ? "down" : "none");
    expect(await run(LEADS)).toMatchObject({ publishedBlock: 4 });
    expect(events.filter(({ kind }) => kind === "waiting")).toHaveLength(5);
    objects.fault = () => "denied";
    expect(run(LEADS)).rejects.toThrow("status 403");
  });

  test("is asked no more when the start is called off, in a question and in a put", async () => {
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

  test("has blocks of others give way to those that the chain's key has signed alone", async () => {
    const signed = reconcileWorld(chainOf(9), chainOf(9, 4));
    await signed.run(LEADS);
    expect(signed.blocks).toHaveLength(4);
    const forged = reconcileWorld(chainOf(9), chainOf(9, 4), 0, false);
    expect(await forged.run(LEADS).catch((error: unknown) => error)).toMatchObject({
      code: "NODE_STORE_CORRUPT",
      message: expect.stringContaining("block 4"),
    });
    expect([forged.blocks.length, forged.events]).toEqual([9, []]);
    // Nobody may have been told of the newest one.
    const newest = reconcileWorld(chainOf(9), chainOf(9, 8), 0, false);
    await newest.run(LEADS);
    expect(newest.blocks).toHaveLength(8);
  });

  test("with bundles that cannot be read takes back no more than the newest block", async () => {
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
