import { describe, expect, test } from "bun:test";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { STAND_IN_SETUP, standInThreads } from "#test/helpers/stand-in-threads.ts";

describe("a thread that an option adds", () => {
  test("is in every role: it starts last, and only main reaches it", async () => {
    const silent = ["explorer"];
    const { threads, fakes, order } = standInThreads(SEQUENCER.threads, silent, ["explorer"]);
    // The node does not wait for its start.
    await threads.started;
    expect(fakes.get("explorer")?.sent.map(({ kind }) => kind)).toEqual(["init"]);
    fakes.get("explorer")?.tell({ kind: "started" });
    silent.length = 0;
    expect(fakes.get("explorer")?.sent[0]?.init?.ports).toEqual({});
    const { port } = threads.end("explorer");
    order.length = 0;
    await threads.change(FULL_NODE.threads, STAND_IN_SETUP, () => Promise.resolve());
    expect([order[0], order.at(-1)]).toEqual(["stop explorer", "init explorer"]);
    expect(threads.end("explorer").port).toBe(port);
  });
});

describe("a failure of a thread that an option adds", () => {
  test("stops the node, as that of every thread", async () => {
    const { threads, fakes, failures } = standInThreads(
      SEQUENCER.threads,
      ["explorer"],
      ["explorer"],
    );
    await threads.started;
    fakes.get("explorer")?.tell({ kind: "failed", reason: "no chain" });
    await Bun.sleep(1);
    expect(failures).toContain("explorer: no chain");
  });
});
