import type { RunCommand } from "./command.ts";

/** Implements `appchain __compiler NICENESS`: child process of a node that compiles classes. */
export const runCompiler: RunCommand = async ([niceness]) => {
  const { runCompilerProcess } = await import("#app/node/index.ts");
  return runCompilerProcess(Number(niceness));
};
