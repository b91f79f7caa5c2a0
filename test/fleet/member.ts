import { afterAll } from "bun:test";

/** Start options of a process of the fleet. */
export interface MemberStart {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * URL that responds 200 once the process serves; if omitted, it counts as serving immediately.
   */
  readonly upUrl?: string;
}

const START_TIMEOUT_MS = 60_000;
const LOOK_MS = 50;

/** Killed when the tests exit, in any way. */
const running = new Set<Bun.Subprocess>();
const killAll = (): void => {
  for (const child of running) child.kill("SIGKILL");
};
process.on("exit", killAll);
afterAll(killAll);

/** A process of a fleet, which can be stopped and restarted at the same addresses. */
export class Member {
  readonly name: string;
  readonly #start: MemberStart;
  #child: Bun.Subprocess | undefined;
  #output = "";

  constructor(name: string, start: MemberStart) {
    this.name = name;
    this.#start = start;
  }

  /** Output of all its runs. */
  get output(): string {
    return this.#output;
  }

  /** Starts the process, and waits until it serves. */
  async start(): Promise<void> {
    const { command, environment, upUrl } = this.#start;
    const child = Bun.spawn([...command], {
      cwd: "/",
      env: { ...process.env, ...environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#child = child;
    running.add(child);
    void child.exited.then(() => running.delete(child));
    void Promise.all([this.#drain(child.stdout), this.#drain(child.stderr)]);
    const endsAtMs = Date.now() + START_TIMEOUT_MS;
    while (upUrl !== undefined && !(await isUp(upUrl))) {
      if (child.exitCode !== null || Date.now() > endsAtMs) {
        throw new TypeError(`${this.name} did not start (${child.exitCode}):\n${this.#output}`);
      }
      await Bun.sleep(LOOK_MS);
    }
  }

  /** Sends a signal, which may not stop the process. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Stops the process. @returns its exit code */
  async end(signal: NodeJS.Signals): Promise<number> {
    this.signal(signal);
    return this.exited();
  }

  /** Waits until the process has exited. @returns its exit code */
  async exited(): Promise<number> {
    return (await this.#child?.exited) ?? 0;
  }

  async #drain(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.#output += decoder.decode(chunk, { stream: true });
  }
}

async function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

/** Waits until a condition holds. @throws with the latest output of these processes */
export async function until(
  what: string,
  members: readonly Member[],
  isSo: () => Promise<boolean> | boolean,
  timeoutMs = START_TIMEOUT_MS,
): Promise<void> {
  const endsAtMs = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > endsAtMs) {
      const printed = members.map(({ name, output }) => `== ${name}\n${output.slice(-4_000)}`);
      throw new TypeError([`never: ${what}`, ...printed].join("\n"));
    }
    await Bun.sleep(LOOK_MS);
  }
}
