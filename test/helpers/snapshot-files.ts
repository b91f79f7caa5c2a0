import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "#base/codec/index.ts";
import { MANIFEST, sha256Of } from "#services/snapshot/index.ts";
import { BINARY } from "./binary.ts";
import type { Random } from "./random.ts";

/** Updates the manifest of a snapshot for changed bytes of a file. */
export function signAgain(folder: string, name: string, bytes: Uint8Array): void {
  const path = join(folder, MANIFEST);
  const manifest = parseJson(readFileSync(path, "utf8")) as unknown as {
    readonly files: { readonly name: string; size_bytes: number; sha256: string }[];
  };
  for (const file of manifest.files) {
    if (file.name !== name) continue;
    file.size_bytes = bytes.length;
    file.sha256 = sha256Of(bytes);
  }
  writeFileSync(path, JSON.stringify(manifest));
}

/** Whether two folders have the same files. */
export function sameFiles(one: string, other: string): boolean {
  const names = readdirSync(one).sort();
  if (names.join() !== readdirSync(other).sort().join()) return false;
  return names.every((name) =>
    readFileSync(join(one, name)).equals(readFileSync(join(other, name))),
  );
}

/** Serves the files of a folder over HTTP, one of them endlessly. */
export function endlessServer(
  folder: string,
  endless: string,
): Disposable & { readonly url: string } {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      const path = join(folder, name);
      if (!existsSync(path)) return new Response(null, { status: 404 });
      if (name !== endless) return new Response(Bun.file(path));
      const bytes = readFileSync(path);
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(bytes),
          pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        }),
      );
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/**
 * Repeats a command of the compiled program and kills it, later each time on average, until it
 * finishes.
 *
 * @returns number of kills before that
 */
export async function killRepeatedly(
  args: readonly string[],
  times: number,
  random: Random,
): Promise<number> {
  let killed = 0;
  let mostMs = 200;
  for (let i = 0; i < times; i++) {
    const streams = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
    const child = Bun.spawn([BINARY, ...args], { cwd: "/", ...streams });
    await Bun.sleep(random.below(mostMs));
    child.kill("SIGKILL");
    await child.exited;
    if (child.signalCode === null) return killed;
    killed++;
    mostMs += 20;
  }
  return killed;
}
