import type { Outlet, Port, Timer } from "#base/primitives/index.ts";
import type { ChainReader } from "#engine/state/index.ts";
import type { CairoVm } from "#engine/cairo/index.ts";
import type {
  AdmissionToExecutor,
  DeltaMessage,
  ExecutionGuard,
  ExecutorToAdmission,
} from "#services/admission/index.ts";
import type { Clock } from "./clock.ts";
import type { ControlReply, ControlRequest } from "./control-messages.ts";
import type { DevEnvironment } from "./dev-environment.ts";
import type { L1Prices } from "./gas-price.ts";
import type { AcceptedMessage, SealedMessage } from "./messages.ts";

/** Whom the executor talks to. */
export interface ExecutorPorts {
  readonly admission: Port<AdmissionToExecutor, ExecutorToAdmission>;
  readonly committer: Port<AcceptedMessage, DeltaMessage | SealedMessage>;
  /** Readers of pending state besides admission. Those that clients ask come last. */
  readonly readers: readonly Outlet<DeltaMessage>[];
  /** The reader that clients learn of a block from first. */
  readonly main: Outlet<DeltaMessage>;
  /** Who runs the node, or develops against its chain: tells what to do. */
  readonly control: Port<ControlRequest, ControlReply>;
}

/** What the executor works with. */
export interface ExecutorDeps {
  readonly ports: ExecutorPorts;
  readonly chain: ChainReader;
  readonly vm: CairoVm;
  readonly guard: ExecutionGuard;
  readonly clock: Clock;
  readonly timer: Timer;
  /** The prices of L1 that a block gets which is opened now. */
  readonly l1Prices: () => L1Prices;
  /** Takes other ones. */
  readonly setL1Prices: (prices: L1Prices) => void;
  /** Processor time of this thread, in milliseconds. */
  readonly processorMs: () => number;
  /** Of a development chain, which is told its time and prices; `null` on any other one. */
  readonly devnet: {
    /** Time and prices as it is told to take them. */
    readonly environment: DevEnvironment;
    /** The system's clock, in Unix milliseconds. */
    readonly unixNowMs: () => number;
  } | null;
}
