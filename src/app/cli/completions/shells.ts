import type { PositionalLimits } from "../parse-arguments.ts";

/** Shells that commands and options are completed in. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell with completion. */
export type Shell = (typeof SHELLS)[number];

/** Positional argument of `completions`. */
export const SHELL_WORDS: PositionalLimits = {
  words: [{ name: "SHELL", summary: SHELLS.join(", "), words: SHELLS }],
  min: 1,
};
