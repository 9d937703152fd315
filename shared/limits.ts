// Numbers that more than one part of the app counts on.

/** One mebibyte in bytes. */
export const MIB = 1024 * 1024

/** Every part but the last must be larger than this (docs/dialect.md, Semantics). */
export const MIN_PART_SIZE_BYTES = 5 * MIB
/** Part sizes by the line, or by what a service takes, are multiples of this where its limit leaves room for it (bytes). */
export const PART_STEP_BYTES = MIB / 16
/** Where nothing is known of the line, a file of unremarkable size is cut into parts of at least this (bytes). */
export const USUAL_PART_BYTES = MIN_PART_SIZE_BYTES + PART_STEP_BYTES
/** Part numbers run from 1 to this (docs/dialect.md, Semantics). */
export const MAX_PART_COUNT = 10_000
/** A key has 1 to this many UTF-8 bytes (docs/dialect.md, Requests). */
export const MAX_KEY_BYTES = 1024
/** A signed request whose Date is further off than this is refused (docs/dialect.md, Signature). */
export const MAX_CLOCK_SKEW_MS = 15 * 60 * 1000

/** What would end within this time after a pause, or when the app quits, is let end (milliseconds). */
export const PAUSE_FINISH_MS = 2500
export const QUIT_FINISH_MS = 2500
/** The same before the machine sleeps: systems give little time. */
export const SLEEP_FINISH_MS = 1000

/** Files up to this size go up in one PutObject. */
export const SINGLE_PUT_MAX_BYTES = 6 * MIB
/** Part sizes that the planner aims for on fast lines. */
export const PLANNED_PART_MIN_BYTES = 8 * MIB
export const PLANNED_PART_MAX_BYTES = 64 * MIB

/** What one cell of a download's parts map stands for. */
export const SEGMENT_SIZE_BYTES = 8 * MIB
/** Claims are committed after this much time or this many bytes, whichever comes first. */
export const COMMIT_INTERVAL_MS = 1000
export const COMMIT_INTERVAL_BYTES = 64 * MIB
/** What is written and not synced yet is noted beside the partial file after this many bytes. */
export const NOTE_INTERVAL_BYTES = 2 * MIB
/** Writes are gathered into blocks of this size, or of what came in this time (milliseconds). */
export const WRITE_BLOCK_BYTES = MIB
export const WRITE_BLOCK_MS = 500

/** Objects of a folder up to this size are fetched whole, with one request and no partial file of their own. */
export const SMALL_OBJECT_MAX_BYTES = 8 * MIB
/** Small objects in memory at a time, bytes. */
export const SMALL_OBJECTS_BUDGET_BYTES = 32 * MIB

/** Transfers that run at a time, where the settings don't say how many. */
export const DEFAULT_ACTIVE_TRANSFERS = 3
/** The most transfers, and connections of one transfer, that the settings take. */
export const MAX_AT_A_TIME = 16

/** No bandwidth limit is lower than this (bytes a second). */
export const MIN_RATE_LIMIT = 1024

/** Objects up to this size can be looked at in the window (bytes). */
export const PREVIEW_MAX_BYTES = 5_000_000
/** What larger images decode to takes the page seconds, and hundreds of megabytes. */
export const PREVIEW_MAX_PIXELS = 50_000_000

/** The least and the most that a person can have uploads cut into (MiB). */
export const MIN_CHOSEN_PART_MIB = 6
export const MAX_CHOSEN_PART_MIB = 5 * 1024

/** A signed link lives this long at most, seconds (AWS: Query parameters). */
export const MAX_LINK_SECONDS = 7 * 24 * 3600

/** Watchdogs (milliseconds). Completing may take a store minutes: 300 s + 50 ms a part. */
export const CONNECT_TIMEOUT_MS = 10_000
export const HEADERS_TIMEOUT_MS = 30_000
/** A question that is not answered by then is told of; the farthest lines there are answer sooner. */
export const SILENCE_TOLD_MS = 2_000
export const IDLE_TIMEOUT_MS = 15_000
/** An answer that brings less than so many bytes while it is waited for this long is as good as silent, on any line. */
export const TRICKLE_BYTES = 30 * 1024
export const TRICKLE_TIMEOUT_MS = 60_000
/**
 * The same of a request with a body of file bytes, by which only what is not watched ends: queues on slow lines take
 * minutes.
 */
export const BODY_TIMEOUT_MS = 900_000
export const COMPLETE_TIMEOUT_BASE_MS = 300_000
export const COMPLETE_TIMEOUT_PER_PART_MS = 50

/** A longer Retry-After is asked about again after this long: it may have been a mistake. */
export const RETRY_AFTER_CAP_MS = 120_000
/** The window shows tries as "n of 8" until progress resets them. */
export const TRIES_BEFORE_LONG_WAIT = 8
/** How long an object is read back after NoSuchUpload before the upload counts as lost. */
export const LOST_UPLOAD_READ_BACK_MS = 20_000

/** The most ids, paths, keys or links that one request of the window may carry. */
export const MAX_REQUEST_ITEMS = 100_000
/** More links from outside at a time are not meant by a person. */
export const MAX_OPENED_LINKS = 1000
/** One delta message to the window is at most this large. */
export const MAX_DELTA_BYTES = 256 * 1024
/** Longest label of a place, UTF-16 units. */
export const MAX_PLACE_LABEL = 24
/** So long a short message stays in the window. */
export const TOAST_TIME_MS = 8000
/** A parts map never has more cells than this; above it one cell stands for several parts. */
export const MAX_PARTS_MAP_CELLS = 2000
