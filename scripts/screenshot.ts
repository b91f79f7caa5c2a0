/**
 * Writes `docs/images/terminal.svg`: the first screen of a development chain, from a run of `dist/appchain`
 * on a terminal. With `--check` it writes nothing, and exits with 1 when the picture differs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../test/helpers/binary.ts";
import { firstScreen } from "./screenshot-lib/first-screen.ts";
import { terminalPicture } from "./screenshot-lib/terminal-picture.ts";

const ROOT = join(import.meta.dir, "..");
const FILE = join(ROOT, "docs/images/terminal.svg");

const ports = { rpc: await freePort(), metrics: await freePort() };
const picture = terminalPicture(await firstScreen(join(ROOT, "dist/appchain"), ports));
if (!process.argv.includes("--check")) writeFileSync(FILE, picture);
else if (picture !== readFileSync(FILE, "utf8")) {
  process.stderr.write(
    "docs/images/terminal.svg differs from the program: run ./scripts/screenshot\n",
  );
  process.exit(1);
}
