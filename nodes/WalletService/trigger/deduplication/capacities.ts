/** How much each layer of the deduplication remembers. */

/** Deliveries of all triggers that one process remembers; at least half of them at any time. About 10 to 20 MB. */
export const MAX_CLAIMS = 100_000;

/** Triggers whose recent keys a process holds in memory; the keys of others are read from static data again. */
export const MAX_TRIGGERS = 1000;

/**
 * Deliveries of one trigger in static data: about one minute at n8n's highest rate. They take 32 KB, which n8n reads and
 * writes with each delivery; in a delivery of about 80 ms this cost was not measurable.
 */
export const MAX_PERSISTED_KEYS = 2000;

/** Size of n8n's record of processed items; two entries per delivery. */
export const MAX_PROCESSED_ITEMS = 1000;

/** Keys that a worker records again each time: n8n rewrites the whole record, so another worker may have erased them. */
export const REPEAT_COUNT = 40;
