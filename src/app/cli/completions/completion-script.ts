import type { Command } from "../command.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { type Place, placesOf } from "./place.ts";
import type { Shell } from "./shells.ts";
import { zshCompletion } from "./zsh.ts";

const WRITERS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Writes the script with which a shell completes commands, options and their values. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return WRITERS[shell](placesOf(commands));
}
