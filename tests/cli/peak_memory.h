// The most memory that a run of the program ever held.
#pragma once
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <vector>

#include <QStringList>

#include "tests/support/places.h"

extern char** environ;

namespace leasescope::tests {

// In kilobytes; -1 when it did not end with 0.
inline long peak_of(const QStringList& arguments) {
  std::vector<QByteArray> words{kLeasescopectl};
  for (const QString& argument : arguments) words.push_back(argument.toUtf8());
  std::vector<char*> raw;
  for (QByteArray& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (posix_spawn(&child, kLeasescopectl, &quiet, nullptr, raw.data(), environ) != 0) return -1;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return usage.ru_maxrss;
}

}  // namespace leasescope::tests
