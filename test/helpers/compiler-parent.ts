/**
 * Parent process for a test that kills it: compiles the class in a file repeatedly, and prints the
 * id of the compiler process once that is running.
 */
import { readFileSync } from "node:fs";
import { startCompilerProcess } from "#app/node/compiler/compiler-process.ts";
import { encodeCommand } from "#app/node/compiler/compiler-messages.ts";
import { encodeContractClass, sierraClassFromJson } from "#protocol/chain/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";

const child = await startCompilerProcess(19, new AbortController().signal, SYSTEM_TIMER);
const classBytes = encodeContractClass(
  sierraClassFromJson(readFileSync(process.argv[2] ?? "", "utf8")),
);
const command = encodeCommand({
  archive: null,
  classHash: 1n,
  maxBytecodeSize: 1e6,
  classBytes,
});
setTimeout(() => process.stdout.write(`${child.pid}\n`), 100);
for (;;) await child.request(command);
