/** Texts of the preset files, embedded in the executable. */
import appchain from "../../../presets/appchain.yaml" with { type: "text" };
import devnet from "../../../presets/devnet.yaml" with { type: "text" };
import integration from "../../../presets/integration.yaml" with { type: "text" };
import mainnet from "../../../presets/mainnet.yaml" with { type: "text" };
import sepolia from "../../../presets/sepolia.yaml" with { type: "text" };
import type { PresetName } from "./presets.ts";

/** YAML text by preset. */
export const PRESET_TEXTS: Readonly<Record<PresetName, string>> = {
  mainnet,
  sepolia,
  integration,
  devnet,
  appchain,
};
