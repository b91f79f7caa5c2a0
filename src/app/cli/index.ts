export { COMMANDS } from "./commands.ts";
export { main, processContext } from "./main.ts";
export { environmentName, type OptionTable } from "./option.ts";
export { nodeOptions } from "./run-options.ts";
export { survivesClosedOutput } from "./standard-streams.ts";
export { VERSION } from "./version.ts";
