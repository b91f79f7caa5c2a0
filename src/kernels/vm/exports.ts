/** Exports of a build of the machine kernel; assembly/index.ts documents them. */
export interface VmExports {
  readonly abi: WebAssembly.Global<"i32">;
  readonly memory: WebAssembly.Memory;
  readonly transfer: WebAssembly.Global<"i32">;
  readonly failure: WebAssembly.Global<"i32">;
  initialize(cellBytes: number, programBytes: number, seed: number): number;
  setBudget(bytes: number): void;
  reserve(segment: number, cells: number): void;
  integersAt(segment: number, offset: number, count: number): number;
  decode(slots: number, cells: number, length: number, slowOnly: number): void;
  beginFrame(slots: number, cells: number, length: number, marks: number): number;
  endFrame(): void;
  reset(): void;
  addSegment(kind: number): number;
  writeCells(segment: number, offset: number, count: number): number;
  readCells(segment: number, offset: number, count: number): void;
  segmentSize(segment: number): number;
  segmentCount(): number;
  setRegisters(pc: number, ap: number, fp: number, endSegment: number): void;
  pc(): bigint;
  ap(): number;
  pcSegment(): number;
  fp(): number;
  run(budget: number): number;
  setStepLimit(limit: number): void;
  steps(): number;
  blakeCount(): number;
  markAccessed(segment: number, offset: number, count: number): void;
  countHoles(): number;
  residentBytes(): number;
  takePeakBytes(): number;
  operandValue(cursor: number): number;
  operandWrite(cursor: number): number;
  verifyDeductions(segment: number): number;
  verifyInputs(segment: number): number;
  verifyOutputs(segment: number): number;
}
