import { describe, expect, test } from "bun:test";
import { DevnetFault } from "#api/rpc/index.ts";
import { wholeLoad } from "#app/node/devnet/whole-load.ts";
import { StorageError } from "#base/errors/index.ts";

function undoWorld(full = false) {
  const steps: string[] = [];
  const undo = {
    keep() {
      if (full) throw new StorageError("STORAGE_NO_SPACE", "the disk is full");
      steps.push("keep");
    },
    forget: () => void steps.push("forget"),
    undo: async () => void steps.push("undo"),
  };
  const load = async () => void steps.push("load");
  const failing = async () => {
    steps.push("load");
    throw new DevnetFault("entry 3 cannot be replayed");
  };
  return { steps, undo, load, failing };
}

describe("a load", () => {
  test("keeps the chain until it is complete", async () => {
    const { steps, undo, load } = undoWorld();
    await wholeLoad(undo, load, false);
    expect(steps).toEqual(["keep", "load", "forget"]);
  });

  test("that fails is undone before its error is returned", async () => {
    const { steps, undo, failing } = undoWorld();
    const error: unknown = await wholeLoad(undo, failing, false).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("entry 3");
    expect(steps).toEqual(["keep", "load", "undo"]);
  });

  test("that fails in a start is left to the next start", async () => {
    const { steps, undo, failing } = undoWorld();
    await wholeLoad(undo, failing, true).catch(() => undefined);
    expect(steps).toEqual(["keep", "load"]);
  });

  test("does not begin if the chain cannot be kept", async () => {
    const { steps, undo, load } = undoWorld(true);
    const error: unknown = await wholeLoad(undo, load, false).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DevnetFault);
    expect(steps).toEqual([]);
  });
});
