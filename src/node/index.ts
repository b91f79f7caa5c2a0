export { startNode } from "./node.ts";
export { COMPILER_COMMAND, runCompilerProcess } from "./compiler-process.ts";
export { checkGenesis } from "./shipped-contracts.ts";
