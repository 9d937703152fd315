/* Writes the content of an archive into a folder, and removes such a folder. */
#define _GNU_SOURCE
#include "runtime.h"

#include <squashfuse/squashfuse.h>

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int file, const char *bytes, size_t count)
{
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    count -= (size_t)written;
  }
  return true;
}

static bool unpack_file(sqfs *archive, sqfs_inode *inode, const char *path)
{
  static char bytes[1 << 20];
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, inode->base.mode & 0777);
  if (file < 0) return false;
  sqfs_off_t done = 0;
  bool is_whole = true;
  while (is_whole && (uint64_t)done < inode->xtra.reg.file_size) {
    sqfs_off_t count = sizeof bytes;
    is_whole = sqfs_read_range(archive, inode, done, &count, bytes) == SQFS_OK && count > 0 &&
               write_all(file, bytes, (size_t)count);
    done += count;
  }
  return close(file) == 0 && is_whole;
}

static bool unpack_link(sqfs *archive, sqfs_inode *inode, const char *path)
{
  char target[PATH_MAX];
  size_t size = sizeof target;
  return sqfs_readlink(archive, inode, target, &size) == SQFS_OK && symlink(target, path) == 0;
}

static bool unpack_entry(sqfs *archive, sqfs_inode_id id, const char *path)
{
  sqfs_inode inode;
  if (sqfs_inode_get(archive, &inode, id) != SQFS_OK) return false;
  if (S_ISDIR(inode.base.mode)) return mkdir(path, 0755) == 0 || errno == EEXIST;
  unlink(path);
  if (S_ISREG(inode.base.mode)) return unpack_file(archive, &inode, path);
  if (S_ISLNK(inode.base.mode)) return unpack_link(archive, &inode, path);
  return true;
}

/* Makes the folders that a path lies in. */
static void make_parents(char *path)
{
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0755);
    *slash = '/';
  }
}

bool unpack(const char *image, size_t offset, const char *folder, const char *pattern)
{
  sqfs archive;
  sqfs_traverse walk;
  sqfs_err error = SQFS_OK;
  if (sqfs_open_image(&archive, image, offset) != SQFS_OK) return false;
  if (sqfs_traverse_open(&walk, &archive, sqfs_inode_root(&archive)) != SQFS_OK) return false;
  bool is_done = mkdir(folder, 0755) == 0 || errno == EEXIST;
  while (is_done && sqfs_traverse_next(&walk, &error)) {
    if (walk.dir_end) continue;
    if (pattern != NULL && fnmatch(pattern, walk.path, FNM_FILE_NAME | FNM_LEADING_DIR) != 0) continue;
    char path[PATH_MAX];
    is_done = snprintf(path, sizeof path, "%s/%s", folder, walk.path) < (int)sizeof path;
    if (pattern != NULL) make_parents(path);
    is_done = is_done && unpack_entry(&archive, walk.entry.inode, path);
    if (!is_done) fprintf(stderr, "Sluice can’t be unpacked: %s: %s\n", path, strerror(errno));
  }
  return is_done && error == SQFS_OK;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *level)
{
  (void)status, (void)kind, (void)level;
  remove(path);
  return 0;
}

void remove_folder(const char *folder)
{
  nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
