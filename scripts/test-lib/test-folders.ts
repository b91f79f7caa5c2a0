/** Folders of tests by the part that runs them: `e2e` runs the compiled program, the others are in process. */
export const TEST_FOLDERS = {
  unit: ["test/unit", "test/rpc", "test/fuzz"],
  spec: ["test/spec"],
  e2e: ["test/e2e"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
