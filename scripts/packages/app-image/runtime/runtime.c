/*
 * The program that a Sluice AppImage begins with. A squashfs archive follows it in the same file. The program shows the
 * archive as a folder, with FUSE or else unpacked, and then becomes the program in there. A child process keeps the
 * folder for as long as that lives.
 *
 * Options and variables are those of https://docs.appimage.org/user-guide/run-appimages.html and of the reference
 * runtime, https://github.com/AppImage/type2-runtime.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SELF "/proc/self/exe"
/* Nothing was started: the same status as in shells and the reference runtime. */
#define EXIT_NOT_STARTED 127
/* Tells the child that the program has ended. Other signals are for the program, which may need its files to end. */
#define ENDED SIGUSR1

#define HELP                                                                                                          \
  "Options of the AppImage:\n"                                                                                        \
  "  --appimage-extract [<pattern>]  Unpack it, or what of it fits the pattern, into squashfs-root\n"                 \
  "  --appimage-extract-and-run      Run it unpacked, as where there is no FUSE\n"                                    \
  "  --appimage-mount                Mount it, print where, and wait for Ctrl+C\n"                                    \
  "  --appimage-offset               Print where in the file its archive begins, in bytes\n"                          \
  "  --appimage-version              Print the version of its runtime\n"                                              \
  "  --appimage-help                 Print this\n"

static int ready_pipe[2];

static int fail(const char *what)
{
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  return EXIT_NOT_STARTED;
}

/* The archive begins where this program ends, after its section table. Returns 0 if that can't be read. */
static size_t archive_offset(void)
{
  Elf64_Ehdr header;
  int file = open(SELF, O_RDONLY | O_CLOEXEC);
  bool is_read = file >= 0 && read(file, &header, sizeof header) == sizeof header;
  close(file);
  return is_read ? header.e_shoff + (size_t)header.e_shentsize * header.e_shnum : 0;
}

static void say_ready(void)
{
  /* Whoever waits for the end of the program's output must not wait for this process. */
  int nothing = open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= 2; standard++) dup2(nothing, standard);
  if (write(ready_pipe[1], "", 1) != 1) return; /* The program is gone, and the signal says so. */
  close(ready_pipe[1]);
}

/* The child: provides the folder's content until the process `owner` ends, then removes the folder. */
static void keep(const char *folder, size_t offset, pid_t owner, bool unpacked)
{
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, ENDED);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  const int for_the_program[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};
  for (size_t i = 0; i < sizeof for_the_program / sizeof *for_the_program; i++) signal(for_the_program[i], SIG_IGN);
  setsid();
  prctl(PR_SET_PDEATHSIG, ENDED);
  if (getppid() != owner) raise(ENDED);
  close(ready_pipe[0]);
  if (chdir("/") != 0) _exit(EXIT_NOT_STARTED);

  if (!unpacked && serve_mounted(SELF, offset, folder, ENDED, say_ready)) {
    rmdir(folder);
    _exit(0);
  }
  if (unpack(SELF, offset, folder, NULL)) {
    say_ready();
    int signal;
    sigwait(&signals, &signal);
  }
  remove_folder(folder);
  _exit(0);
}

/* Starts the child. Returns true once it has provided the folder's content, or false if it could not. */
static bool is_kept(const char *folder, size_t offset, bool unpacked)
{
  pid_t owner = getpid();
  if (pipe2(ready_pipe, O_CLOEXEC) != 0) return false;
  pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) keep(folder, offset, owner, unpacked);
  close(ready_pipe[1]);
  char byte;
  ssize_t count;
  do count = read(ready_pipe[0], &byte, 1);
  while (count < 0 && errno == EINTR);
  close(ready_pipe[0]);
  return count == 1;
}

static int start(const char *folder, char *arguments[])
{
  char *program, image[PATH_MAX], here[PATH_MAX];
  if (asprintf(&program, "%s/AppRun", folder) < 0 || realpath(SELF, image) == NULL) return fail(SELF);
  setenv("APPIMAGE", image, 1);
  setenv("APPDIR", folder, 1);
  setenv("ARGV0", arguments[0], 1);
  if (getcwd(here, sizeof here) != NULL) setenv("OWD", here, 1);
  arguments[0] = program;
  execv(program, arguments);
  return fail(program);
}

static int extract(size_t offset, const char *pattern)
{
  return unpack(SELF, offset, "squashfs-root", pattern) ? 0 : 1;
}

static int run(size_t offset, char *arguments[])
{
  const char *option = arguments[1] != NULL ? arguments[1] : "";
  bool mounts_only = strcmp(option, "--appimage-mount") == 0;
  bool unpacked = strcmp(option, "--appimage-extract-and-run") == 0;
  if (unpacked) {
    arguments[1] = arguments[0];
    arguments++;
  }
  const char *base = getenv("TMPDIR");
  char *folder;
  if (asprintf(&folder, "%s/.mount_SluiceXXXXXX", base != NULL && *base == '/' ? base : "/tmp") < 0) return fail(SELF);
  /* Use the real path, by which the system names a program in it. */
  if (mkdtemp(folder) == NULL || (folder = realpath(folder, NULL)) == NULL) return fail("The temporary folder");
  if (!is_kept(folder, offset, unpacked || getenv("APPIMAGE_EXTRACT_AND_RUN") != NULL)) return EXIT_NOT_STARTED;
  if (!mounts_only) return start(folder, arguments);
  puts(folder);
  fflush(stdout);
  for (;;) pause();
}

int main(int count, char *arguments[])
{
  size_t offset = archive_offset();
  if (offset == 0 || count < 1) return fail(SELF);
  const char *option = count > 1 ? arguments[1] : "";
  if (strncmp(option, "--appimage-", 11) != 0) return run(offset, arguments);
  const char *name = option + 11;
  if (strcmp(name, "mount") == 0 || strcmp(name, "extract-and-run") == 0) return run(offset, arguments);
  if (strcmp(name, "extract") == 0) return extract(offset, arguments[2]);
  if (strcmp(name, "offset") == 0) return printf("%zu\n", offset) < 0;
  if (strcmp(name, "version") == 0) return puts("Sluice’s own runtime, " VERSION) < 0;
  fputs(HELP, stderr);
  return strcmp(name, "help") == 0 ? 0 : 1;
}
