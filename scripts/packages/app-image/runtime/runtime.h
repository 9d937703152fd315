/* Declarations shared by the parts of the runtime. */
#include <stdbool.h>
#include <stddef.h>

/** Called once, when the folder has its content. */
typedef void (*on_ready)(void);

/**
 * Mounts the archive at `offset` (bytes) of `image` on `folder` and serves it until it is unmounted, which begins when
 * the signal `ended` arrives; that signal is blocked in this thread. Returns false, without calling `ready`, if it
 * can't be mounted.
 */
bool serve_mounted(const char *image, size_t offset, const char *folder, int ended, on_ready ready);

/**
 * Unpacks the entries of the archive that match the pattern (fnmatch; NULL: all) into `folder`. On failure, says why
 * and returns false.
 */
bool unpack(const char *image, size_t offset, const char *folder, const char *pattern);

/** Removes a folder with everything in it, without following links. */
void remove_folder(const char *folder);
