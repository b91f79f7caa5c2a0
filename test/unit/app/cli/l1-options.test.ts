import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { run, startedWith } from "./run.ts";

const SEQUENCER = "sequencer --preset devnet".split(" ");
const FULL_NODE = "node --preset devnet --gateway-url http://localhost:8080".split(" ");
const L1 = ["--l1-endpoint", "http://a:1"];

const l1With = async (...more: readonly string[]) =>
  (await startedWith([...SEQUENCER, ...L1, ...more])).l1;

const messagesOf = async (...line: readonly string[]): Promise<readonly string[]> =>
  (await startedWith(line)).notices.map(({ message }) => message);

describe("--l1-endpoint", () => {
  test("can be repeated in order, in both roles", async () => {
    const given = [...L1, "--l1-endpoint", "https://user:word@b/key"];
    for (const role of [SEQUENCER, FULL_NODE]) {
      const { l1 } = await startedWith([...role, ...given]);
      expect(l1?.endpoints).toEqual(["http://a:1", "https://user:word@b/key"]);
    }
  });

  test("is a comma-separated list in the environment", async () => {
    const { l1 } = await startedWith(SEQUENCER, { APPCHAIN_L1_ENDPOINT: "http://a:1, http://b:2" });
    expect(l1?.endpoints).toEqual(["http://a:1", "http://b:2"]);
  });

  test.each([
    ["ftp://a"],
    ["a:1"],
    [""],
    ["http://a,"],
    // The same endpoint twice would confirm itself.
    ["http://a:1,http://A:1/"],
  ])("refuses %p", async (text) => {
    const { code, err } = await run([...SEQUENCER, "--l1-endpoint", text]);
    expect([code, err]).toEqual([2, expect.stringContaining("--l1-endpoint: expected http://")]);
  });
});

describe("--l1-finality", () => {
  test("defaults to l1_messages_finality_blocks of the chain", async () => {
    expect((await l1With())?.finality).toBe(10);
    using folder = temporaryFolder();
    const path = folder.file("chain.yaml");
    writeFileSync(path, "l1_messages_finality_blocks: 3\n");
    const file = ["--chain-config-path", path];
    expect((await l1With(...file))?.finality).toBe(3);
    expect((await l1With(...file, "--l1-finality", "0"))?.finality).toBe(0);
  });

  test("accepts L1's tags", async () => {
    expect((await l1With("--l1-finality", "SAFE"))?.finality).toBe("safe");
    expect((await l1With("--l1-finality", "finalized"))?.finality).toBe("finalized");
  });

  test.each(["-1", "1.5", "latest", "1000001", ""])("refuses %p", async (text) => {
    const { code, err } = await run([...SEQUENCER, ...L1, `--l1-finality=${text}`]);
    expect([code, err]).toEqual([2, expect.stringContaining("--l1-finality: expected integer")]);
  });
});

describe("--l1-accept-divergence", () => {
  const [one, other] = ["1", "ab"].map((text) => `0x${text.padStart(64, "0")}`);

  test("accepts L1 transaction hashes in both roles, none by default", async () => {
    expect((await l1With())?.acceptedDivergences).toEqual([]);
    for (const role of [SEQUENCER, FULL_NODE]) {
      const given = ["--l1-accept-divergence", String(one), "--l1-accept-divergence"];
      const { l1 } = await startedWith([...role, ...L1, ...given, String(other)]);
      expect(l1?.acceptedDivergences).toEqual([1n, 0xabn]);
    }
  });

  test("is a comma-separated list in the environment", async () => {
    const environment = { APPCHAIN_L1_ACCEPT_DIVERGENCE: `${one}, ${other}` };
    const { l1 } = await startedWith([...SEQUENCER, ...L1], environment);
    expect(l1?.acceptedDivergences).toEqual([1n, 0xabn]);
  });

  test.each(["", "0x1", "all", "7".padStart(64, "0"), `${one},`])("refuses %p", async (text) => {
    const { code, err } = await run([...SEQUENCER, ...L1, `--l1-accept-divergence=${text}`]);
    expect([code, err]).toEqual([2, expect.stringContaining("--l1-accept-divergence: expected")]);
  });

  test("has no effect without L1, with a notice", async () => {
    expect(await messagesOf(...FULL_NODE, "--l1-accept-divergence", String(one))).toEqual([
      "--l1-accept-divergence has no effect: L1 is followed only with --l1-endpoint",
    ]);
  });
});

describe("an oracle", () => {
  test("can have its key in a file", async () => {
    const url = ["--oracle-url", "https://oracle/"];
    expect((await l1With(...url))?.oracle).toEqual({ url: "https://oracle/", apiKeyFile: null });
    expect((await l1With(...url, "--oracle-api-key-file", "k"))?.oracle).toEqual({
      url: "https://oracle/",
      apiKeyFile: resolve("k"),
    });
  });

  test("with a key requires an address", async () => {
    const { code, err } = await run([...SEQUENCER, ...L1, "--oracle-api-key-file", "k"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--oracle-url")]);
  });

  test("is overridden by --strk-per-eth, with a notice", async () => {
    const line = [...SEQUENCER, ...L1, "--oracle-url", "http://o", "--strk-per-eth", "2"];
    expect(await messagesOf(...line)).toEqual([
      "--oracle-url has no effect: --strk-per-eth fixes the exchange rate",
    ]);
  });
});

test("options that require --l1-endpoint have no effect without it, with a notice", async () => {
  const options = ["--l1-finality", "5", "--gas-price-poll", "1s", "--oracle-url", "http://o"];
  const why = "has no effect: L1 is followed only with --l1-endpoint";
  expect(await messagesOf(...SEQUENCER, ...options)).toEqual([
    `--l1-finality ${why}`,
    `--gas-price-poll ${why}`,
    `--oracle-url ${why}`,
  ]);
});

test("a full node ignores prices, with a notice", async () => {
  const options = ["--gas-price-poll", "1s", "--oracle-url", "http://o", "--l1-finality", "5"];
  const why = "has no effect: a full node makes no blocks";
  expect(await messagesOf(...FULL_NODE, ...L1, ...options)).toEqual([
    `--gas-price-poll ${why}`,
    `--oracle-url ${why}`,
  ]);
  expect(await messagesOf(...FULL_NODE, "--l1-finality", "5")).toEqual([
    "--l1-finality has no effect: L1 is followed only with --l1-endpoint",
  ]);
});
