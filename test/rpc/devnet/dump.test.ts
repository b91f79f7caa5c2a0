import { describe, expect, test } from "bun:test";
import { RECORDER_LIMITS, RequestRecorder } from "#api/rpc/index.ts";
import { askDevnet, refusedPath } from "#test/helpers/devnet.ts";
import { type DumpParts, dumpWorld } from "#test/helpers/dump-world.ts";
import { SAMPLE_CHAIN } from "#test/helpers/sample-chain.ts";

/** Chain with only its genesis block. */
const NEW_CHAIN: DumpParts["context"] = {
  chain: { ...SAMPLE_CHAIN, latestNumber: () => 0, header: () => undefined },
};

const newWorld = (parts: DumpParts = {}) => dumpWorld({ context: NEW_CHAIN, ...parts });

describe("devnet_dump", () => {
  test("returns the requests that changed the chain, in the format of starknet-devnet", async () => {
    const { context } = newWorld();
    await askDevnet("devnet_setTime", { time: 2_000_000_001, generate_block: false }, context);
    await askDevnet("devnet_getConfig", [], context);
    await askDevnet("devnet_mint", { address: "0x0", amount: -1 }, context);
    await askDevnet("devnet_impersonateAccount", ["0x5"], context);
    expect(await askDevnet("devnet_dump", {}, context)).toEqual({
      result: [
        {
          jsonrpc: "2.0",
          method: "devnet_setTime",
          params: { time: 2_000_000_001, generate_block: false },
          id: 0,
        },
        { jsonrpc: "2.0", method: "devnet_impersonateAccount", params: ["0x5"], id: 1 },
      ],
    });
  });

  test("writes to the file that it names, or to that of the option", async () => {
    const { context, files } = newWorld({ path: "/option" });
    await askDevnet("devnet_autoImpersonate", [], context);
    expect(await askDevnet("devnet_dump", { path: "/named" }, context)).toEqual({ result: null });
    expect(await askDevnet("devnet_dump", [], context)).toEqual({ result: null });
    expect([...files.keys()]).toEqual(["/named", "/option"]);
    expect(files.get("/named")).toBe(files.get("/option") ?? "");
  });

  test("returns an empty dump and writes no file if nothing has changed", async () => {
    const { context, files } = newWorld();
    expect(await askDevnet("devnet_dump", [], context)).toEqual({ result: [] });
    expect(await askDevnet("devnet_dump", ["/named"], context)).toEqual({ result: null });
    expect(files.size).toBe(0);
  });

  test("requires the --dump-on option", async () => {
    const { context, recorder } = newWorld({ on: null });
    await askDevnet("devnet_autoImpersonate", [], context);
    expect(recorder.requests()).toEqual([]);
    expect(await askDevnet("devnet_dump", {}, context)).toEqual({
      error: { code: -1, message: "Please provide --dump-on mode on startup." },
    });
  });

  test("fails if requests are missing from the record", async () => {
    const { context } = newWorld({
      recorder: new RequestRecorder({ genesis: 0, newest: 7 }, RECORDER_LIMITS),
    });
    expect(await askDevnet("devnet_dump", {}, context)).toMatchObject({
      error: {
        code: -1,
        message: expect.stringContaining("blocks 1 to 7 were created in an earlier"),
      },
    });
    const { context: full } = newWorld({
      recorder: new RequestRecorder(
        { genesis: 0, newest: 0 },
        { ...RECORDER_LIMITS, maxRequests: 1 },
      ),
    });
    for (let i = 0; i < 2; i++) await askDevnet("devnet_autoImpersonate", [], full);
    expect(await askDevnet("devnet_dump", {}, full)).toMatchObject({
      error: { code: -1, message: expect.stringContaining("too many requests for a dump") },
    });
    await askDevnet("devnet_restart", [], full);
    expect(await askDevnet("devnet_dump", {}, full)).toEqual({ result: [] });
  });

  test("rejects an invalid path", async () => {
    const { context } = newWorld();
    for (const path of ["", 5, "a\0b", "a".repeat(5_000)]) {
      expect(await refusedPath("devnet_dump", { path }, context)).toBe("path");
    }
    expect(await refusedPath("devnet_dump", { test: "" }, context)).toBe("test");
  });
});
