import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { startKeyEcho } from "#test/helpers/key-echo.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { run } from "./run.ts";

const KEY = "CliSecret00000001";
const L1_KEY = `0x${"5ec2e7".padStart(64, "1")}`;

const folder = useFolder();
const echo = startKeyEcho();
afterAll(() => echo[Symbol.dispose]());

const keyFile = folder.file("l1.key");
writeFileSync(keyFile, L1_KEY, { mode: 0o600 });

/** Commands that take an address as their last argument. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "rpc call": ["rpc", "call", "blockNumber", "--timeout", "200ms", "--url"],
  replay: [
    ...["replay", "--block", "1", "--preset", "devnet", "--timeout", "200ms"],
    ...["--retries", "0", "--url"],
  ],
  "l1 settle": [
    ...["l1", "settle", "--dev", "--key-file", keyFile],
    ...["--core-contract", `0x${"1".repeat(40)}`, "--l1-endpoint"],
  ],
};

describe("a command whose server fails hides the key in its address:", () => {
  for (const [name, words] of Object.entries(COMMANDS)) {
    // A silent L1 would take ten seconds.
    const addresses = echo.addresses(KEY).slice(0, name === "l1 settle" ? -1 : undefined);
    for (const [i, address] of addresses.entries()) {
      test(`${name} ${i}`, async () => {
        const { code, out, err } = await run([...words, address]);
        expect([code, err]).toEqual([1, expect.stringMatching(/127\.0\.0\.1|error 401/)]);
        for (const key of [KEY, L1_KEY, btoa(`${KEY}:${KEY}`)]) {
          expect((out + err).toLowerCase()).not.toContain(key.toLowerCase());
        }
      });
    }
  }
});
