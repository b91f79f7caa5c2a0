/** What all files of this folder take with heap.alloc, 18 MB of it for tables of points. */
const HEAP_BYTES: usize = 26 << 20;

// An engine copies, and so touches, all of most instances' memories when they grow: that of the field
// kernel grows once, before there is anything in it. Nothing may be imported here: it would be
// allocated before, and lost.
heap.alloc(HEAP_BYTES);
heap.reset();
