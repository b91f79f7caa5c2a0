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

/** Ports of the executor. */
export interface ExecutorPorts {
  readonly admission: Port<AdmissionToExecutor, ExecutorToAdmission>;
  readonly committer: Port<AcceptedMessage, DeltaMessage | SealedMessage>;
  /** Other readers of pending state. Those that serve clients come last. */
  readonly readers: readonly Outlet<DeltaMessage>[];
  /** Reader through which clients first learn of a block. */
  readonly main: Outlet<DeltaMessage>;
  /** Commands from the node operator or a developer of the chain. */
  readonly control: Port<ControlRequest, ControlReply>;
}

/** Dependencies of the executor. */
export interface ExecutorDeps {
  readonly ports: ExecutorPorts;
  readonly chain: ChainReader;
  /** Stored blocks, on a fork without the origin's: messages in those may be sent again. */
  readonly ownBlocks: Pick<ChainReader, "locate" | "consumedL1Message">;
  readonly vm: CairoVm;
  readonly guard: ExecutionGuard;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Returns the L1 prices of a block opened now. */
  readonly l1Prices: () => L1Prices;
  readonly setL1Prices: (prices: L1Prices) => void;
  /** Processor time of this thread, in milliseconds. */
  readonly processorMs: () => number;
  /** Development controls; `null` on other chains. */
  readonly devnet: {
    readonly environment: DevEnvironment;
    /** System clock in Unix milliseconds. */
    readonly unixNowMs: () => number;
  } | null;
}
