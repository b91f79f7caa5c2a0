/**
 * Posts every line of a file as a body, over many connections, and prints the time and the errors.
 * The attacker's side of `flood.bench.ts`.
 *
 * Arguments: URL, file, connections.
 */
const [url = "", file = "", connections = "1"] = process.argv.slice(2);

const bodies = (await Bun.file(file).text()).split("\n");
const answers = new Map<string, number>();
const startedMs = performance.now();
let next = 0;

function note(answer: string, times: number): void {
  answers.set(answer, (answers.get(answer) ?? 0) + times);
}

async function post(): Promise<void> {
  while (next < bodies.length) {
    const body = bodies[next++];
    if (body === undefined) return;
    try {
      const headers = { "content-type": "application/json" };
      const response = await fetch(url, { method: "POST", headers, body });
      const text = await response.text();
      for (const [, code] of text.matchAll(/"code":(-?\d+)/g)) note(`error ${code}`, 1);
      note(`status ${response.status}`, 1);
    } catch {
      note("no answer", 1);
    }
  }
}

await Promise.all(Array.from({ length: Number(connections) }, post));
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
const counts = [...answers].map(([answer, times]) => `${answer}: ${times}`);
console.log(`answered in ${seconds} s; ${counts.join(", ")}`);
