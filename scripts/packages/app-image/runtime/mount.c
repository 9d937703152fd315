/* Shows an archive as a folder with FUSE. */
#define _GNU_SOURCE
#include "runtime.h"

#include <squashfuse/ll.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Only these can mount for a person who is not root. The older one belongs to FUSE 2 and takes the same arguments. */
static const char *const MOUNTERS[] = {"fusermount3", "fusermount"};

/* How many blocks of 256 KiB are kept unpacked. With squashfuse's default of 8, a start unpacks the same ones again. */
static const size_t KEPT_BLOCKS = 64;

static void run_mounter(const char *const arguments[])
{
  const char *command[8] = {0};
  for (size_t i = 0; arguments[i] != NULL; i++) command[i + 1] = arguments[i];
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDERR_FILENO);
  for (size_t i = 0; i < sizeof MOUNTERS / sizeof *MOUNTERS; i++) {
    command[0] = MOUNTERS[i];
    execvp(command[0], (char **)command);
  }
  _exit(127);
}

/* Receives a descriptor, which comes with one byte through a socket; -1 if none came. */
static int receive_descriptor(int socket)
{
  char byte;
  struct iovec data = {.iov_base = &byte, .iov_len = 1};
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header == NULL || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

/* Mounts the folder. Returns the descriptor of the FUSE device, or -1 on failure. */
static int mount_on(const char *folder)
{
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return -1;
  pid_t mounter = fork();
  if (mounter == 0) {
    char number[16];
    snprintf(number, sizeof number, "%d", pair[1]);
    setenv("_FUSE_COMMFD", number, 1);
    close(pair[0]);
    run_mounter((const char *[]){"-o", "ro,nosuid,nodev,fsname=Sluice,subtype=squashfuse", "--", folder, NULL});
  }
  close(pair[1]);
  int device = mounter < 0 ? -1 : receive_descriptor(pair[0]);
  close(pair[0]);
  if (mounter > 0) waitpid(mounter, NULL, 0);
  if (device >= 0) fcntl(device, F_SETFL, O_NONBLOCK);
  return device;
}

/*
 * Unmounts the folder at once. Open files and running programs keep working; the session ends with the last of them.
 * Must not wait for the unmounting program: that first makes requests for the folder, which this process answers.
 */
static void unmount(const char *folder)
{
  signal(SIGCHLD, SIG_IGN);
  if (fork() != 0) return;
  signal(SIGCHLD, SIG_DFL);
  run_mounter((const char *[]){"-u", "-z", "--", folder, NULL});
}

static void serve(struct fuse_session *session, const char *folder, int ended)
{
  struct pollfd events[] = {{.fd = fuse_session_fd(session), .events = POLLIN}, {.fd = ended, .events = POLLIN}};
  struct fuse_buf request = {0};
  while (!fuse_session_exited(session)) {
    if (poll(events, 2, -1) < 0) continue;
    if (events[1].revents != 0) {
      events[1].fd = -1;
      unmount(folder);
    }
    if (events[0].revents == 0) continue;
    int size = fuse_session_receive_buf(session, &request);
    if (size == -EINTR || size == -EAGAIN) continue;
    if (size <= 0) break;
    fuse_session_process_buf(session, &request);
  }
  free(request.mem);
}

bool serve_mounted(const char *image, size_t offset, const char *folder, int ended, on_ready ready)
{
  static const struct fuse_lowlevel_ops operations = {
      .lookup = sqfs_ll_op_lookup,
      .forget = (void (*)(fuse_req_t, fuse_ino_t, uint64_t))sqfs_ll_op_forget,
      .getattr = sqfs_ll_op_getattr,
      .readlink = sqfs_ll_op_readlink,
      .open = sqfs_ll_op_open,
      .read = sqfs_ll_op_read,
      .release = sqfs_ll_op_release,
      .opendir = sqfs_ll_op_opendir,
      .readdir = sqfs_ll_op_readdir,
      .releasedir = sqfs_ll_op_releasedir,
      .statfs = stfs_ll_op_statfs,
  };
  sqfs_ll *archive = sqfs_ll_open(image, offset);
  if (archive == NULL) return false;
  sqfs_cache_destroy(&archive->fs.data_cache);
  if (sqfs_block_cache_init(&archive->fs.data_cache, KEPT_BLOCKS) != SQFS_OK) return false;
  int device = mount_on(folder);
  if (device < 0) return false;

  char place[32]; /* How libfuse is told of a mount that is there already. */
  snprintf(place, sizeof place, "/dev/fd/%d", device);
  struct fuse_args arguments = FUSE_ARGS_INIT(1, (char *[]){"sluice"});
  struct fuse_session *session = fuse_session_new(&arguments, &operations, sizeof operations, archive);
  if (session == NULL || fuse_session_mount(session, place) != 0) {
    close(device);
    unmount(folder);
    return false;
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, ended);
  ready();
  serve(session, folder, signalfd(-1, &signals, SFD_CLOEXEC));
  return true;
}
