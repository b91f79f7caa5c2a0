/**
 * Writes `.oxlintrc.json`: the shared rules and one import rule per room of `src`, made from the table
 * of floors. Run it after changing {@link FLOORS}; a test compares.
 */
import { join } from "node:path";
import { NODE_ORDER, PROCESS_ENTRIES, type Room, rooms } from "./floors.ts";

/**
 * Allowed imports of a room: only the `index.ts` of the rooms that it may use, and their entries of processes.
 */
function roomRule({ path, allowed }: Room): object {
  const entries = PROCESS_ENTRIES.filter((entry) =>
    allowed.some((room) => entry.startsWith(`${room}/`)),
  );
  return {
    files: [`src/${path}/**/*.ts`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: [
                "#*/**",
                ...allowed.map((room) => `!#${room}/index.ts`),
                ...entries.map((entry) => `!#${entry}`),
              ],
              message: `src/${path} imports the index of rooms below it only (scripts/lint/floors.ts).`,
            },
            { group: ["../../src/**", "**/test/**"], message: "Use the #floor/ aliases." },
          ],
        },
      ],
      "house/no-raw-error": "error",
      "house/exported-docblock": "error",
      "house/stays-in-room": "error",
      "house/no-export-all": "error",
    },
  };
}

/** Files that contain only data: a split would separate data that belongs together. */
const DATA_TABLES = ["src/kernels/vm/abi.ts"];

/** The whole lint configuration. */
export function lintConfig(): object {
  return {
    $schema: "./node_modules/oxlint/configuration_schema.json",
    plugins: ["typescript", "import", "unicorn", "oxc"],
    jsPlugins: ["./scripts/lint/plugin.js"],
    categories: { correctness: "error" },
    options: { typeAware: true },
    rules: {
      // Types too: files that use each other's types cannot be read or moved one by one.
      "import/no-cycle": ["error", { ignoreTypes: false }],
      // The build omits unused modules (`sideEffects` in package.json).
      "import/no-unassigned-import": "error",
      "max-lines": ["error", { max: 300 }],
      "typescript/no-explicit-any": "error",
      "typescript/no-floating-promises": "error",
      // The scope of `using` and `try` ends with the function: a promise that is returned outlives it.
      "typescript/return-await": ["error", "error-handling-correctness-only"],
      "typescript/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "typescript/no-non-null-assertion": "error",
      "unicorn/no-new-array": "off",
      // Keeps flags and their values together on a line.
      "unicorn/no-useless-spread": "off",
      // Exports of a WebAssembly instance are functions without `this`, typed as methods.
      "typescript/unbound-method": "off",
    },
    ignorePatterns: [
      "node_modules",
      "dist",
      "src/kernels/*/assembly/**",
      "src/kernels/*/build/**",
      "src/protocol/versions/data/**",
    ],
    overrides: [
      ...rooms().map(roomRule),
      {
        files: ["src/app/node/**/*.ts"],
        rules: { "house/folder-order": ["error", { folder: "src/app/node", order: NODE_ORDER }] },
      },
      // Tables of data may be longer than code.
      { files: DATA_TABLES, rules: { "max-lines": "off" } },
    ],
  };
}

if (import.meta.main) {
  const path = join(import.meta.dir, "../../.oxlintrc.json");
  await Bun.write(path, `${JSON.stringify(lintConfig(), null, 2)}\n`);
}
