/** What happens to a thread that has finished its work; releasing costs no processor time. */
export type ThreadEnd = "terminate" | "release";
