/* What the parts of the runtime share. */
#include <stdbool.h>
#include <stddef.h>

/** Is told once, when the folder has its content. */
typedef void (*on_ready)(void);

/**
 * Mounts the archive at `offset` (bytes) of `image` on `folder` and serves it until it is unmounted, which begins when
 * the signal `ended` arrives: that is blocked in this thread. Returns false where it can't be mounted: nothing is served
 * then, and `ready` is not called.
 */
bool serve_mounted(const char *image, size_t offset, const char *folder, int ended, on_ready ready);

/**
 * Unpacks what of the archive fits the pattern (fnmatch; NULL: everything) into `folder`. Returns false, having said why,
 * where it can't.
 */
bool unpack(const char *image, size_t offset, const char *folder, const char *pattern);

/** Removes a folder with all that it holds, following no link. */
void remove_folder(const char *folder);
