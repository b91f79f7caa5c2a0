import { describe, expect, test } from "bun:test";
import { settingsExecution, type StartedProcess, wordsOf } from "../../../bin/process-settings.ts";

const RUNTIME = "/opt/bun";
const SETTINGS = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_maxNumWasmFastMemories: "256",
  BUN_JSC_smallHeapGrowthFactor: "1.25",
  BUN_JSC_useWarmUpMarkedBlocks: "0",
};

function started(words: readonly string[], env: StartedProcess["env"] = {}): StartedProcess {
  return {
    execPath: "/opt/appchain",
    execArgv: [],
    argv: ["bun", "/$bunfs/root/a", ...words],
    env,
  };
}

describe("wordsOf", () => {
  const argv = ["bun", "/$bunfs/root/a", "--port", "1"];

  test("returns the words after the program's name", () => {
    for (const name of ["appchain", "./dist/appchain", "bun", "", "/appchain-devnet/appchain"]) {
      expect(wordsOf(name, argv)).toEqual(["--port", "1"]);
    }
  });

  test("starts with the command implied by the program's name", () => {
    for (const name of ["appchain-devnet", "./appchain-devnet", "/usr/bin/appchain-devnet"]) {
      expect(wordsOf(name, argv)).toEqual(["devnet", "--port", "1"]);
    }
  });
});

describe("process settings of a node", () => {
  test.each([
    [["sequencer", "--preset", "devnet"]],
    [["node", "--preset", "mainnet"]],
    [["devnet", "--port", "5051"]],
    [["--preset", "devnet", "--sequencer"]],
    [["--preset", "sepolia"]],
  ])("apply by executing the program once more: %p", (words) => {
    expect(settingsExecution(started(words, { HOME: "/root" }), true)).toEqual({
      path: "/opt/appchain",
      argv: ["/opt/appchain", ...words],
      env: { HOME: "/root", ...SETTINGS },
    });
  });

  test("apply when the environment chooses the command", () => {
    const process = started([], { APPCHAIN_PRESET: "devnet" });
    expect(settingsExecution(process, true)?.env).toEqual({
      APPCHAIN_PRESET: "devnet",
      ...SETTINGS,
    });
  });

  test("keep runtime options and the program's file when run from source", () => {
    const process: StartedProcess = {
      execPath: RUNTIME,
      execArgv: ["--no-env-file"],
      argv: [RUNTIME, "/a/bin/appchain.ts", "node"],
      env: {},
    };
    expect(settingsExecution(process, false)?.argv).toEqual([
      RUNTIME,
      "--no-env-file",
      "/a/bin/appchain.ts",
      "node",
    ]);
  });

  test("are not applied twice", () => {
    expect(settingsExecution(started(["node"], SETTINGS), true)).toBeUndefined();
  });

  test("keep values that the user has set", () => {
    for (const name of Object.keys(SETTINGS)) {
      expect(settingsExecution(started(["node"], { [name]: "1" }), true)?.env).toEqual({
        ...SETTINGS,
        [name]: "1",
      });
      expect(
        settingsExecution(started(["node"], { ...SETTINGS, [name]: "1" }), true),
      ).toBeUndefined();
    }
  });

  test.each([
    [[]],
    [["--version"]],
    [["--help"]],
    [["help", "node"]],
    [["rpc", "call", "chain_blockNumber"]],
    [["__compiler"]],
  ])("do not apply to other commands: %p", (words) => {
    expect(settingsExecution(started(words), true)).toBeUndefined();
  });
});
