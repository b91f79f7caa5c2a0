import { createCairoVm } from "/work/w3/src/cairo/index.ts";
import { runScenarioFile } from "/work/w3/scripts/scenario-lib/run.ts";
const vm = createCairoVm(); let same = 0;
const sort = (v: any): any => Array.isArray(v) ? v.map(sort) : v && typeof v === "object" ? Object.fromEntries(Object.keys(v).filter(k=>v[k]!==undefined).sort().map((k) => [k, sort(v[k])])) : v;
for (const path of process.argv.slice(2)) {
  const out = Bun.spawnSync(["prlimit", "--as=4000000000", "/work/oracle-target/release/oracle", path], { timeout: 60000 });
  let e: any; try { e = JSON.parse(out.stdout.toString()); } catch { console.log("oracle failed", path, out.stderr.toString().slice(0, 300)); continue; }
  let a: any; try { a = runScenarioFile(path, { vm }); } catch (x) { console.log("ours failed", path, String(x).slice(0, 300)); continue; }
  e.steps.forEach((s: any, i: number) => {
    const x = JSON.stringify(sort(JSON.parse(JSON.stringify(a.steps[i])))), y = JSON.stringify(sort(s));
    if (x === y) { same++; return; }
    const at = [...y].findIndex((c, j) => x[j] !== c); const from = Math.max(0, at - 120);
    console.log("DIFF", path.split("/").at(-1), i, s.name, s.outcome, "\n E", y.slice(from, from + 500), "\n A", x.slice(from, from + 500), e.panic ? "\n panic " + e.panic.slice(0,300) : "");
  });
  if (!Bun.deepEquals(sort(e.block_end), sort(JSON.parse(JSON.stringify(a.block_end))))) console.log("block_end differs", path);
}
console.log("same", same);
