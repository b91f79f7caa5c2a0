import { type JsonValue, parseJson } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  DevnetFault,
  type DumpAccess,
  type DumpOn,
  RECORDER_LIMITS,
  RequestRecorder,
} from "#api/rpc/index.ts";
import { type AccessParts, devnetWorld } from "./devnet.ts";
import type { FullContext } from "./serving.ts";

/** Settings of a test of dumps. */
export interface DumpParts {
  readonly on?: DumpOn | null;
  readonly path?: string | null;
  readonly recorder?: RequestRecorder;
  readonly access?: AccessParts;
  /** Replacements in the sample chain's context. */
  readonly context?: Partial<FullContext>;
  readonly executed?: (hash: Felt) => Promise<void>;
}

/** The sample chain with development features, files in memory, and an empty record. */
export function dumpWorld(parts: DumpParts = {}) {
  const {
    on = "request",
    path = null,
    recorder = new RequestRecorder({ genesis: 0, newest: 0 }, RECORDER_LIMITS),
  } = parts;
  const files = new Map<string, string>();
  const steps: unknown[] = [];
  const dumps: DumpAccess = {
    on,
    path,
    recorder,
    isLoading: false,
    whole: (load) => load(),
    async executed(hash) {
      steps.push(["executed", hash]);
      await parts.executed?.(hash);
    },
    accepted: () => Promise.resolve(),
    hold: (isHeld) => void steps.push(["hold", isHeld]),
    resumeTime(timestamp) {
      steps.push(["resumeTime", timestamp]);
      return Promise.resolve();
    },
    read(file): Promise<JsonValue> {
      const text = files.get(file);
      return text === undefined
        ? Promise.reject(new DevnetFault("The file does not exist"))
        : Promise.resolve(parseJson(text));
    },
    write: (file, text) => void files.set(file, text),
  };
  const { context, calls } = devnetWorld({
    restart() {
      steps.push(["restart"]);
      return Promise.resolve();
    },
    ...parts.access,
    dumps,
  });
  return { context: { ...context, ...parts.context }, calls, steps, files, dumps, recorder };
}

/** One request of a dump. */
export function dumpEntry(method: string, params: JsonValue = {}, id: string | number = 0) {
  return { jsonrpc: "2.0", method, params, id };
}
