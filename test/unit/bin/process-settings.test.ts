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

describe("the words of a command line", () => {
  const argv = ["bun", "/$bunfs/root/a", "--port", "1"];

  test("are those behind the program's name", () => {
    for (const name of ["appchain", "./dist/appchain", "bun", "", "/appchain-devnet/appchain"]) {
      expect(wordsOf(name, argv)).toEqual(["--port", "1"]);
    }
  });

  test("begin with the command that the program's name stands for", () => {
    for (const name of ["appchain-devnet", "./appchain-devnet", "/usr/bin/appchain-devnet"]) {
      expect(wordsOf(name, argv)).toEqual(["devnet", "--port", "1"]);
    }
  });
});

describe("the settings of a node's process", () => {
  test.each([
    [["sequencer", "--preset", "devnet"]],
    [["node", "--preset", "mainnet"]],
    [["devnet", "--port", "5051"]],
    [["--preset", "devnet", "--sequencer"]],
    [["--preset", "sepolia"]],
  ])("come by executing the program once more: %p", (words) => {
    expect(settingsExecution(started(words, { HOME: "/root" }), true)).toEqual({
      path: "/opt/appchain",
      argv: ["/opt/appchain", ...words],
      env: { HOME: "/root", ...SETTINGS },
    });
  });

  test("come as well where the environment says what to run", () => {
    const process = started([], { APPCHAIN_PRESET: "devnet" });
    expect(settingsExecution(process, true)?.env).toEqual({
      APPCHAIN_PRESET: "devnet",
      ...SETTINGS,
    });
  });

  test("keep the options of the runtime and the program's file, run from source", () => {
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

  test("are not given again", () => {
    expect(settingsExecution(started(["node"], SETTINGS), true)).toBeUndefined();
  });

  test("leave what somebody has set", () => {
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
  ])("are not for other commands: %p", (words) => {
    expect(settingsExecution(started(words), true)).toBeUndefined();
  });
});
