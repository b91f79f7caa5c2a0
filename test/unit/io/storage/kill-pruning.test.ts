import { expect, test } from "bun:test";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { naiveStateRoot, type PlainState, StateHistory } from "#test/helpers/state-history.ts";
import { SLOTS, slotDiff, CONTRACT } from "#test/helpers/slot-blocks.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";

const ROOT = `${import.meta.dir}/../../..`;

/** Number of kills; set `KILLS` to override. */
const KILLS = integerOfEnvironment("KILLS") ?? bySize({ quick: 2, full: 4 });

/** Adds blocks with pruning, sometimes reverts past the retained tries; prints each change. */
const working = `
  import { StateHistory } from "#test/helpers/state-history.ts";
  import { slotDiff } from "#test/helpers/slot-blocks.ts";
  const print = (line) => require("node:fs").writeSync(1, line + "\\n");
  const history = await StateHistory.resume(process.argv.at(-1), { keepProofs: 2, pruneHistory: 16 });
  for (;;) {
    for (let i = 0; i < 20; i++) print("at " + history.commit(slotDiff(history.newest + 1)));
    print("back to " + (history.newest - 5));
    history.revertTo(history.newest - 5);
    print("at " + history.newest);
  }
`;

/** Kills the child `delayMs` after `changes` changes, however long these take. */
async function linesUntilKilled(path: string, changes: number, delayMs: number): Promise<string[]> {
  const child = Bun.spawn([process.execPath, "--eval", working, "--", path], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  let killing = false;
  for await (const bytes of child.stdout) {
    output += new TextDecoder().decode(bytes);
    if (killing || output.split("\n").length <= changes) continue;
    killing = true;
    setTimeout(() => child.kill(9), delayMs);
  }
  await child.exited;
  return output.split("\n").slice(0, -1);
}

/** State after a block: each slot has the value of the newest block that wrote it. */
function stateAfter(block: number): PlainState {
  const slots = new Map<bigint, bigint>();
  for (let number = 0; number <= block; number++) {
    for (const entry of slotDiff(number).storageDiffs.get(CONTRACT) ?? []) slots.set(...entry);
  }
  const none = new Map<bigint, bigint>();
  return { storage: new Map([[CONTRACT, slots]]), nonces: none, classHashes: none, compiled: none };
}

test("killing the process while it prunes or reverts leaves a complete old or new state", async () => {
  using folder = temporaryFolder();
  const path = folder.file("chain.db");
  let least = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const lines = await linesUntilKilled(path, 20 + ((kill * 37) % 60), (kill * 7) % 20);
    const last = /^(at|back to) (\d+)$/.exec(lines.at(-1) ?? "");
    least = Number(last?.[2]);
    using history = await StateHistory.resume(path);
    const { reader } = history;
    expect(history.newest).toBeGreaterThanOrEqual(least);
    expect(history.handle.connection.query("pragma integrity_check").get()).toEqual({
      integrity_check: "ok",
    });
    for (let number = reader.oldestStateBlock(); number <= history.newest; number++) {
      const expected = stateAfter(number).storage.get(CONTRACT);
      const state = reader.stateAt(number);
      for (const slot of SLOTS) {
        expect(state.storageAt(CONTRACT, slot)).toBe(expected?.get(slot) ?? 0n);
      }
    }
    for (let number = reader.oldestTrieBlock(); number <= history.newest; number++) {
      const root = naiveStateRoot(stateAfter(number));
      expect(reader.header(number)?.newRoot).toBe(root);
    }
    // The tries remain usable: the next block gets the correct root.
    const next = history.commit(slotDiff(history.newest + 1));
    expect(reader.header(next)?.newRoot).toBe(naiveStateRoot(stateAfter(next)));
    history.revertTo(next - 1);
  }
  expect(least).toBeGreaterThan(16);
}, 120_000);
