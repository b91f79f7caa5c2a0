export { COMMANDS } from "./commands.ts";
export { main, processContext } from "./main.ts";
export { survivesClosedOutput } from "./standard-streams.ts";
export { VERSION } from "./version.ts";
