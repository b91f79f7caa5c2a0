/** Where the figures were measured; they are medians. */
export const MACHINE =
  "two cores of an Intel Xeon at 2.5 GHz (virtual machine), Linux x86-64, Bun 1.4.5, wide build, the client on the same machine";

/** A figure, with the command of `./scripts/bench` that prints it. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  /** Name of a file of `test/bench` without its ending. */
  readonly bench: string;
}

/** All of them, written by hand after a run. */
export const FIGURES: readonly Figure[] = [
  { what: "felt multiplication", figure: "24 ns (BigInt: 89 ns)", bench: "field" },
  {
    what: "Pedersen alone / in batches of 512",
    figure: "21.8 us / 11.4 us",
    bench: "field",
  },
  { what: "Poseidon permutation", figure: "7.7 us", bench: "field" },
  { what: "EC multiplication / by the generator", figure: "105 us / 25 us", bench: "field" },
  { what: "field square root", figure: "14.6 us", bench: "field" },
  { what: "VM, counter loop of 5 M steps", figure: "96 M steps/s", bench: "vm" },
  { what: "VM, compiled recursion of 2.7 M steps", figure: "30 M steps/s", bench: "vm" },
  {
    what: "an ERC-20 transfer in the engine, validated and executed / validation reused",
    figure: "1.4 ms / 0.35 ms",
    bench: "execution",
  },
  {
    what: "transfers end to end until ACCEPTED_ON_L2, fresh recipients, pre-signed",
    figure: "288 to 520 per second in eleven runs (3000 to 5000 transfers)",
    bench: "transfers",
  },
  {
    what: "bytes on disk per transfer",
    figure: "1295 to 1540; small blocks cost more",
    bench: "transfers",
  },
  {
    what: "`blockNumber` / `getStorageAt` over HTTP",
    figure: "32.4 k / 33.1 k requests/s on a busy machine, after a warm-up of 1.2 s",
    bench: "node",
  },
  { what: "cold start to the first answer", figure: "153 ms", bench: "node" },
  { what: "resident memory when idle", figure: "156 MiB", bench: "node" },
  {
    what: "compiling the universal deployer to CASM, first time in a process / later",
    figure: "0.085 s / 0.019 s (`starknet-sierra-compile` in the same run: 0.006 s)",
    bench: "compiler",
  },
  {
    what: "compiling the OpenZeppelin account 1.0.0 to CASM, first time in a process / later",
    figure: "0.217 s / 0.099 s (`starknet-sierra-compile`: 0.066 s)",
    bench: "compiler",
  },
  {
    what: "compiling the STRK token to CASM, first time in a process / later",
    figure: "0.416 s / 0.235 s (`starknet-sierra-compile`: 0.107 s)",
    bench: "compiler",
  },
  {
    what: "compiling the Argent account 0.4.0 to CASM, first time in a process / later",
    figure: "0.873 s / 0.546 s (`starknet-sierra-compile`: 0.276 s)",
    bench: "compiler",
  },
  {
    what: "compiling the largest fixture, 58683 felts to CASM, first time in a process / later",
    figure: "0.489 s / 0.333 s (`starknet-sierra-compile`: 0.186 s)",
    bench: "compiler",
  },
  {
    what: "blockNumber at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "42 007 / s, 2.2 / 8.1 ms; 160 748 / s",
    bench: "rpc",
  },
  {
    what: "getStorageAt at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "28 456 / s, 3.1 / 9.5 ms; 76 208 / s",
    bench: "rpc",
  },
  {
    what: "getTransactionByHash at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "10 638 / s, 8.6 / 20.5 ms; 15 414 / s",
    bench: "rpc",
  },
  {
    what: "getBlockWithReceipts of 100 transactions at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "320 / s, 285 / 686 ms; 384 / s",
    bench: "rpc",
  },
  {
    what: "call of balance_of at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "3 454 / s, 25 / 71 ms; 5 496 / s",
    bench: "rpc",
  },
  {
    what: "estimateFee of a transfer at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "658 / s, 148 / 219 ms; 732 / s",
    bench: "rpc",
  },
  {
    what: "simulateTransactions of a transfer at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "465 / s, 206 / 282 ms; 520 / s",
    bench: "rpc",
  },
  {
    what: "traceBlockTransactions of 100 transactions at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "172 / s, 584 / 680 ms; 180 / s",
    bench: "rpc",
  },
  {
    what: "getEvents, a page of 100 at 100 connections beside 200 transfers/s: calls, p50 / p99; in batches of 10",
    figure: "828 / s, 108 / 275 ms; 840 / s",
    bench: "rpc",
  },
];
