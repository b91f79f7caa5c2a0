/**
 * Number of validator threads besides admission. With 0, admission validates itself.
 *
 * @param admissionThreads - number of validating threads, at least 1
 */
export function validatorCount(admissionThreads: number): number {
  return admissionThreads === 1 ? 0 : admissionThreads;
}
