#include "core/history/recording/compact.h"

#include <filesystem>

#include "core/history/recording/recording_reader.h"

namespace leasescope {
namespace {

std::uint64_t bytes_of(const std::string& path) {
  std::uint64_t bytes = 0;
  for (const char* const ending : {"", "-wal", "-shm"}) {
    std::error_code code;
    const auto size = std::filesystem::file_size(path + ending, code);
    if (!code) bytes += size;
  }
  return bytes;
}

}  // namespace

tl::expected<Compacted, std::string> compact_recording(const std::string& path, const RecordingSchema& schema) {
  // What cannot be read is better left as it is.
  {
    const auto recording = RecordingReader::open(path, schema);
    if (!recording) return tl::make_unexpected(recording.error());
  }
  Compacted out;
  out.before = bytes_of(path);
  auto opened = Database::open(path, Database::Mode::kChange);
  if (!opened) return tl::make_unexpected(opened.error());
  Database& database = **opened;
  // Which fails while anybody else has it open: also a writer who is waiting for his next event.
  database.run("PRAGMA journal_mode = DELETE");
  schema.migrate(database);
  database.run("VACUUM");
  if (database.failed()) return tl::make_unexpected(database.error());
  opened->reset();
  out.after = bytes_of(path);
  return out;
}

}  // namespace leasescope
