import { loadClass } from "#test/helpers/scenario/classes.ts";

/** Folder of the hostile contract and its class files. */
export const HOSTILE_FOLDER = new URL("../contracts/hostile/", import.meta.url).pathname;

/** Address of the hostile contract in states of tests. */
export const HOSTILE = 0xbadn;

/** Executable class of the hostile contract at {@link HOSTILE}. */
export const hostileClass = loadClass(
  { sierra: "hostile.sierra.json", casm: "hostile.casm.json" },
  HOSTILE_FOLDER,
  "hostile",
).executable;
