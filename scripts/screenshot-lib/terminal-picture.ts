import { SHOWN_COMMAND } from "./first-screen.ts";
import { terminalSvg } from "./terminal-svg.ts";

/** Draws a first screen below the command that prints it. */
export function terminalPicture(screen: string): string {
  return terminalSvg(
    `\u001b[2m$\u001b[22m \u001b[1m${SHOWN_COMMAND}\u001b[22m\n${screen}`,
    "First screen of a development chain: addresses, tokens, funded accounts, private keys",
  );
}
