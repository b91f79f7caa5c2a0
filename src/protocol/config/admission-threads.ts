/** Maximum number of threads that validate submissions; each has a Cairo machine and a journal. */
export const MAX_ADMISSION_THREADS = 16;
