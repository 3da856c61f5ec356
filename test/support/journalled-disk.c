/*
 * Preloaded into processes (LD_PRELOAD), it records in a journal every change that they make under a folder, and every sync. The
 * syncs themselves are not executed: unsynced-disk.ts derives from the journal what a power cut would leave of the folder.
 *
 *   JOURNALLED_FOLDER  the folder, absolute
 *   JOURNALLED_FILE    the journal, appended to; without it nothing is recorded
 *   JOURNALLED_FAULTS  a file "<milliseconds> <errno of syncs> <every> <errno of writes>": the duration of a sync, the error of every
 *                      `every`th sync, and the error of writes that need space; 0 is none. Read on each use; without it no faults.
 *
 * A record is a `struct note` and its payload. Changes are made and recorded under one lock of all threads and processes, so that
 * the journal has their order. Memory-mapped writes are not seen: only SQLite's -shm, which does not survive a power cut anyway.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The same kinds, in the same order, as `CHANGES` in disk-journal.ts. */
enum kind { WRITE = 1, TRUNCATE, CREATE, MKDIR, LINK, RENAME, REMOVE, SYNC_BEGINS, SYNC_ENDS, SYNC_FAILS };

struct note {
  uint32_t kind;
  uint32_t length; /* of the payload */
  uint64_t inode;
  uint64_t number; /* an offset, a length, or a sync's id */
};

enum { MOST_DESCRIPTORS = 1 << 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;
static char *folder;
static char *faults;
/* Inodes of files opened in the folder, else 0. The C library also opens and closes internally, unseen (mkstemp, closedir). */
static uint64_t inside[MOST_DESCRIPTORS];

#define REAL(result, name, ...)                                   \
  static result (*name)(__VA_ARGS__);                             \
  if (name == NULL) name = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, &#name[5])

/* PostgreSQL overwrites its environment with its process title. */
static char *copied(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? NULL : strdup(value);
}

__attribute__((constructor)) static void start(void) {
  REAL(int, real_open, const char *, int, ...);
  const char *file = getenv("JOURNALLED_FILE");
  folder = copied("JOURNALLED_FOLDER");
  faults = copied("JOURNALLED_FAULTS");
  if (file != NULL) journal = real_open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

/* The file lock is shared by processes, and is released when its holder ends. */
static void hold_lock(void) {
  pthread_mutex_lock(&lock);
  while (journal >= 0 && fcntl(journal, F_SETLKW, &(struct flock){.l_type = F_WRLCK}) != 0)
    if (errno != EINTR) abort();
}

static void release_lock(void) {
  int error = errno;
  if (journal >= 0) fcntl(journal, F_SETLK, &(struct flock){.l_type = F_UNLCK});
  pthread_mutex_unlock(&lock);
  errno = error;
}

static void append(enum kind kind, uint64_t inode, uint64_t number, const struct iovec *payload, int count) {
  REAL(ssize_t, real_writev, int, const struct iovec *, int);
  struct note note = {.kind = kind, .inode = inode, .number = number};
  struct iovec parts[IOV_MAX];
  if (journal < 0) return;
  if (count > IOV_MAX - 1) abort();
  parts[0] = (struct iovec){&note, sizeof note};
  for (int part = 0; part < count; part++) {
    parts[part + 1] = payload[part];
    note.length += payload[part].iov_len;
  }
  if (real_writev(journal, parts, count + 1) != (ssize_t)(sizeof note + note.length)) abort();
}

static void append_text(enum kind kind, uint64_t inode, const char *text, size_t length) {
  struct iovec payload = {(void *)text, length};
  append(kind, inode, 0, &payload, 1);
}

/* Whether the path is in the folder; if so, `absolute` is its absolute form. */
static int is_inside(int at, const char *path, char absolute[PATH_MAX]) {
  char base[PATH_MAX] = "";
  if (folder == NULL) return 0;
  if (path[0] != '/' && at == AT_FDCWD && getcwd(base, sizeof base) == NULL) return 0;
  if (path[0] != '/' && at != AT_FDCWD) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = '\0';
  }
  if (snprintf(absolute, PATH_MAX, "%s%s%s", base, base[0] == '\0' ? "" : "/", path) >= PATH_MAX) return 0;
  size_t length = strlen(folder);
  return strncmp(absolute, folder, length) == 0 && (absolute[length] == '/' || absolute[length] == '\0');
}

static uint64_t inode_at(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? found.st_ino : 0;
}

static int is_noted(int descriptor, struct stat *found) {
  if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS || inside[descriptor] == 0) return 0;
  if (fstat(descriptor, found) != 0 || found->st_ino != inside[descriptor]) return 0;
  return S_ISREG(found->st_mode) || S_ISDIR(found->st_mode);
}

struct trouble {
  long milliseconds;
  int of_syncs, every, of_writes;
};

static struct trouble current_trouble(void) {
  REAL(int, real_open, const char *, int, ...);
  struct trouble trouble = {0, 0, 1, 0};
  int file = faults == NULL ? -1 : real_open(faults, O_RDONLY | O_CLOEXEC);
  if (file < 0) return trouble;
  char text[100] = "";
  if (read(file, text, sizeof text - 1) > 0)
    sscanf(text, "%ld %d %d %d", &trouble.milliseconds, &trouble.of_syncs, &trouble.every, &trouble.of_writes);
  close(file);
  return trouble;
}

static int fails_by(int error) {
  if (error != 0) errno = error;
  return error != 0;
}

/* Files */

static int opened(int at, const char *path, int flags, mode_t mode) {
  REAL(int, real_openat, int, const char *, int, ...);
  char absolute[PATH_MAX];
  if (!is_inside(at, path, absolute)) {
    int descriptor = real_openat(at, path, flags, mode);
    if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) inside[descriptor] = 0;
    return descriptor;
  }
  hold_lock();
  uint64_t before = inode_at(absolute);
  int descriptor = real_openat(at, path, flags, mode);
  if (descriptor >= MOST_DESCRIPTORS) abort();
  if (descriptor >= 0) {
    uint64_t inode = inode_at(absolute);
    inside[descriptor] = inode;
    if (before == 0) append_text(CREATE, inode, absolute, strlen(absolute));
    if (before != 0 && (flags & O_TRUNC)) append(TRUNCATE, inode, 0, NULL, 0);
  }
  release_lock();
  return descriptor;
}

static mode_t mode_in(int flags, va_list rest) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0; }

#define OPEN(name, at, ...)                  \
  int name(__VA_ARGS__, int flags, ...) {    \
    va_list rest;                            \
    va_start(rest, flags);                   \
    mode_t mode = mode_in(flags, rest);      \
    va_end(rest);                            \
    return opened(at, path, flags, mode);    \
  }
OPEN(open, AT_FDCWD, const char *path)
OPEN(open64, AT_FDCWD, const char *path)
OPEN(openat, at, int at, const char *path)
OPEN(openat64, at, int at, const char *path)
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }

int close(int descriptor) {
  REAL(int, real_close, int);
  if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) inside[descriptor] = 0;
  return real_close(descriptor);
}

/* Changes a file and records what was changed, since a write may be short. Without an offset, uses the descriptor's position. */
#define WRITING(offset, payload, count, call)                                \
  struct stat found;                                                         \
  if (!is_noted(descriptor, &found)) return call;                            \
  if (fails_by(current_trouble().of_writes)) return -1;                      \
  hold_lock();                                                 \
  off_t place = offset;                                                      \
  ssize_t written = call;                                                    \
  if (written > 0) note_write(found.st_ino, place, payload, count, written); \
  release_lock();                                               \
  return written;

static void note_write(uint64_t inode, off_t place, const struct iovec *payload, int count, ssize_t written) {
  for (int part = 0; part < count && written > 0; part++) {
    struct iovec piece = payload[part];
    if ((ssize_t)piece.iov_len > written) piece.iov_len = written;
    append(WRITE, inode, place, &piece, 1);
    place += piece.iov_len;
    written -= piece.iov_len;
  }
}

static off_t own_place(int descriptor) {
  struct stat found;
  if ((fcntl(descriptor, F_GETFL) & O_APPEND) == 0) return lseek(descriptor, 0, SEEK_CUR);
  return fstat(descriptor, &found) == 0 ? found.st_size : 0;
}

#define PIECE (&(struct iovec){(void *)bytes, length})

ssize_t write(int descriptor, const void *bytes, size_t length) {
  REAL(ssize_t, real_write, int, const void *, size_t);
  WRITING(own_place(descriptor), PIECE, 1, real_write(descriptor, bytes, length))
}
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  REAL(ssize_t, real_writev, int, const struct iovec *, int);
  WRITING(own_place(descriptor), parts, count, real_writev(descriptor, parts, count))
}
#define PWRITE(name)                                                                 \
  ssize_t name(int descriptor, const void *bytes, size_t length, off_t offset) {    \
    REAL(ssize_t, real_##name, int, const void *, size_t, off_t);                    \
    WRITING(offset, PIECE, 1, real_##name(descriptor, bytes, length, offset)) \
  }
PWRITE(pwrite)
PWRITE(pwrite64)
#define PWRITEV(name)                                                                  \
  ssize_t name(int descriptor, const struct iovec *parts, int count, off_t offset) { \
    REAL(ssize_t, real_##name, int, const struct iovec *, int, off_t);                 \
    WRITING(offset, parts, count, real_##name(descriptor, parts, count, offset)) \
  }
PWRITEV(pwritev)
PWRITEV(pwritev64)

int truncate(const char *path, off_t length) {
  int descriptor = opened(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  int failed = ftruncate(descriptor, length);
  close(descriptor);
  return failed;
}

#define TRUNCATING(name)                                          \
  int name(int descriptor, off_t length) {                        \
    REAL(int, real_##name, int, off_t);                           \
    struct stat found;                                            \
    if (!is_noted(descriptor, &found)) return real_##name(descriptor, length); \
    hold_lock();                                    \
    int failed = real_##name(descriptor, length);                 \
    if (!failed) append(TRUNCATE, found.st_ino, length, NULL, 0); \
    release_lock();                                  \
    return failed;                                                \
  }
TRUNCATING(ftruncate)
TRUNCATING(ftruncate64)

/* Allocating space fails if there is none. It changes no bytes, but may extend the file. */
#define ALLOCATING(name, refusal, call, ...)                                   \
  int name(int descriptor, __VA_ARGS__) {                                      \
    REAL(int, real_##name, int, __VA_ARGS__);                                  \
    struct stat before, after;                                                 \
    if (!is_noted(descriptor, &before)) return call;                           \
    if (fails_by(current_trouble().of_writes)) return refusal;                 \
    hold_lock();                                                               \
    int failed = fstat(descriptor, &before) != 0 ? refusal : call;             \
    if (fstat(descriptor, &after) == 0 && after.st_size != before.st_size) append(TRUNCATE, after.st_ino, after.st_size, NULL, 0); \
    release_lock();                                                            \
    return failed;                                                             \
  }
ALLOCATING(posix_fallocate, errno, real_posix_fallocate(descriptor, offset, length), off_t offset, off_t length)
ALLOCATING(posix_fallocate64, errno, real_posix_fallocate64(descriptor, offset, length), off_t offset, off_t length)
ALLOCATING(fallocate, -1, real_fallocate(descriptor, mode, offset, length), int mode, off_t offset, off_t length)
ALLOCATING(fallocate64, -1, real_fallocate64(descriptor, mode, offset, length), int mode, off_t offset, off_t length)

/* Streams: route their writes through the functions above, which the C library would bypass. */

static ssize_t stream_write(void *cookie, const char *bytes, size_t length) { return write((int)(intptr_t)cookie, bytes, length); }
static int stream_close(void *cookie) { return close((int)(intptr_t)cookie); }
static int stream_seek(void *cookie, off64_t *offset, int whence) {
  off64_t place = lseek((int)(intptr_t)cookie, *offset, whence);
  if (place < 0) return -1;
  *offset = place;
  return 0;
}

static FILE *opened_stream(const char *path, const char *mode) {
  int more = mode[0] == 'a' ? O_APPEND : O_TRUNC;
  int descriptor = opened(AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC | more, 0666);
  if (descriptor < 0) return NULL;
  cookie_io_functions_t doing = {.write = stream_write, .seek = stream_seek, .close = stream_close};
  return fopencookie((void *)(intptr_t)descriptor, mode, doing);
}

#define OPEN_STREAM(name)                                                        \
  FILE *name(const char *path, const char *mode) {                               \
    REAL(FILE *, real_##name, const char *, const char *);                       \
    char absolute[PATH_MAX];                                                     \
    if (mode[0] == 'r' || !is_inside(AT_FDCWD, path, absolute)) return real_##name(path, mode); \
    return opened_stream(path, mode);                                            \
  }
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

/* Names */

/* Changes names and records it: of `path`, and of `other` unless that is NULL. */
#define NAMING(kind, from, path, to, other, call)                         \
  char first[PATH_MAX], second[PATH_MAX] = "";                            \
  if (!are_inside(from, path, first, to, other, second)) return call;     \
  hold_lock();                                              \
  uint64_t inode = inode_at(first);                                       \
  int failed = call;                                                      \
  if (!failed) note_names(kind, inode, first, second);                    \
  release_lock();                                            \
  return failed;

static int are_inside(int from, const char *path, char *first, int to, const char *other, char *second) {
  return is_inside(from, path, first) && (other == NULL || is_inside(to, other, second));
}

static void note_names(enum kind kind, uint64_t inode, const char *first, const char *second) {
  struct iovec payload[2] = {{(void *)first, strlen(first) + 1}, {(void *)second, strlen(second)}};
  append(kind, kind == MKDIR ? inode_at(first) : inode, 0, payload, 2);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, real_mkdir, const char *, mode_t);
  NAMING(MKDIR, AT_FDCWD, path, 0, NULL, real_mkdir(path, mode))
}
int link(const char *path, const char *other) {
  REAL(int, real_link, const char *, const char *);
  NAMING(LINK, AT_FDCWD, path, AT_FDCWD, other, real_link(path, other))
}
int rename(const char *path, const char *other) {
  REAL(int, real_rename, const char *, const char *);
  NAMING(RENAME, AT_FDCWD, path, AT_FDCWD, other, real_rename(path, other))
}
#define REMOVING(name)                                               \
  int name(const char *path) {                                       \
    REAL(int, real_##name, const char *);                            \
    NAMING(REMOVE, AT_FDCWD, path, 0, NULL, real_##name(path))       \
  }
REMOVING(unlink)
REMOVING(rmdir)
REMOVING(remove)
int unlinkat(int at, const char *path, int flags) {
  REAL(int, real_unlinkat, int, const char *, int);
  NAMING(REMOVE, at, path, 0, NULL, real_unlinkat(at, path, flags))
}

/* Syncs */

/* Every sync has its own id, even across processes. */
enum { MOST_SYNCS = 1 << 30 };

static int synced(int descriptor) {
  static uint64_t syncs;
  struct stat found;
  if (!is_noted(descriptor, &found)) return 0;
  struct trouble trouble = current_trouble();
  hold_lock();
  uint64_t count = ++syncs;
  uint64_t number = (uint64_t)getpid() * MOST_SYNCS + count;
  append(SYNC_BEGINS, found.st_ino, number, NULL, 0);
  release_lock();
  nanosleep(&(struct timespec){trouble.milliseconds / 1000, trouble.milliseconds % 1000 * 1000000}, NULL);
  int fails = trouble.of_syncs != 0 && count % trouble.every == 0;
  hold_lock();
  append(fails ? SYNC_FAILS : SYNC_ENDS, found.st_ino, number, NULL, 0);
  release_lock();
  return fails_by(fails ? trouble.of_syncs : 0) ? -1 : 0;
}

#define SYNCING(name)                                    \
  int name(int descriptor) {                             \
    REAL(int, real_##name, int);                         \
    struct stat found;                                   \
    return is_noted(descriptor, &found) ? synced(descriptor) : real_##name(descriptor); \
  }
SYNCING(fsync)
SYNCING(fdatasync)
