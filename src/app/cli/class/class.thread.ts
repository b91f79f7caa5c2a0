import { classOutcome } from "./class-outcome.ts";
import type { ClassReply, ClassRequest } from "./outcome.ts";

declare const self: {
  postMessage(reply: ClassReply): void;
  onmessage: ((event: MessageEvent<ClassRequest>) => void) | null;
};

self.onmessage = ({ data }) => {
  try {
    self.postMessage({ kind: "done", outcome: classOutcome(data) });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    self.postMessage({ kind: "crashed", text });
  }
};
self.postMessage({ kind: "ready" });
