/**
 * Runs every check in order and sums up. Exits 0 only when all of them passed; the last line is
 * `N passed, N failed`, where a check that is not a test (format, types, lint, build) counts as one.
 *
 * Tests that need the shared fixtures are skipped in a clone without them and counted in one line;
 * where the fixtures stand, a test left out is a failure.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const HAS_FIXTURES = existsSync(join(ROOT, "../shared/fixtures"));

interface Tally {
  passed: number;
  failed: number;
  leftOut: number;
}

const total: Tally = { passed: 0, failed: 0, leftOut: 0 };

async function run(command: readonly string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  let output = "";
  const drain = async (stream: ReadableStream<Uint8Array>, to: NodeJS.WriteStream) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      output += text;
      to.write(text);
    }
  };
  await Promise.all([drain(child.stdout, process.stdout), drain(child.stderr, process.stderr)]);
  return { code: await child.exited, output };
}

/** A check that passes or fails as a whole. */
async function check(name: string, command: readonly string[]): Promise<boolean> {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const { code } = await run(command);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`== ${name}: ${code === 0 ? "ok" : `FAILED (exit code ${code})`} in ${seconds} s`);
  if (code === 0) total.passed++;
  else total.failed++;
  return code === 0;
}

function count(output: string, word: string): number {
  const pattern = new RegExp(`^\\s*(\\d+) ${word}\\s*$`, "gm");
  return [...output.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0);
}

/** A group of test files; its tests are counted one by one. */
async function tests(name: string, args: readonly string[]): Promise<void> {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const { code, output } = await run([process.execPath, "test", "--timeout", "60000", ...args]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const passed = count(output, "pass");
  const failed = count(output, "fail");
  const skipped = count(output, "skip");
  total.passed += passed;
  total.failed += failed;
  if (code !== 0 && failed === 0) total.failed++;
  // A test that ends the process takes the rest along, and the exit code may still be 0.
  if (code === 0 && !/^Ran \d+ tests? across/m.test(output)) {
    console.log(`== ${name}: ended before its summary`);
    total.failed++;
  }
  total.leftOut += skipped;
  if (HAS_FIXTURES && skipped > 0) {
    console.log(`== ${name}: ${skipped} tests were skipped although the fixtures are there`);
    total.failed += skipped;
  }
  console.log(`== ${name}: ${passed} passed, ${failed} failed in ${seconds} s`);
}

const bun = process.execPath;
const only = process.argv.slice(2);
const wants = (stage: string): boolean => only.length === 0 || only.includes(stage);

if (wants("static")) {
  await check("format", [bun, "fmt", "--check", "."]);
  await check("types", [bun, "check"]);
  await check("docs", [bun, "scripts/docs.ts", "--check"]);
  await check("lint", [join(ROOT, "node_modules/.bin/oxlint"), "--quiet"]);
}
if (wants("unit")) {
  await tests("unit", ["--parallel", "test/unit", "test/rpc", "test/fuzz"]);
}
if (wants("spec")) {
  await tests("spec", ["--parallel", "test/spec"]);
}
if (wants("e2e")) {
  if (await check("compiled binary", [bun, "scripts/build.ts"])) {
    await tests("e2e", ["test/e2e"]);
  }
}

if (total.leftOut > 0) {
  console.log(`\n${total.leftOut} tests left out: they need the fixtures in ../shared`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
