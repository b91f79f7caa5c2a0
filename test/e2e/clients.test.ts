import { expect, test } from "bun:test";
import { join } from "node:path";
import { bySize } from "#test/helpers/test-size.ts";

/** Number of transactions of each kind per program. */
const ROUNDS = bySize({ quick: 2, full: 15 });

const CLIENTS = join(import.meta.dir, "../clients");

/**
 * Programs that need no installation; `scripts/test-clients` also runs those of other languages.
 */
const PROGRAMS = [
  ["starknet.js", "/rpc/v0_10", "starknet-js.ts"],
  ["starknet-devnet", "", "starknet-devnet.ts"],
] as const;

test("JavaScript clients send without waiting, also to a full node, and read what they sent", async () => {
  const clients = PROGRAMS.flatMap(([name, path, file]) => [
    name,
    path,
    `${process.execPath} ${join(CLIENTS, "javascript", file)}`,
  ]);
  const child = Bun.spawn([process.execPath, join(CLIENTS, "run.ts"), ...clients], {
    // The programs' imports would read the test runner's name as theirs.
    env: { ...process.env, NODE_ENV: "clients", CLIENT_ROUNDS: String(ROUNDS) },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const output = await new Response(child.stdout).text();
  expect(output).not.toContain("NOT ");
  expect(output.trimEnd().split("\n").at(-1)).toBe("4 passed, 0 failed");
  expect(await child.exited).toBe(0);
}, 120_000);
