/*
 * Preloaded into every process of `npm run test:dates`: the date is CLOCK_SHIFT_SECONDS ahead, and so are the times of files.
 * What measures durations stays as it is. libfaketime does not do: under it the timeouts of Postgres never end a statement.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)

static time_t aheadSeconds;

__attribute__((constructor)) static void readShift(void) {
  const char *text = getenv("CLOCK_SHIFT_SECONDS");
  aheadSeconds = text ? atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  REAL(clock_gettime);
  int result = real(clock, at);
  if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += aheadSeconds;
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  REAL(gettimeofday);
  int result = real(at, zone);
  if (!result) at->tv_sec += aheadSeconds;
  return result;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}

static void shiftFile(struct statx *file) {
  file->stx_mtime.tv_sec += aheadSeconds;
  file->stx_atime.tv_sec += aheadSeconds;
  file->stx_ctime.tv_sec += aheadSeconds;
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict file) {
  REAL(statx);
  int result = real(folder, path, flags, mask, file);
  if (!result) shiftFile(file);
  return result;
}

/* Node makes this call without statx(). */
long syscall(long number, ...) {
  REAL(syscall);
  va_list list;
  va_start(list, number);
  long given[6];
  for (int i = 0; i < 6; i++) given[i] = va_arg(list, long);
  va_end(list);
  long result = real(number, given[0], given[1], given[2], given[3], given[4], given[5]);
  if (number == SYS_statx && !result) shiftFile((struct statx *)given[4]);
  return result;
}

static const struct timespec *kernelTimes(const struct timespec times[2], struct timespec shifted[2]) {
  if (!times) return NULL;
  for (int i = 0; i < 2; i++) {
    shifted[i] = times[i];
    if (times[i].tv_nsec != UTIME_NOW && times[i].tv_nsec != UTIME_OMIT) shifted[i].tv_sec -= aheadSeconds;
  }
  return shifted;
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  REAL(utimensat);
  struct timespec shifted[2];
  return real(folder, path, kernelTimes(times, shifted), flags);
}

int futimens(int file, const struct timespec times[2]) {
  REAL(futimens);
  struct timespec shifted[2];
  return real(file, kernelTimes(times, shifted));
}
