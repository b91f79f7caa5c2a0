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
    figure:
      "6.7 / 3.1 times as long as `starknet-sierra-compile` in the same run, on a busy machine",
    bench: "compiler",
  },
  {
    what: "compiling the OpenZeppelin account 1.0.0 to CASM, first time in a process / later",
    figure:
      "2.4 / 2.2 times as long as `starknet-sierra-compile` in the same run, on a busy machine",
    bench: "compiler",
  },
  {
    what: "compiling the STRK token to CASM, first time in a process / later",
    figure:
      "5.7 / 2.3 times as long as `starknet-sierra-compile` in the same run, on a busy machine",
    bench: "compiler",
  },
  {
    what: "compiling the Argent account 0.4.0 to CASM, first time in a process / later",
    figure:
      "3.1 / 2.4 times as long as `starknet-sierra-compile` in the same run, on a busy machine",
    bench: "compiler",
  },
  {
    what: "compiling the largest fixture, 58683 felts to CASM, first time in a process / later",
    figure:
      "2.2 / 1.5 times as long as `starknet-sierra-compile` in the same run, on a busy machine",
    bench: "compiler",
  },
];
