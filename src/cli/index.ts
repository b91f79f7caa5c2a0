export type { CliContext, Command } from "./command.ts";
export { COMMANDS } from "./commands.ts";
export { main } from "./main.ts";
export { environmentName, type Option, type OptionTable } from "./option.ts";
export { EXIT } from "./report.ts";
export { nodeOptions, sequencerOptions } from "./run-options.ts";
export { survivesClosedOutput } from "./standard-streams.ts";
export { VERSION } from "./version.ts";
