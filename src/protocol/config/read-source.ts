import { dirname, resolve } from "node:path";
import { ConfigError } from "#base/errors/index.ts";
import { readBoundedText } from "./bounded-file.ts";
import { nearest } from "#base/primitives/index.ts";
import { PRESET_TEXTS } from "./preset-assets.ts";
import { isPresetName, PRESETS } from "./presets.ts";
import type { ChainConfigSource } from "./source.ts";

/** Text of a configuration, with its name and the parts that its reading needs. */
export interface SourceText {
  readonly text: string;
  /** Name of the source in messages. */
  readonly label: string;
  /** Base of relative paths. */
  readonly folder: string;
  /**
   * Complete configuration that supplies the fields missing in `text`; `undefined` when `text` is complete.
   */
  readonly base: string | undefined;
}

/**
 * Reads the text that a source names.
 *
 * @throws {ConfigError} when it names nothing, both a file and a text, an unknown preset or an unreadable
 *   file
 */
export async function readSource(source: ChainConfigSource): Promise<SourceText> {
  const preset = source.preset === undefined ? undefined : presetText(source.preset);
  if (source.text !== undefined) {
    if (source.path !== undefined) {
      throw new ConfigError("give one chain configuration: a text or a file, not both");
    }
    const label = source.textFrom ?? "configuration";
    return over(preset, { text: source.text, label, folder: process.cwd() });
  }
  if (source.path === undefined) {
    if (preset !== undefined) return { ...preset, base: undefined };
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
  return over(preset, { text, label: source.path, folder: dirname(path) });
}

type OneText = Omit<SourceText, "base">;

/** Combines a configuration with its optional base preset. */
function over(preset: OneText | undefined, own: OneText): SourceText {
  if (preset === undefined) return { ...own, base: undefined };
  return { ...own, label: `${own.label} over ${preset.label}`, base: preset.text };
}

function presetText(preset: string): OneText {
  if (!isPresetName(preset)) {
    const match = nearest(preset, PRESETS);
    const hint = match === undefined ? "" : `; did you mean ${match}?`;
    throw new ConfigError(
      `unknown preset "${preset}"${hint}\nThe presets are: ${PRESETS.join(", ")}`,
    );
  }
  return { text: PRESET_TEXTS[preset], label: `preset ${preset}`, folder: process.cwd() };
}
