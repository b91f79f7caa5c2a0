/** Heap used by all files of this folder; 18 MB of it are tables of points. */
const HEAP_BYTES: usize = 26 << 20;

// Growing a memory makes most engines copy, and so touch, all of it. The field kernel therefore grows once,
// while its memory is empty. Nothing may be imported here: its allocations would come earlier, and be lost.
heap.alloc(HEAP_BYTES);
heap.reset();
