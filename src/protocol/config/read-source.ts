import { dirname, resolve } from "node:path";
import { ConfigError } from "#base/errors/index.ts";
import { readBoundedText } from "./bounded-file.ts";
import { nearest } from "#base/primitives/index.ts";
import { PRESET_TEXTS } from "./preset-assets.ts";
import { isPresetName, PRESETS } from "./presets.ts";
import type { ChainConfigSource } from "./source.ts";

/** The text of a configuration. */
export interface SourceText {
  readonly text: string;
  /** How messages call the source. */
  readonly label: string;
  /** What relative paths start from. */
  readonly folder: string;
}

/**
 * Finds the text that a source names.
 *
 * @throws {ConfigError} when it names none, several, an unknown preset or an unreadable file
 */
export async function readSource(source: ChainConfigSource): Promise<SourceText> {
  const given = [source.path, source.preset, source.text].filter((value) => value !== undefined);
  if (given.length > 1) {
    throw new ConfigError(
      "give one chain configuration: --chain-config-path or --preset, not both",
    );
  }
  if (source.text !== undefined) {
    return { text: source.text, label: source.textFrom ?? "configuration", folder: process.cwd() };
  }
  if (source.preset !== undefined) return presetText(source.preset);
  if (source.path === undefined) {
    const who = source.role === "sequencer" ? "In sequencer mode a" : "A";
    throw new ConfigError(
      `${who} chain configuration is needed: give --chain-config-path FILE or --preset NAME\n` +
        `The presets are: ${PRESETS.join(", ")}`,
    );
  }
  const path = resolve(source.path);
  const text = await readBoundedText(path);
  if (typeof text !== "string") {
    throw new ConfigError(`the chain configuration ${source.path} ${text.reason}`);
  }
  return { text, label: source.path, folder: dirname(path) };
}

function presetText(preset: string): SourceText {
  if (!isPresetName(preset)) {
    const match = nearest(preset, PRESETS);
    const hint = match === undefined ? "" : `; did you mean ${match}?`;
    throw new ConfigError(
      `there is no preset "${preset}"${hint}\nThe presets are: ${PRESETS.join(", ")}`,
    );
  }
  return { text: PRESET_TEXTS[preset], label: `preset ${preset}`, folder: process.cwd() };
}
