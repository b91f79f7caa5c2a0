/**
 * Validators beside the thread that has the mempool, which validates by itself where there are none.
 *
 * @param admissionThreads - threads that validate, from 1 on
 */
export function validatorCount(admissionThreads: number): number {
  return admissionThreads === 1 ? 0 : admissionThreads;
}
