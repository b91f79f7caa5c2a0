import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, freePort } from "#test/helpers/binary.ts";
import { firstScreen } from "../../scripts/screenshot-lib/first-screen.ts";
import { terminalPicture } from "../../scripts/screenshot-lib/terminal-picture.ts";

const PICTURE = join(import.meta.dir, "../../docs/images/terminal.svg");

test("a devnet's first screen on a terminal is the picture of the README: ./scripts/screenshot writes it", async () => {
  const screen = await firstScreen(BINARY, { rpc: await freePort(), metrics: await freePort() });
  expect(screen).toContain("\u001b[32mready");
  expect(terminalPicture(screen)).toBe(readFileSync(PICTURE, "utf8"));
}, 90_000);
