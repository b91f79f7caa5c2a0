import type { RunCommand } from "./command.ts";

/** Implements `appchain __compiler NICENESS`: child process of a node that compiles classes. */
export const runCompiler: RunCommand = async ([niceness]) => {
  // The rest of a node would take most of the time in which the process starts.
  const { runCompilerProcess } = await import("#app/node/compiler/run-child.ts");
  return runCompilerProcess(Number(niceness));
};
