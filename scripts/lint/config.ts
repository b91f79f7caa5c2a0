/**
 * Writes `.oxlintrc.json`: the shared rules and one import rule per folder of `src`, made from the
 * table of levels. Run it after changing {@link LEVELS}; a test compares.
 */
import { join } from "node:path";

/**
 * Folders of `src` by level: a folder may import folders of strictly lower levels only. Tries stand
 * below chain because the commitments of a block are roots of tries.
 */
export const LEVELS: readonly (readonly string[])[] = [
  ["primitives", "errors", "telemetry"],
  ["codec", "kernels"],
  ["crypto", "config"],
  ["trie"],
  ["chain"],
  ["cairo", "sierra", "state", "feeder"],
  ["execution", "storage"],
  ["mempool", "l1"],
  ["sequencer", "sync"],
  ["rpc", "gateway", "bootstrap"],
  ["node"],
  ["cli"],
];

/** Imports within a level that the architecture allows: telemetry and errors serve everyone. */
const EVERYWHERE = ["primitives", "errors", "telemetry"];

function folderRule(folder: string, level: number): object {
  const lower = LEVELS.slice(0, level).flat();
  const allowed = level === 0 ? EVERYWHERE.filter((name) => name !== folder) : lower;
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["#*/**", ...allowed.map((name) => `!#${name}/**`)],
              message: `src/${folder} (level ${level}) imports only lower levels.`,
            },
            { group: ["../../src/**", "**/test/**"], message: "Use the #folder/ aliases." },
          ],
        },
      ],
      "house/no-raw-error": "error",
      "house/exported-docblock": "error",
    },
  };
}

/** The whole lint configuration. */
export function lintConfig(): object {
  return {
    $schema: "./node_modules/oxlint/configuration_schema.json",
    plugins: ["typescript", "import", "unicorn", "oxc"],
    jsPlugins: ["./scripts/lint/plugin.js"],
    categories: { correctness: "error" },
    options: { typeAware: true },
    rules: {
      "import/no-cycle": "error",
      "max-lines": ["error", { max: 500 }],
      "typescript/no-explicit-any": "error",
      "typescript/no-floating-promises": "error",
      "typescript/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "typescript/no-non-null-assertion": "error",
      "unicorn/no-new-array": "off",
      // Flags and their values stay together on a line.
      "unicorn/no-useless-spread": "off",
      // Exports of a WebAssembly instance are functions without `this`, typed as methods.
      "typescript/unbound-method": "off",
    },
    ignorePatterns: [
      "node_modules",
      "dist",
      "src/kernels/*/assembly/**",
      "src/kernels/*/build/**",
      "src/config/constants/data/**",
    ],
    overrides: LEVELS.flatMap((folders, level) => folders.map((f) => folderRule(f, level))),
  };
}

if (import.meta.main) {
  const path = join(import.meta.dir, "../../.oxlintrc.json");
  await Bun.write(path, `${JSON.stringify(lintConfig(), null, 2)}\n`);
}
