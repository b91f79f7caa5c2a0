/** Predefined chain configurations, in listing order. */
export const PRESETS = ["mainnet", "sepolia", "integration", "devnet", "appchain"] as const;

/** One of {@link PRESETS}. */
export type PresetName = (typeof PRESETS)[number];

/** Whether `name` is a preset. */
export function isPresetName(name: string): name is PresetName {
  return (PRESETS as readonly string[]).includes(name);
}
