import type { RunCommand } from "./command.ts";

/** `appchain __compiler`: the child process of a node that compiles classes. */
export const runCompiler: RunCommand = async () => {
  const { runCompilerProcess } = await import("#app/node/index.ts");
  return runCompilerProcess();
};
