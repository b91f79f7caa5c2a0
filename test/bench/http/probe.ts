import { withServers, type Served } from "./children.ts";
import type { Settings } from "./settings.ts";

/** Something that a node needs of its server, and what comes of trying it. */
export interface Probe {
  readonly what: string;
  readonly settings: Settings;
  /** What happened, in few words. */
  readonly run: (server: Served) => Promise<string>;
}

/** Tries each with each server, one after the other, and prints a table of Markdown. */
export async function printProbes(probes: readonly Probe[]): Promise<void> {
  console.log("| what | ours | `node:http` | `Bun.serve` |\n| --- | --- | --- | --- |");
  for (const { what, settings, run } of probes) {
    const found = await withServers(settings, async (servers) => {
      const cells: string[] = [];
      for (const server of servers) cells.push(await run(server).catch(String));
      return cells;
    });
    console.log(`| ${what} | ${found.join(" | ")} |`);
  }
}
