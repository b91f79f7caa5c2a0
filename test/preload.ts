/**
 * Runs before each test file. What tests start ends with them (`noOrphans` in bunfig.toml), but the
 * program under test must not inherit that: it ends its own processes, which tests verify.
 */
delete process.env["BUN_FEATURE_FLAG_NO_ORPHANS"];
